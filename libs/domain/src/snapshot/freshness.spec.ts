import { isFresh } from '../index';

describe('isFresh', () => {
  it.each([
    ['confirmed just now', 0, true],
    ['confirmed as long ago as it may be', 60_000, true],
    ['confirmed a moment longer ago', 60_001, false],
    ['confirmed a moment ahead of the clock', -60_000, true],
    ['confirmed by a clock that was put back since', -60_001, false],
    ['never confirmed', null, false],
  ])('returns the expected value for a snapshot %s', (_what, confirmedAgeMs, fresh) => {
    expect(isFresh(confirmedAgeMs, 60)).toBe(fresh);
  });
});
