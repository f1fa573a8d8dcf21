import type { ListingTrace, LostPhotos, TracedRejection } from '@passerelle/domain';
import { Pool } from 'pg';
import { joinText, PLACE_IN_SNAPSHOT, versionsByReference } from '../snapshot/version-sql';
import { isReading } from './reading-sql';
import type { RemovalReason } from '../snapshot/snapshot-writer';

/** A published change of a listing; the time is ISO 8601 in UTC. */
export interface PastChange {
  change: 'added' | 'changed' | 'removed';
  at: string;
  reason: RemovalReason | null;
  approved: boolean;
  /** The former `affId`, if the listing came back under this one. */
  replaces: string | null;
}

/** Both listings are JSON; null when there was none, or it is no longer stored. */
export interface ComparedChange extends PastChange {
  after: string | null;
  before: string | null;
}

/** The newest stored version of a listing: the source record, and the listing derived from it. Both are JSON. */
export interface KeptVersion {
  raw: string;
  normalized: string;
}

/** Searches for a listing at every step between the feed and the served snapshot. */
export class ListingTraces {
  constructor(private readonly pool: Pool) {}

  /** Finds where a listing of a gateway is, or last was, by `affId` or `affNum`. */
  async trace(gatewayId: number, id: string): Promise<ListingTrace> {
    const affId = await resolveAffId(this.pool, gatewayId, id);
    const ids = affId === null ? [id] : [id, affId];
    const rejection = await findRejection(this.pool, gatewayId, ids);
    return {
      affId,
      listed: affId === null ? null : await findListed(this.pool, gatewayId, affId),
      change: affId === null ? null : await findChange(this.pool, gatewayId, affId),
      held: affId === null ? null : await findHeld(this.pool, gatewayId, affId),
      replacedBy: affId === null ? null : await findReplacement(this.pool, gatewayId, affId),
      lostPhotos: affId === null ? NO_LOST_PHOTOS : await findLostPhotos(this.pool, gatewayId, affId),
      rejection,
      nameless: affId === null && rejection === null ? await findNameless(this.pool, gatewayId, id) : null,
      lastReading: await findLastReading(this.pool, gatewayId),
    };
  }

  /**
   * Gateways that have or had a listing with this `affId` or `affNum`, or whose newest run rejected it. Gateways that
   * serve the listing come first. PostgreSQL skips from gateway to gateway in the indexes, because a join takes ten
   * times as long.
   */
  async gatewaysWith(id: string, limit: number): Promise<number[]> {
    const { rows } = await this.pool.query<{ id: number }>({
      // Prepare the statement, because planning takes as long as executing it.
      name: 'gateways-with',
      text: `SELECT found.id FROM (
         SELECT c.gateway_id AS id, 0 AS rank FROM current_listing c WHERE c.aff_id = $1
         UNION ALL
         SELECT v.gateway_id, CASE WHEN EXISTS (
           SELECT FROM current_listing c WHERE c.gateway_id = v.gateway_id AND c.aff_id = v.aff_id AND c.version_id = v.id
         ) THEN 0 ELSE 1 END
         FROM listing_version v WHERE v.aff_num = $1
         UNION ALL
         SELECT h.gateway_id, 1 FROM listing_change h WHERE h.aff_id = $1
         UNION ALL
         SELECT r.gateway_id, 2
         FROM (
           SELECT run_id FROM rejection WHERE left(record_id, 100) = left($1, 100) AND record_id = $1 LIMIT ${MOST_REJECTIONS}
         ) j JOIN run r ON r.id = j.run_id
         WHERE ${isReading('r')} AND NOT EXISTS (
           SELECT FROM run n WHERE n.gateway_id = r.gateway_id AND n.id > r.id AND ${isReading('n')})
       ) found
       GROUP BY found.id ORDER BY min(found.rank), found.id LIMIT $2`,
      values: [id, limit],
    });
    return rows.map((row) => row.id);
  }

  /** The last published changes of a listing, newest first. */
  async changes(gatewayId: number, affId: string, limit: number): Promise<PastChange[]> {
    const { rows } = await this.pool.query<PastChange>(
      `SELECT ${PAST_CHANGE} FROM ${PUBLISHED_CHANGE} ${NEWEST_OF_LISTING}`,
      [gatewayId, affId, limit],
    );
    return rows;
  }

  async comparedChanges(gatewayId: number, affId: string, limit: number): Promise<ComparedChange[]> {
    const { rows } = await this.pool.query<ComparedChange>(
      `SELECT ${PAST_CHANGE}, a.body AS after, b.body AS before FROM ${PUBLISHED_CHANGE}
       LEFT ${joinText('listing_normalized', 'a', 'h.version_id')}
       LEFT ${joinText('listing_normalized', 'b', 'h.previous_version_id')}
       ${NEWEST_OF_LISTING}`,
      [gatewayId, affId, limit],
    );
    return rows;
  }

  /** The served version, or the newest stored one; null when no version is stored. */
  async version(gatewayId: number, affId: string): Promise<KeptVersion | null> {
    return first<KeptVersion>(
      this.pool,
      `SELECT r.body AS raw, n.body AS normalized
       FROM listing_change h
       JOIN LATERAL (SELECT coalesce(h.version_id, h.previous_version_id) AS id) v ON true
       ${joinText('listing_raw', 'r', 'v.id')}
       ${joinText('listing_normalized', 'n', 'v.id')}
       LEFT JOIN current_listing c ON c.gateway_id = $1 AND c.aff_id = $2 AND c.version_id = v.id
       WHERE h.gateway_id = $1 AND h.aff_id = $2
       ORDER BY c.version_id IS NULL, h.snapshot_id DESC LIMIT 1`,
      [gatewayId, affId],
    );
  }
}

/** The maximum number of rejections to read, because many runs of many gateways may reject an identifier such as 1. */
const MOST_REJECTIONS = 20_000;

const PAST_CHANGE = `h.kind AS change, to_json(coalesce(s.published_at, h.at)) #>> '{}' AS at, h.reason,
  coalesce(s.approved, false) AS approved, h.replaces`;
const PUBLISHED_CHANGE = 'listing_change h LEFT JOIN snapshot s ON s.gateway_id = $1 AND s.id = h.snapshot_id';
const NEWEST_OF_LISTING = `
  WHERE h.gateway_id = $1 AND h.aff_id = $2 AND (s.id IS NULL OR s.published_at IS NOT NULL)
  ORDER BY h.snapshot_id DESC LIMIT $3`;

const CURRENT_SNAPSHOT = '(SELECT current_snapshot_id FROM gateway WHERE id = $1)';

/** Served listings rank before former ones, and identifiers before references, as in the API. */
async function resolveAffId(pool: Pool, gatewayId: number, id: string): Promise<string | null> {
  return first<{ affId: string }>(
    pool,
    `SELECT aff_id AS "affId" FROM (
       SELECT aff_id, 0 AS rank, 0::bigint AS place FROM current_listing WHERE gateway_id = $1 AND aff_id = $2
       UNION ALL
       SELECT c.aff_id, 1, (
           SELECT ${PLACE_IN_SNAPSHOT} FROM snapshot_chunk s
           WHERE s.gateway_id = $1 AND s.snapshot_id = ${CURRENT_SNAPSHOT} AND s.version_ids @> ARRAY[c.version_id])
       FROM (${versionsByReference(CURRENT_SNAPSHOT, '$2')}) c
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
    `SELECT n.id AS "snapshotId", n.total, ${PLACE_IN_SNAPSHOT} AS position, v.duties,
            CASE WHEN k.aff_id IS NOT NULL THEN to_json(least(k.kept_since, now())) END AS "keptSince"
     FROM current_listing c
     LEFT JOIN kept_listing k ON k.gateway_id = c.gateway_id AND k.aff_id = c.aff_id
     JOIN listing_version v ON v.gateway_id = $1 AND v.id = c.version_id
     JOIN gateway g ON g.id = c.gateway_id
     JOIN snapshot n ON n.gateway_id = $1 AND n.id = g.current_snapshot_id
     JOIN snapshot_chunk s ON s.gateway_id = $1 AND s.snapshot_id = n.id AND s.version_ids @> ARRAY[c.version_id]
     WHERE c.gateway_id = $1 AND c.aff_id = $2`,
    [gatewayId, affId],
  );
}

const NO_LOST_PHOTOS: LostPhotos = { count: 0, examples: [] };
const SHOWN_PHOTOS = 10;

async function findLostPhotos(pool: Pool, gatewayId: number, affId: string): Promise<LostPhotos> {
  const { rows } = await pool.query<LostPhotos['examples'][number]>(
    `SELECT p.name, p.refusal
     FROM current_listing c JOIN listing_photo p ON p.gateway_id = $1 AND p.version_id = c.version_id
     WHERE c.gateway_id = $1 AND c.aff_id = $2 AND p.token IS NULL AND NOT p.elsewhere
     ORDER BY p.position`,
    [gatewayId, affId],
  );
  return { count: rows.length, examples: rows.slice(0, SHOWN_PHOTOS) };
}

/** Finds the newest change. Changes outlive their snapshot; changes of an unpublished snapshot do not count. */
async function findChange(pool: Pool, gatewayId: number, affId: string): Promise<ListingTrace['change']> {
  return first(
    pool,
    `SELECT h.kind, h.run_id AS "runId", h.snapshot_id AS "snapshotId", to_json(coalesce(s.published_at, h.at)) AS at,
            CASE WHEN r.trigger = 'revert' THEN 'revert' ELSE h.reason END AS cause
     FROM listing_change h LEFT JOIN snapshot s ON s.gateway_id = $1 AND s.id = h.snapshot_id
     LEFT JOIN run r ON r.id = h.run_id
     WHERE h.gateway_id = $1 AND h.aff_id = $2 AND (s.id IS NULL OR s.published_at IS NOT NULL)
     ORDER BY h.snapshot_id DESC LIMIT 1`,
    [gatewayId, affId],
  );
}

/** The listing under which the house came back. */
async function findReplacement(pool: Pool, gatewayId: number, affId: string): Promise<string | null> {
  const { rows } = await pool.query<{ replacedBy: string | null }>(
    'SELECT replaced_by AS "replacedBy" FROM former_listing WHERE gateway_id = $1 AND aff_id = $2',
    [gatewayId, affId],
  );
  return rows[0]?.replacedBy ?? null;
}

async function findHeld(pool: Pool, gatewayId: number, affId: string): Promise<ListingTrace['held']> {
  return first(
    pool,
    `SELECT h.kind, r.id AS "runId", to_json(r.ended_at) AS at, r.reason
     FROM run r
     JOIN gateway g ON g.id = r.gateway_id
     JOIN listing_change h ON h.snapshot_id = r.snapshot_id AND h.gateway_id = $1 AND h.aff_id = $2
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

/** The maximum number of records whose excerpts are compared. */
const MOST_NAMELESS = 50;

/** A record without an identifier in the newest reading run, whose excerpt contains the text as a whole word. */
async function findNameless(pool: Pool, gatewayId: number, id: string): Promise<TracedRejection | null> {
  const { rows } = await pool.query<TracedRejection>(
    `SELECT r.id AS "runId", r.state AS "runState", to_json(coalesce(r.ended_at, r.started_at)) AS at, j.position,
            j.record_id AS "recordId", j.field, j.code, j.message, j.excerpt
     FROM (
       SELECT n.* FROM run n WHERE n.gateway_id = $1 AND ${isReading('n')} ORDER BY n.id DESC LIMIT 1
     ) r JOIN rejection j ON j.run_id = r.id
     WHERE j.record_id IS NULL AND position(lower($2) IN lower(j.excerpt)) > 0
     ORDER BY j.position LIMIT ${MOST_NAMELESS}`,
    [gatewayId, id],
  );
  return rows.find(({ excerpt }) => excerpt !== null && hasWord(excerpt.toLowerCase(), id.toLowerCase())) ?? null;
}

function hasWord(text: string, word: string): boolean {
  const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  }
  return false;
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
