/** A stored time further ahead of the database's clock was written by a clock that was set back since. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** A confirmation in the future proves nothing. @param confirmedAgeMs by the database's clock; null for none */
export function isFresh(confirmedAgeMs: number | null, ttlSeconds: number): boolean {
  return confirmedAgeMs !== null && confirmedAgeMs >= -CLOCK_TOLERANCE_MS && confirmedAgeMs <= ttlSeconds * 1000;
}
