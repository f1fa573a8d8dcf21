const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between the ten tries of a message: a little more than three days in all. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
  31.5 * HOUR_MS,
] as const;

/** How often a message is sent at most. */
export const WEBHOOK_TRIES = PAUSES_MS.length + 1;
/** An endpoint that has answered nothing else than failures for so long is disabled. */
export const WEBHOOK_FAILING_MS = 72 * HOUR_MS;
/** Longer than this nobody is obeyed who asks for a pause. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;
/** Waits are only made longer, so that ten tries never take less than three days. */
const JITTER = 0.1;

/**
 * How long an endpoint is left alone after a failure, in ms.
 *
 * @param failures in a row, with this one.
 * @param askedMs what its `Retry-After` asks for; a day is obeyed, and no more.
 * @param random from 0 to 1.
 */
export function pauseBeforeRetryMs(failures: number, askedMs: number | null, random: number): number {
  const place = Math.min(Math.max(failures, 1), PAUSES_MS.length) - 1;
  const pauseMs = (PAUSES_MS[place] ?? 0) * (1 + JITTER * random);
  return Math.max(pauseMs, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
