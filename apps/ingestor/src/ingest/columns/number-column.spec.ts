import { NumberColumn } from './number-column';

describe('a column of numbers', () => {
  it.each([
    ['small', NumberColumn.ofSmall(), 1_000_000],
    ['large', NumberColumn.ofLarge(), 2 ** 40],
  ])('keeps %s ones beyond its first space', (_size, column, first) => {
    const numbers = Array.from({ length: 3_000 }, (_, row) => first + row);
    expect(numbers.map((number) => column.push(number))).toEqual([...numbers.keys()]);
    column.set(2_999, -1);
    expect([column.length, column.at(0), column.at(2_998), column.at(2_999)]).toEqual([
      3_000,
      first,
      first + 2_998,
      -1,
    ]);
  });

  it('has no number where there is no row', () => {
    expect(NumberColumn.ofSmall().at(0)).toBeNaN();
  });
});
