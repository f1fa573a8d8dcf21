import type { RunTrigger } from '@passerelle/domain';
import { Pool } from 'pg';
import { snapshotJson, type PublishedSnapshot } from '../gateway/served-gateways';

/** A published snapshot whose token is still known. */
export interface KeptSnapshot extends PublishedSnapshot {
  /** Whether the snapshot's listings can still be read; if not, only its changes can. */
  isReadable: boolean;
}

/** A snapshot that is kept, with the run that published it. Times are ISO 8601 in UTC. */
export interface ListedSnapshot {
  id: number;
  token: string;
  total: number;
  publishedAt: string;
  /** When the source last confirmed the snapshot; null for never. */
  confirmedAt: string | null;
  approved: boolean;
  isCurrent: boolean;
  runId: number;
  /** Null when the run has been deleted, together with its counts. */
  trigger: RunTrigger | null;
  added: number | null;
  changed: number | null;
  removed: number | null;
}

/** The form of a token. Any other text was never issued, and PostgreSQL may even reject it as text. */
const TOKEN = /^[A-Za-z0-9_-]{1,32}$/;

export class KeptSnapshots {
  constructor(private readonly pool: Pool) {}

  /** Lists snapshots whose listings can be read, newest first. */
  async list(gatewayId: number): Promise<ListedSnapshot[]> {
    const { rows } = await this.pool.query<ListedSnapshot>(
      `SELECT s.id, s.token, s.total, to_json(s.published_at) AS "publishedAt",
              to_json(CASE WHEN s.id = g.current_snapshot_id THEN g.confirmed_at ELSE s.confirmed_at END) AS "confirmedAt",
              s.approved, s.id = g.current_snapshot_id AS "isCurrent", s.run_id AS "runId",
              r.trigger, r.added, r.changed, r.removed
       FROM snapshot s JOIN gateway g ON g.id = s.gateway_id LEFT JOIN run r ON r.id = s.run_id
       WHERE s.gateway_id = $1 AND s.pruned_at IS NULL AND s.published_at IS NOT NULL ORDER BY s.id DESC`,
      [gatewayId],
    );
    return rows;
  }

  /** @returns null for a token that was never issued for this gateway, or has been deleted. */
  async find(gatewayId: number, token: string): Promise<KeptSnapshot | null> {
    if (!TOKEN.test(token)) return null;
    const { rows } = await this.pool.query<{ snapshot: PublishedSnapshot; isReadable: boolean }>({
      name: 'kept-snapshot',
      text: `SELECT ${snapshotJson('s')} AS snapshot, s.pruned_at IS NULL AS "isReadable"
             FROM snapshot s WHERE s.gateway_id = $1 AND s.token = $2 AND s.published_at IS NOT NULL`,
      values: [gatewayId, token],
    });
    const row = rows[0];
    return row === undefined ? null : { ...row.snapshot, isReadable: row.isReadable };
  }
}
