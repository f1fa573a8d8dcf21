import type { Pool } from 'pg';
import { inTransaction } from '../transaction';
import { dropSnapshot } from './snapshot-writer';

export interface PruneOptions {
  /** A snapshot is kept at least this long after another took its place. */
  keepSeconds: number;
  /** At least so many published snapshots are kept. */
  keepCount: number;
}

const PRUNE_DEFAULTS: Readonly<PruneOptions> = { keepSeconds: 2 * 3600, keepCount: 2 };

/** What the two deepest kept snapshots of a gateway still need is kept; the rest of its past goes. */
export async function pruneSnapshots(pool: Pool, gatewayId: number, options = PRUNE_DEFAULTS): Promise<number> {
  await dropLeftovers(pool, gatewayId);
  return inTransaction(pool, async (client) => {
    const { rows: expired } = await client.query<{ id: number }>(
      `SELECT id FROM (
         SELECT id, row_number() OVER (ORDER BY id DESC) AS depth, lead(published_at) OVER (ORDER BY id) AS replaced_at
         FROM snapshot WHERE gateway_id = $1 AND published_at IS NOT NULL
       ) s
       WHERE depth > $2 AND replaced_at < now() - make_interval(secs => $3)`,
      [gatewayId, options.keepCount, options.keepSeconds],
    );
    if (expired.length === 0) return 0;
    const ids = expired.map(({ id }) => id);
    // A version leaves at the snapshot whose change names it as the previous one. Once every snapshot before that one is
    // gone, nothing can reach it any more. The changes themselves stay as the listing's history.
    await client.query(
      `DELETE FROM listing_version v USING listing_change h
       WHERE h.gateway_id = $1 AND v.id = h.previous_version_id
         AND h.snapshot_id <= (
           SELECT min(id) FROM snapshot
           WHERE gateway_id = $1 AND published_at IS NOT NULL AND id <> ALL ($2::bigint[]))
         AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.id = h.snapshot_id AND s.published_at IS NULL)`,
      [gatewayId, ids],
    );
    await client.query('DELETE FROM snapshot WHERE id = ANY ($1::bigint[])', [ids]);
    return ids.length;
  });
}

/** Snapshots that were begun by runs which are over and hold nothing back. */
async function dropLeftovers(pool: Pool, gatewayId: number): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT s.id FROM snapshot s LEFT JOIN run r ON r.id = s.run_id
     WHERE s.gateway_id = $1 AND s.published_at IS NULL
       AND (r.id IS NULL OR r.state NOT IN ('queued', 'running', 'held'))`,
    [gatewayId],
  );
  for (const { id } of rows) await dropSnapshot(pool, id);
}
