import { createHash } from 'node:crypto';
import { xorOf } from '@passerelle/connectors';
import { byteText } from '../../../../../test/support/ingest/reused-versions';
import { HashColumn, hashWords } from './hash-column';

const hashOf = (text: string): string => createHash('md5').update(text).digest('hex');

function columnOf(hashes: readonly string[]): HashColumn {
  const column = new HashColumn();
  for (const hash of hashes) column.pushBytes(byteText(hash));
  return column;
}

describe('HashColumn', () => {
  it('finds the row of each hash, and no row for an unknown hash', () => {
    const hashes = Array.from({ length: 10_000 }, (_, row) => hashOf(`row ${row}`));
    const rowOf = columnOf(hashes).index();
    expect(hashes.map(rowOf)).toEqual([...hashes.keys()]);
    expect(rowOf(hashOf('another'))).toBeUndefined();
  });

  it('distinguishes hashes with the same beginning', () => {
    const hashes = ['0', '1', '2'].map((digit) => `abcdef01${digit.repeat(24)}`);
    expect(hashes.map(columnOf(hashes).index())).toEqual([0, 1, 2]);
  });

  it('finds the first row of a hash that several rows have', () => {
    const rowOf = columnOf([hashOf('a'), hashOf('b'), hashOf('b')]).index();
    expect(rowOf(hashOf('b'))).toBe(1);
  });

  it.each(['', 'ab', 'x'.repeat(32), '0'.repeat(31) + 'x', '0'.repeat(32)])('finds no row for %p', (noHash) => {
    const column = columnOf([hashOf('a'), noHash, '']);
    expect(column.index()(noHash)).toBeUndefined();
    expect(column.index()(hashOf('a'))).toBe(0);
  });

  it('reports whether a row has a hash', () => {
    const column = columnOf([hashOf('a'), '', hashOf('b')]);
    expect([column.has(0, hashOf('a')), column.has(0, hashOf('b')), column.has(2, hashOf('b'))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(column.has(1, '')).toBe(false);
  });

  it('removes the hash of a row', () => {
    const column = columnOf([hashOf('a'), hashOf('b')]);
    column.clear(0);
    expect([column.has(0, hashOf('a')), column.index()(hashOf('a')), column.index()(hashOf('b'))]).toEqual([
      false,
      undefined,
      1,
    ]);
  });

  it('finds no row while it is empty', () => {
    expect(new HashColumn().index()(hashOf('a'))).toBeUndefined();
  });
});

it('HashColumn finds a row under each of its masks, and gives its hash as it is stored', () => {
  const [one, other, unknown] = ['1', 'a', 'f'].map((digit) => digit.repeat(32)) as [string, string, string];
  const column = columnOf([xorOf(hashOf('a'), one), xorOf(hashOf('b'), other), '']);
  const [first, second] = [hashWords(one), hashWords(other)];
  const find = column.index([first, second]);
  expect([find(hashOf('a')), find(hashOf('b')), find(hashOf('c'))]).toEqual([0, 1, undefined]);
  expect(column.index([hashWords(unknown)])(hashOf('a'))).toBeUndefined();
  expect([column.has(1, hashOf('b'), [first, second]), column.has(1, hashOf('b'), [first])]).toEqual([true, false]);
  expect([column.textAt(0), column.textAt(2)]).toEqual([xorOf(hashOf('a'), one), undefined]);
});
