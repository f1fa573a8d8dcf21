/**
 * How far ahead of the database's clock a stored time may be, in milliseconds. A later time was written by a clock that
 * was set back since.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether a snapshot is fresh: its source confirmed it at most `ttlSeconds` ago. A confirmation in the future proves
 * nothing.
 * @param confirmedAgeMs age of the last confirmation by the database's clock, in milliseconds; null for no
 * confirmation.
 */
export function isFresh(confirmedAgeMs: number | null, ttlSeconds: number): boolean {
  return confirmedAgeMs !== null && confirmedAgeMs >= -CLOCK_TOLERANCE_MS && confirmedAgeMs <= ttlSeconds * 1000;
}
