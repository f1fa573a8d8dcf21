import type { Pool } from 'pg';

export interface HistoryOptions {
  /** Runs with their rejections and warnings, and the changes of listings, are kept so long. */
  keepDays: number;
}

/**
 * Forgets runs, rejections, warnings and listing changes that are older than they are kept. What a current or held
 * snapshot came from stays. Reports are not history of ours: they stay.
 *
 * @returns how many runs were forgotten.
 */
export async function pruneHistory(pool: Pool, { keepDays }: HistoryOptions): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM run r
     WHERE r.ended_at < now() - make_interval(days => $1) AND r.state <> 'held'
       AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.run_id = r.id)`,
    [keepDays],
  );
  // A change whose previous version is still stored is what will let that version be pruned.
  await pool.query(
    `DELETE FROM listing_change h
     WHERE h.at < now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.id = h.snapshot_id)
       AND NOT EXISTS (SELECT 1 FROM listing_version v WHERE v.id = h.previous_version_id)`,
    [keepDays],
  );
  return rowCount ?? 0;
}
