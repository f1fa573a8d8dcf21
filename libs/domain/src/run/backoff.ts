import type { FeedError } from '../errors/feed-errors';

const FIRST_RETRY_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** A source that refuses us is not requested again before a person has had time to act. */
const REFUSED_PAUSE_MS = 3_600_000;
/** After this time the next request follows, even if the source requested a longer wait. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;
/** Spreads requests, because a source may give many gateways the same retry time, such as midnight. */
const RETRY_AFTER_JITTER_MS = 10 * 60_000;

/**
 * Each failure doubles the wait, up to six hours or, if longer, one period. A permanent failure waits at least one
 * period. A wait that the source requested counts up to a day.
 * @param failures consecutive failed runs, including this one. @param random from 0 up to 1.
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
