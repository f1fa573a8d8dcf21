import type { RejectionCode, RunState } from '@passerelle/domain';
import type { Pool } from 'pg';
import { CHUNK_SIZE } from '../snapshot/chunk';

/** Everything that is known of where one listing of a gateway is. Times are ISO 8601 in UTC. */
export interface ListingTrace {
  /** Null when no listing of that identifier or reference was ever built. */
  affId: string | null;
  /** Its place in the snapshot that is served; null when it is not in it. */
  listed: { snapshotId: number; position: number; total: number } | null;
  /** The last change that was published. */
  change: { kind: 'added' | 'changed' | 'removed'; runId: number; snapshotId: number; at: string } | null;
  /** What the gateway's waiting held run would do to it; null when it would do nothing, or none waits. */
  held: { kind: 'added' | 'changed' | 'removed'; runId: number; at: string; reason: string | null } | null;
  /** The last time that a record of it was refused. */
  rejection: TracedRejection | null;
  /** The last run that read records. */
  lastReading: { runId: number; at: string } | null;
}

export interface TracedRejection {
  runId: number;
  runState: RunState;
  at: string;
  position: number;
  recordId: string | null;
  field: string | null;
  code: RejectionCode;
  message: string;
  excerpt: string | null;
}

/** Looks for a listing by `affId` or `affNum` at every step between the feed and the served snapshot. */
export async function traceListing(pool: Pool, gatewayId: number, id: string): Promise<ListingTrace> {
  const affId = await resolveAffId(pool, gatewayId, id);
  const ids = affId === null ? [id] : [id, affId];
  return {
    affId,
    listed: affId === null ? null : await findListed(pool, gatewayId, affId),
    change: affId === null ? null : await findChange(pool, gatewayId, affId),
    held: affId === null ? null : await findHeld(pool, gatewayId, affId),
    rejection: await findRejection(pool, gatewayId, ids),
    lastReading: await findLastReading(pool, gatewayId),
  };
}

/** What is served comes before what was, and an identifier before a reference: as in the API. */
async function resolveAffId(pool: Pool, gatewayId: number, id: string): Promise<string | null> {
  return first<{ affId: string }>(
    pool,
    `SELECT "affId" FROM (
       SELECT aff_id AS "affId", 0 AS rank, 0::bigint AS place FROM current_listing WHERE gateway_id = $1 AND aff_id = $2
       UNION ALL
       SELECT c.aff_id, 1, (
           SELECT s.chunk * ${CHUNK_SIZE} + array_position(s.version_ids, c.version_id)
           FROM gateway g JOIN snapshot_chunk s ON s.snapshot_id = g.current_snapshot_id
           WHERE g.id = $1 AND s.version_ids @> ARRAY[c.version_id])
       FROM listing_version v
       JOIN current_listing c ON c.gateway_id = $1 AND c.aff_id = v.aff_id AND c.version_id = v.id
       WHERE v.gateway_id = $1 AND v.aff_num = $2
       UNION ALL
       (SELECT aff_id, 2, 0 FROM listing_change WHERE gateway_id = $1 AND aff_id = $2 LIMIT 1)
       UNION ALL
       SELECT aff_id, 3, -id FROM listing_version WHERE gateway_id = $1 AND aff_num = $2
     ) known
     ORDER BY rank, place LIMIT 1`,
    [gatewayId, id],
  ).then((row) => row?.affId ?? null);
}

async function findListed(pool: Pool, gatewayId: number, affId: string): Promise<ListingTrace['listed']> {
  return first(
    pool,
    `SELECT n.id AS "snapshotId", n.total, s.chunk * ${CHUNK_SIZE} + array_position(s.version_ids, c.version_id) AS position
     FROM current_listing c
     JOIN gateway g ON g.id = c.gateway_id
     JOIN snapshot n ON n.id = g.current_snapshot_id
     JOIN snapshot_chunk s ON s.snapshot_id = n.id AND s.version_ids @> ARRAY[c.version_id]
     WHERE c.gateway_id = $1 AND c.aff_id = $2`,
    [gatewayId, affId],
  );
}

/** Changes outlive their snapshot; those of a snapshot that was not published have not happened. */
async function findChange(pool: Pool, gatewayId: number, affId: string): Promise<ListingTrace['change']> {
  return first(
    pool,
    `SELECT h.kind, h.run_id AS "runId", h.snapshot_id AS "snapshotId", to_json(coalesce(s.published_at, h.at)) AS at
     FROM listing_change h LEFT JOIN snapshot s ON s.id = h.snapshot_id
     WHERE h.gateway_id = $1 AND h.aff_id = $2 AND (s.id IS NULL OR s.published_at IS NOT NULL)
     ORDER BY h.snapshot_id DESC LIMIT 1`,
    [gatewayId, affId],
  );
}

async function findHeld(pool: Pool, gatewayId: number, affId: string): Promise<ListingTrace['held']> {
  return first(
    pool,
    `SELECT h.kind, r.id AS "runId", to_json(r.ended_at) AS at, r.reason
     FROM run r
     JOIN gateway g ON g.id = r.gateway_id
     JOIN listing_change h ON h.snapshot_id = r.snapshot_id AND h.gateway_id = r.gateway_id AND h.aff_id = $2
     WHERE r.gateway_id = $1 AND r.state = 'held' AND NOT r.dry_run
       AND r.base_snapshot_id IS NOT DISTINCT FROM g.current_snapshot_id
     ORDER BY r.id DESC LIMIT 1`,
    [gatewayId, affId],
  );
}

async function findRejection(pool: Pool, gatewayId: number, ids: string[]): Promise<TracedRejection | null> {
  return first(
    pool,
    `SELECT r.id AS "runId", r.state AS "runState", to_json(coalesce(r.ended_at, r.started_at)) AS at, j.position,
            j.record_id AS "recordId", j.field, j.code, j.message, j.excerpt
     FROM run r JOIN rejection j ON j.run_id = r.id
     WHERE r.gateway_id = $1 AND NOT r.dry_run AND j.record_id = ANY ($2::text[])
     ORDER BY r.id DESC, j.position DESC LIMIT 1`,
    [gatewayId, ids],
  );
}

async function findLastReading(pool: Pool, gatewayId: number): Promise<ListingTrace['lastReading']> {
  return first(
    pool,
    `SELECT id AS "runId", to_json(ended_at) AS at FROM run
     WHERE gateway_id = $1 AND NOT dry_run AND records > 0 AND ended_at IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    [gatewayId],
  );
}

async function first<T extends object>(pool: Pool, sql: string, parameters: unknown[]): Promise<T | null> {
  const { rows } = await pool.query<T>(sql, parameters);
  return rows[0] ?? null;
}
