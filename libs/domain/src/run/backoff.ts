import type { FeedError } from '../errors/feed-errors';

const FIRST_RETRY_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** A source that refuses us is not asked again before a person could have acted. */
const REFUSED_PAUSE_MS = 3_600_000;
/** A source that asks for more is asked again the next day all the same. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;
/** Many gateways may be told the same moment, midnight for one. */
const RETRY_AFTER_JITTER_MS = 10 * 60_000;

/**
 * How long a gateway waits after a failed run, in ms. What may pass is tried again soon, twice as late each time; what
 * will not pass by itself waits for at least a period. Never shorter than the source asked for, up to a day of it; else never
 * longer than six hours unless the period is.
 *
 * @param failures runs that failed in a row, this one included.
 * @param random from 0 up to 1.
 */
export function pauseAfterFailureMs(
  failure: { todo: FeedError['todo']; retryAfterMs?: number | undefined },
  failures: number,
  everyMs: number,
  random: number,
): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 20);
  const base = {
    retry: Math.min(FIRST_RETRY_MS, everyMs),
    'give-up': everyMs,
    'fix-access': Math.max(REFUSED_PAUSE_MS, everyMs),
  }[failure.todo];
  const pause = Math.min(base * 2 ** doublings, Math.max(LONGEST_PAUSE_MS, everyMs));
  const asked = Math.min(failure.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  const askedWithJitter = asked + Math.min(asked * JITTER, RETRY_AFTER_JITTER_MS) * random;
  return Math.round(Math.max(pause * (1 + JITTER * random), askedWithJitter));
}
