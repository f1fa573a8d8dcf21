import type { RunTrigger } from '@passerelle/domain';
import { Pool } from 'pg';
import { CARD_SQL, cardJoin, type HeldListingSummary } from '../run/run-comparison';
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

/** The listings that would come, go and change. */
export interface RevertPreview {
  counts: Record<HeldListingSummary['kind'], number>;
  cards: HeldListingSummary[];
}

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

  /** The changes of going back from the served snapshot to this one. @param limit the most cards of each kind */
  async preview(gatewayId: number, snapshotId: number, limit: number): Promise<RevertPreview> {
    const { rows } = await this.pool.query<HeldListingSummary & { count: number }>(
      `WITH target AS (
         SELECT v.id, v.aff_id, v.content_hash
         FROM snapshot_chunk c CROSS JOIN LATERAL unnest(c.version_ids) AS u (version_id)
         JOIN listing_version v ON v.gateway_id = $1 AND v.id = u.version_id
         WHERE c.gateway_id = $1 AND c.snapshot_id = $2
       ), served AS (
         SELECT v.id, v.aff_id, v.content_hash
         FROM current_listing c JOIN listing_version v ON v.gateway_id = $1 AND v.id = c.version_id
         WHERE c.gateway_id = $1
       ), difference AS (
         SELECT aff_id, coalesce(t.id, s.id) AS version_id,
                CASE WHEN s.id IS NULL THEN 'added' WHEN t.id IS NULL THEN 'removed' ELSE 'changed' END AS kind
         FROM target t FULL JOIN served s USING (aff_id) WHERE t.content_hash IS DISTINCT FROM s.content_hash
       ), placed AS (
         SELECT d.*, row_number() OVER (PARTITION BY kind ORDER BY aff_id) AS place,
                count(*) OVER (PARTITION BY kind)::integer AS count
         FROM difference d
       )
       SELECT p.kind, p.aff_id AS "affId", p.count, ${CARD_SQL}
       FROM placed p ${cardJoin('$1', 'p.version_id')}
       WHERE p.place <= $3 ORDER BY p.kind, p.place`,
      [gatewayId, snapshotId, limit],
    );
    const counts = { added: 0, changed: 0, removed: 0 };
    const cards = rows.map(({ count, ...card }) => {
      counts[card.kind] = count;
      return card;
    });
    return { counts, cards };
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
