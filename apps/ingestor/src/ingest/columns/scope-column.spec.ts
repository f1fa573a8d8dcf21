import { byteText } from '../../../../../test/support/ingest/reused-versions';
import { ScopeColumn } from './scope-column';

describe('ScopeColumn', () => {
  it('stores the scope of each row, and each scope name only once', () => {
    const column = new ScopeColumn();
    const scopes = ['', '', 'A', 'Zürich-é', 'A', 'AB', 'A', ''];
    for (const scope of scopes) column.pushBytes(byteText(scope));
    expect(scopes.map((_scope, row) => column.at(row))).toEqual(scopes);
    expect(column.list()).toEqual(['', 'A', 'Zürich-é', 'AB']);
  });

  it('copies the bytes of a scope, because they may change later', () => {
    const column = new ScopeColumn();
    const lent = byteText('A');
    column.pushBytes(lent);
    lent.bytes.fill('B');
    column.pushBytes(lent);
    column.push('A');
    expect([0, 1, 2].map((row) => column.at(row))).toEqual(['A', 'B', 'A']);
  });

  it('contains the scopes of its rows, and scopes without a row', () => {
    const column = new ScopeColumn();
    column.pushBytes(byteText('A'));
    column.add('B');
    expect(['A', 'B', ''].map((scope) => column.has(scope))).toEqual([true, true, false]);
  });
});
