import { byteText } from '../../../../../test/support/ingest/reused-versions';
import { IdentifierColumn } from './identifier-column';

describe('IdentifierColumn', () => {
  it('gives each new identifier the next row, and a repeated identifier its earlier row', () => {
    const column = new IdentifierColumn();
    expect(['b', 'a', 'b', 'c', 'a'].map((identifier) => column.add(identifier))).toEqual([0, 1, 0, 2, 1]);
    expect([column.at(0), column.at(1), column.at(2), column.length]).toEqual(['b', 'a', 'c', 3]);
  });

  it('finds each of many similar identifiers', () => {
    const column = new IdentifierColumn();
    const identifiers = Array.from({ length: 20_000 }, (_, row) => `AG-0001/${1_000_000 + row}`);
    for (const identifier of identifiers) column.add(identifier);
    expect(identifiers.map((identifier) => column.rowOf(identifier))).toEqual([...identifiers.keys()]);
    expect(column.at(12_345)).toBe('AG-0001/1012345');
  });

  it('finds identifiers that were added as bytes', () => {
    const column = new IdentifierColumn();
    for (const identifier of ['Zürich-é', '', 'c']) column.pushBytes(byteText(identifier));
    expect(['c', '', 'Zürich-é', 'd'].map((identifier) => column.rowOf(identifier))).toEqual([2, 1, 0, undefined]);
    expect(column.add('d')).toBe(3);
  });

  it('finds no row for identifiers that were not added', () => {
    const column = new IdentifierColumn();
    column.add('ab');
    expect(['', 'a', 'abc', 'AB', 'ac'].map((identifier) => column.rowOf(identifier))).toEqual(
      Array(5).fill(undefined),
    );
  });

  it('stores letters of any script, the empty identifier and one longer than a block', () => {
    const identifiers = ['', 'Zürich-é', '物件-7', '🏠', 'x'.repeat(200_000), 'after'];
    const column = new IdentifierColumn();
    for (const identifier of identifiers) column.add(identifier);
    expect(identifiers.map((_identifier, row) => column.at(row))).toEqual(identifiers);
    expect(column.rowOf('🏠')).toBe(3);
  });
});
