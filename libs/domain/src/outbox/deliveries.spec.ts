import { ENDLESS_PAUSES_MS, pauseBeforeRetryMs, WEBHOOK_FAILING_MS, WEBHOOK_PAUSES_MS } from './deliveries';

describe('pauseBeforeRetryMs', () => {
  it.each([
    [1, 30_000],
    [2, 60_000],
    [3, 120_000],
    [8, 3_600_000],
    [100_000, 3_600_000],
  ])('repeats the last pause: after %d failures it is %d ms', (failures, ms) => {
    expect(pauseBeforeRetryMs(ENDLESS_PAUSES_MS, failures, null, 0)).toBe(ms);
  });

  it.each([0, 1])(
    'spreads the attempts of a webhook message over a little more than three days (jitter %d)',
    (random) => {
      const ms = WEBHOOK_PAUSES_MS.map((_, index) => pauseBeforeRetryMs(WEBHOOK_PAUSES_MS, index + 1, null, random));
      const total = ms.reduce((sum, pause) => sum + pause, 0);
      expect(total).toBeGreaterThanOrEqual(WEBHOOK_FAILING_MS);
      expect(total).toBeLessThan(WEBHOOK_FAILING_MS * 1.15);
    },
  );

  it('extends the pause up to a day for a longer Retry-After, and never shortens the pause', () => {
    expect(pauseBeforeRetryMs(WEBHOOK_PAUSES_MS, 1, 60_000, 0)).toBe(60_000);
    expect(pauseBeforeRetryMs(WEBHOOK_PAUSES_MS, 4, 1_000, 0)).toBe(30 * 60_000);
    expect(pauseBeforeRetryMs(WEBHOOK_PAUSES_MS, 1, 365 * 24 * 3_600_000, 0)).toBe(24 * 3_600_000);
  });
});
