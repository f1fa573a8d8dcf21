import { NumberColumn } from './number-column';

describe('NumberColumn', () => {
  it.each([
    ['small', NumberColumn.ofSmall(), 1_000_000],
    ['large', NumberColumn.ofLarge(), 2 ** 40],
  ])('stores %s numbers beyond its first block', (_size, column, first) => {
    const numbers = Array.from({ length: 10_000 }, (_, row) => first + row);
    expect(numbers.map((number) => column.push(number))).toEqual([...numbers.keys()]);
    column.set(9_999, -1);
    expect([column.length, column.at(0), column.at(9_998), column.at(9_999)]).toEqual([
      10_000,
      first,
      first + 9_998,
      -1,
    ]);
  });
});
