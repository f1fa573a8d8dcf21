/**
 * Whether a snapshot is fresh: its source confirmed it at most `ttlSeconds` ago.
 *
 * @param confirmedAgeMs age of the last confirmation by the database's clock, in milliseconds; null when there is none.
 */
export function isFresh(confirmedAgeMs: number | null, ttlSeconds: number): boolean {
  return confirmedAgeMs !== null && confirmedAgeMs <= ttlSeconds * 1000;
}
