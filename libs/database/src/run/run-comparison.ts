import type { RunFigures, RunState } from '@passerelle/domain';
import { Pool } from 'pg';

export interface ComparedRun extends RunFigures {
  id: number;
  /** The size of the list that it published or holds; null when it is no longer stored. */
  listings: number | null;
  state: RunState;
  /** ISO 8601 in UTC. */
  endedAt: string | null;
}

/** A listing that a held run would change, with the fields by which a person recognizes it. */
export interface HeldListingSummary {
  kind: 'removed' | 'added' | 'changed';
  affId: string;
  title: string | null;
  place: string | null;
  /** In `currency`. */
  price: number | null;
  /** Per month, in `currency`. */
  rent: number | null;
  /** ISO 4217; null for euros. */
  currency: string | null;
  /** The address of the listing's first photo. */
  photo: string | null;
}

/** SQL: the members of a card, from the JSON of a listing that `cardJoin` joins as `b`. */
const CARD_SQL = `b.body ->> 'intitule' AS title,
  concat_ws(' ', b.body ->> 'codePostal', b.body ->> 'ville') AS place,
  (b.body ->> 'prix')::float8 AS price, (b.body ->> 'loyer')::float8 AS rent, b.body ->> 'prixCurrency' AS currency,
  b.body #>> '{photos,0,url}' AS photo`;

function cardJoin(gatewayId: string, versionId: string): string {
  return `LEFT JOIN LATERAL (SELECT n.body::jsonb AS body FROM listing_normalized n
    WHERE n.gateway_id = ${gatewayId} AND n.version_id = ${versionId} OFFSET 0) b ON true`;
}

/** The listings that would come, go and change. */
export interface RevertPreview {
  counts: Record<HeldListingSummary['kind'], number>;
  cards: HeldListingSummary[];
}

export class RunComparison {
  constructor(private readonly pool: Pool) {}

  /** The previous run of the same gateway that read its feed to the end; null for none. */
  async before(runId: number): Promise<ComparedRun | null> {
    const { rows } = await this.pool.query<ComparedRun>(
      `SELECT b.id, b.state, to_json(b.ended_at) #>> '{}' AS "endedAt", b.fetched_bytes AS "fetchedBytes", b.records,
              b.added, b.changed, b.unchanged, b.removed, b.rejected, b.warnings, s.total AS listings
       FROM run r JOIN run b ON b.gateway_id = r.gateway_id AND b.id < r.id
       LEFT JOIN snapshot s ON s.gateway_id = b.gateway_id AND s.id = b.snapshot_id
       WHERE r.id = $1 AND b.state IN ('published', 'unchanged', 'held', 'discarded') AND NOT b.dry_run
       ORDER BY b.id DESC LIMIT 1`,
      [runId],
    );
    return rows[0] ?? null;
  }

  /** The run whose list the gateway serves now; null for none, or when that run is no longer stored. */
  async served(gatewayId: number): Promise<ComparedRun | null> {
    const { rows } = await this.pool.query<ComparedRun>(
      `SELECT b.id, b.state, to_json(b.ended_at) #>> '{}' AS "endedAt", b.fetched_bytes AS "fetchedBytes", b.records,
              b.added, b.changed, b.unchanged, b.removed, b.rejected, b.warnings, s.total AS listings
       FROM gateway g JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id
       JOIN run b ON b.gateway_id = g.id AND b.id = s.run_id WHERE g.id = $1`,
      [gatewayId],
    );
    return rows[0] ?? null;
  }

  /** The listings of a held list, and since when it is held, however many runs repeat it. */
  async heldList(runId: number): Promise<{ gatewayId: number; listings: number | null; since: string | null } | null> {
    const { rows } = await this.pool.query<{ gatewayId: number; listings: number | null; since: string | null }>(
      `SELECT r.gateway_id AS "gatewayId", s.total AS listings, to_json(coalesce(r.held_since, r.ended_at)) #>> '{}' AS since
       FROM run r LEFT JOIN snapshot s ON s.gateway_id = r.gateway_id AND s.id = r.snapshot_id
       WHERE r.id = $1 AND r.state = 'held' AND NOT r.dry_run`,
      [runId],
    );
    return rows[0] ?? null;
  }

  /** @param limit the maximum of all kinds together */
  async heldIds(runId: number, limit: number): Promise<{ kind: HeldListingSummary['kind']; ids: string[] }[]> {
    const { rows } = await this.pool.query<{ kind: HeldListingSummary['kind']; ids: string[] }>(
      `SELECT kind, array_agg(aff_id) AS ids FROM (
         SELECT h.kind, h.aff_id FROM run r JOIN listing_change h ON h.gateway_id = r.gateway_id AND h.snapshot_id = r.snapshot_id
         WHERE r.id = $1 AND r.state = 'held' LIMIT $2
       ) c GROUP BY kind ORDER BY array_position(ARRAY['removed', 'added', 'changed'], kind)`,
      [runId, limit],
    );
    return rows;
  }

  /** The listings that a held run would change. @param limit the maximum per kind */
  async heldCards(runId: number, limit: number): Promise<HeldListingSummary[]> {
    const { rows } = await this.pool.query<HeldListingSummary>(
      `SELECT c.kind, c.aff_id AS "affId", ${CARD_SQL}
       FROM (
         SELECT h.kind, h.aff_id, h.gateway_id, coalesce(h.version_id, h.previous_version_id) AS version_id,
                row_number() OVER (PARTITION BY h.kind ORDER BY h.aff_id) AS place
         FROM run r JOIN listing_change h ON h.gateway_id = r.gateway_id AND h.snapshot_id = r.snapshot_id
         WHERE r.id = $1 AND r.state = 'held'
       ) c
       ${cardJoin('c.gateway_id', 'c.version_id')}
       WHERE c.place <= $2 ORDER BY c.kind, c.place`,
      [runId, limit],
    );
    return rows;
  }

  /** The changes of going back from the served snapshot to this one. @param limit the most cards of each kind */
  async revertPreview(gatewayId: number, snapshotId: number, limit: number): Promise<RevertPreview> {
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
}
