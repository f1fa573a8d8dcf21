import type { GuardedListing } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';

/** The protection of a revert: no run may undo it. Times are ISO 8601 in UTC. */
export interface RevertGuard {
  /** The snapshot that the revert published. */
  snapshotId: number;
  since: string;
}

export class RevertGuards {
  constructor(private readonly pool: Pool) {}

  async find(gatewayId: number): Promise<RevertGuard | null> {
    const { rows } = await this.pool.query<RevertGuard>(
      `SELECT snapshot_id AS "snapshotId", to_json(since) AS since FROM revert_guard WHERE gateway_id = $1`,
      [gatewayId],
    );
    return rows[0] ?? null;
  }

  /** Lists the listings that the revert changed, from their history, which is kept for 90 days. */
  async listings(gatewayId: number): Promise<GuardedListing[]> {
    const { rows } = await this.pool.query<GuardedListing>(
      `SELECT h.aff_id AS "affId", h.kind, h.previous_empreinte AS "takenBack"
       FROM revert_guard w JOIN listing_change h ON h.gateway_id = w.gateway_id AND h.snapshot_id = w.snapshot_id
       WHERE w.gateway_id = $1 AND (h.kind <> 'changed' OR h.empreinte IS DISTINCT FROM h.previous_empreinte)`,
      [gatewayId],
    );
    return rows;
  }

  /** Ends the guard of a gateway. @returns false when there was none. */
  async release(gatewayId: number): Promise<boolean> {
    return endGuard(this.pool, gatewayId);
  }
}

/** Call it in the transaction that publishes the revert. Replaces the guard of an earlier revert. */
export async function setGuard(client: PoolClient, gatewayId: number, snapshotId: number): Promise<void> {
  await client.query(
    `INSERT INTO revert_guard (gateway_id, snapshot_id) VALUES ($1, $2)
     ON CONFLICT (gateway_id) DO UPDATE SET snapshot_id = excluded.snapshot_id, since = now()`,
    [gatewayId, snapshotId],
  );
}

/** @returns false when there was no guard. */
export async function endGuard(client: Pick<PoolClient, 'query'>, gatewayId: number): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM revert_guard WHERE gateway_id = $1', [gatewayId]);
  return rowCount === 1;
}
