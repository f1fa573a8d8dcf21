import { overlappingPage } from './page-numbers';

/** Returns the pages of a list; each page is the index of its first record and the index after its last record. */
function walk(records: number, mostPerPage: number): [from: number, to: number][] {
  const pages: [number, number][] = [[0, Math.min(mostPerPage, records)]];
  for (let soFar = pages[0]![1]; soFar < records;) {
    const { number, size, overlaps } = overlappingPage(soFar, mostPerPage)!;
    const from = (number - 1) * size;
    expect(from).toBe(soFar - overlaps);
    soFar = Math.min(number * size, records);
    pages.push([from, soFar]);
  }
  return pages;
}

describe('numbered pages that overlap with previous pages', () => {
  it('begin within the records read so far, and end after them', () => {
    expect(walk(10, 4)).toEqual([
      [0, 4],
      [3, 6],
      [4, 8],
      [6, 9],
      [8, 10],
    ]);
  });

  it.each([
    [3, 5],
    [5, 59],
    [100, 101],
    [100, 5_000],
    [100, 30_000],
  ])('reach every record: %i per page, %i in total', (mostPerPage, records) => {
    const pages = walk(records, mostPerPage);
    for (const [index, [from]] of pages.entries()) if (index > 0) expect(from).toBeLessThan(pages[index - 1]![1]);
    expect(pages.at(-1)![1]).toBe(records);
  });

  it('need few additional requests', () => {
    expect(walk(5_000, 100).length).toBe(57);
  });

  it.each([
    [2, 2],
    [3, 1],
    [12, 4],
  ])(
    'cannot continue after %i records in pages of at most %i, because none would overlap',
    (recordsSoFar, mostPerPage) => {
      expect(overlappingPage(recordsSoFar, mostPerPage)).toBeUndefined();
    },
  );
});
