import { pauseAfterFailureMs } from '../index';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('pauseAfterFailureMs', () => {
  it.each([
    ['a first outage is retried after one minute', 'retry', 1, 50 * MINUTE, MINUTE],
    ['each further outage doubles the pause', 'retry', 4, 50 * MINUTE, 8 * MINUTE],
    ['the pause after many outages is six hours', 'retry', 30, 50 * MINUTE, 6 * HOUR],
    ['one failure does not extend a short period', 'retry', 1, 10_000, 10_000],
    ['a bad feed waits for its next regular run', 'give-up', 1, 50 * MINUTE, 50 * MINUTE],
    ['a source that refuses access is retried after one hour', 'fix-access', 1, 5 * MINUTE, HOUR],
    ['a daily gateway stays daily', 'give-up', 5, 24 * HOUR, 24 * HOUR],
  ] as const)('returns the expected pause: %s', (_what, todo, failures, everyMs, expected) => {
    expect(pauseAfterFailureMs({ todo }, failures, everyMs, 0)).toBe(expected);
  });

  it('returns at least the pause that the source requested', () => {
    expect(pauseAfterFailureMs({ todo: 'retry', retryAfterMs: 2 * HOUR }, 1, HOUR, 0)).toBe(2 * HOUR);
  });

  it('adds a random part of up to a fifth, so that gateways of one host do not retry together', () => {
    expect(pauseAfterFailureMs({ todo: 'retry' }, 1, HOUR, 1)).toBe(72_000);
  });
});
