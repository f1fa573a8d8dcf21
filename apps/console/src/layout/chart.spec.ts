import { roundedUp } from './chart';

describe('roundedUp', () => {
  it.each([
    [0, 2],
    [1, 2],
    [3, 4],
    [5, 6],
    [9, 10],
    [10, 10],
    [450, 600],
    [1_001, 2_000],
    [99_999, 100_000],
  ])('ends the axis of %d at %d', (value, end) => {
    expect(roundedUp(value)).toBe(end);
  });
});
