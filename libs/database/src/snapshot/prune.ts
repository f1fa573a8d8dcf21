import { RETENTION } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../transaction';
import { dropSnapshot } from './snapshot-writer';

/** Keeps tokens and changes: sites request changes since pruned snapshots. The cost depends on removed listings. */
export async function pruneSnapshots(pool: Pool, gatewayId: number): Promise<number> {
  const { leftovers, expired } = await findPrunable(pool, gatewayId);
  for (const id of leftovers) await dropSnapshot(pool, gatewayId, id);
  if (expired.length === 0) return 0;
  return inTransaction(pool, async (client) => {
    if (await isRevertWaiting(client, gatewayId, expired)) return 0;
    // Once the snapshot of a change is the oldest kept one, no kept snapshot has the version that the change replaced.
    await client.query(
      `DELETE FROM listing_version v USING listing_change h
       WHERE h.gateway_id = $2 AND h.snapshot_id = ANY ($1::bigint[]) AND v.gateway_id = $2 AND v.id = h.previous_version_id`,
      [expired.map(({ replacedBy }) => replacedBy), gatewayId],
    );
    const ids = expired.map(({ id }) => id);
    const which = [ids, gatewayId];
    await client.query('DELETE FROM snapshot_chunk WHERE gateway_id = $2 AND snapshot_id = ANY ($1::bigint[])', which);
    await client.query(
      `UPDATE snapshot SET pruned_at = now() WHERE gateway_id = $2 AND id = ANY ($1::bigint[])`,
      which,
    );
    return ids.length;
  });
}

/** Locks the snapshots: either this query sees a waiting revert, or the revert's request finds a pruned snapshot. */
async function isRevertWaiting(
  client: PoolClient,
  gatewayId: number,
  expired: readonly { id: number }[],
): Promise<boolean> {
  await client.query('SELECT 1 FROM snapshot WHERE gateway_id = $2 AND id = ANY ($1::bigint[]) FOR UPDATE', [
    expired.map(({ id }) => id),
    gatewayId,
  ]);
  const { rowCount } = await client.query(
    `SELECT 1 FROM run WHERE gateway_id = $1 AND state IN ('queued', 'running') AND revert_to IS NOT NULL LIMIT 1`,
    [gatewayId],
  );
  return rowCount !== 0;
}

interface Prunable {
  /** Unpublished snapshots of ended runs, except held ones. */
  leftovers: number[];
  expired: { id: number; replacedBy: number }[];
}

/** This query must be cheap: every run calls it, and most runs find nothing. */
async function findPrunable(pool: Pool, gatewayId: number): Promise<Prunable> {
  const { rows } = await pool.query<{ id: number; replacedBy: number | null }>({
    name: 'prunable-snapshots',
    text: `
      SELECT id, "replacedBy" FROM (
        SELECT id, row_number() OVER (ORDER BY id DESC) AS depth,
               lead(published_at) OVER (ORDER BY id) AS replaced_at, lead(id) OVER (ORDER BY id) AS "replacedBy"
        FROM snapshot WHERE gateway_id = $1 AND pruned_at IS NULL AND published_at IS NOT NULL
      ) s
      WHERE depth > $2 AND replaced_at < now() - make_interval(hours => $3)
      UNION ALL
      SELECT s.id, NULL FROM snapshot s LEFT JOIN run r ON r.id = s.run_id
      WHERE s.gateway_id = $1 AND s.pruned_at IS NULL AND s.published_at IS NULL
        AND (r.id IS NULL OR r.state NOT IN ('queued', 'running', 'held'))`,
    values: [gatewayId, RETENTION.snapshots.count, RETENTION.snapshots.hours],
  });
  return {
    leftovers: rows.flatMap(({ id, replacedBy }) => (replacedBy === null ? [id] : [])),
    expired: rows.flatMap(({ id, replacedBy }) => (replacedBy === null ? [] : [{ id, replacedBy }])),
  };
}
