import { pauseBeforeLeadMs } from './lead';

describe('pauseBeforeLeadMs', () => {
  it.each([
    [1, 30_000],
    [2, 60_000],
    [3, 120_000],
    [8, 3_600_000],
    [100_000, 3_600_000],
  ])('waits after %d failures for %d ms, and never gives up', (tries, ms) => {
    expect(pauseBeforeLeadMs(tries)).toBe(ms);
  });
});
