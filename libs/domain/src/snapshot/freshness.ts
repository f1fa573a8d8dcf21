/** A stored time further in the future than this comes from a clock that was later set back. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** A snapshot confirmed in the future is not fresh. @param confirmedAgeMs by the database's clock; null for none */
export function isFresh(confirmedAgeMs: number | null, ttlSeconds: number): boolean {
  return confirmedAgeMs !== null && confirmedAgeMs >= -CLOCK_TOLERANCE_MS && confirmedAgeMs <= ttlSeconds * 1000;
}
