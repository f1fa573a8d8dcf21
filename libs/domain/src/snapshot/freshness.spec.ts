import { isFresh } from '../index';

describe('isFresh', () => {
  it.each([
    ['confirmed just now', 0, true],
    ['confirmed exactly 60 seconds ago', 60_000, true],
    ['confirmed more than 60 seconds ago', 60_001, false],
    ['confirmed one minute in the future', -60_000, true],
    ['confirmed more than one minute in the future', -60_001, false],
    ['never confirmed', null, false],
  ])('returns the expected value for a snapshot %s', (_what, confirmedAgeMs, fresh) => {
    expect(isFresh(confirmedAgeMs, 60)).toBe(fresh);
  });
});
