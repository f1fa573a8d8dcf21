import type { KnownPublication, PublicationReason, PublicationRow, PublicationState } from '@passerelle/domain';
import { Pool } from 'pg';
import { EVENTS_OF_DUE } from '../outbox/feed-events';
import { EXPORT_NOW } from '../outbox/export-queue';

/** The delivery that permits an export to write. */
export interface ExportFence {
  id: number;
  fence: number;
  gatewayId: number;
  placementId: number;
}

/** Another process has taken the export over. */
export class ExportTakenOver extends Error {
  override readonly name = 'ExportTakenOver';
}

/** A publication as operators and sites see it. Times are ISO 8601 in UTC. */
export interface ListedPublication {
  crm: string;
  client: string;
  placement: number;
  target: string;
  affId: string;
  affNum: string | null;
  advertId: string;
  state: PublicationState;
  since: string;
  reasonCode: PublicationReason | null;
  reason: string | null;
  url: string | null;
  portalId: string | null;
  tries: number;
  sentAt: string | null;
  isWithdrawn: boolean;
  /** Whether its removal waits for an operator, or was approved. */
  removal: 'held' | 'approved' | null;
}

export interface PublicationFilter {
  gatewayId?: number;
  placement?: number;
  target?: string;
  affId?: string;
  state?: PublicationState;
  reason?: PublicationReason;
  /** ISO 8601: only publications whose state has changed since then. */
  since?: string;
  /** The advert's address at the portal, exactly. */
  url?: string;
  affIds?: readonly string[];
}

const ROWS = `json_to_recordset($3::json) AS r ("affId" text, "advertId" text, state text, hash text, "versionId" bigint, "portalId" text,
  intent text, "intentHash" text, "reasonCode" text, reason text, url text, tries integer, "sentAtMs" float8, "askedAtMs" float8, tells boolean)`;

/** SQL: whether the delivery still belongs to the export that writes. */
const IS_OURS = `EXISTS (SELECT FROM outbox WHERE id = $4 AND fence = $5 AND state = 'pending'
  AND ($6::float8 IS NULL OR taken_until > now() + make_interval(secs => $6 / 1000)) FOR SHARE)`;
const AT_ONCE = 1_000;

const FILTERED = `FROM publication u JOIN placement p ON p.id = u.placement_id JOIN gateway g ON g.id = u.gateway_id
  WHERE ($1::integer IS NULL OR u.gateway_id = $1) AND ($2::bigint IS NULL OR u.placement_id = $2)
    AND ($3::text IS NULL OR p.target = $3) AND ($4::text IS NULL OR u.aff_id = $4) AND ($5::text IS NULL OR u.state = $5)
    AND ($6::text IS NULL OR u.reason_code = $6) AND ($7::timestamptz IS NULL OR u.since >= $7) AND ($8::text IS NULL OR u.url = $8)
    AND ($9::text[] IS NULL OR u.aff_id = ANY ($9))`;

export class Publications {
  constructor(private readonly pool: Pool) {}

  async ofPlacement({ gatewayId, placementId }: ExportFence): Promise<Map<string, KnownPublication>> {
    const { rows } = await this.pool.query<KnownPublication>(
      `SELECT aff_id AS "affId", advert_id AS "advertId", state, hash, version_id AS "versionId", portal_id AS "portalId", intent,
         intent_hash AS "intentHash", reason_code AS "reasonCode", reason, url, tries, is_withdrawn AS "isWithdrawn", removal,
         round(extract(epoch FROM doubt_at) * 1000)::float8 AS "doubtAtMs", extract(epoch FROM sent_at)::float8 * 1000 AS "sentAtMs", extract(epoch FROM asked_at)::float8 * 1000 AS "askedAtMs"
       FROM publication WHERE gateway_id = $1 AND placement_id = $2`,
      [gatewayId, placementId],
    );
    return new Map(rows.map((row) => [row.affId, row]));
  }

  /**
   * Writes rows as they are now, in one transaction for each thousand. @param told those about whose new state sites with
   * webhooks get a message @param leaseMs how long no other process may take the export over; null for any time
   * @throws ExportTakenOver
   */
  async save(
    fence: ExportFence,
    rows: readonly PublicationRow[],
    told: ReadonlySet<string> = new Set(),
    leaseMs: number | null = null,
  ): Promise<void> {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      const { rows: saved } = await this.pool.query<{ count: number }>({
        name: 'save-publications',
        text: `
          WITH rows AS MATERIALIZED (SELECT * FROM ${ROWS}), saved AS (
            INSERT INTO publication (gateway_id, placement_id, aff_id, advert_id, state, hash, version_id, portal_id, intent, intent_hash,
              reason_code, reason, url, tries, sent_at, asked_at)
            SELECT $1::integer, $2::bigint, r."affId", r."advertId", r.state, r.hash, r."versionId", r."portalId", r.intent, r."intentHash",
              r."reasonCode", r.reason, r.url, r.tries, to_timestamp(r."sentAtMs" / 1000), to_timestamp(r."askedAtMs" / 1000)
            FROM rows r WHERE ${IS_OURS}
            ON CONFLICT (gateway_id, placement_id, aff_id) DO UPDATE SET
              state = excluded.state, hash = excluded.hash, version_id = excluded.version_id, portal_id = excluded.portal_id,
              intent = excluded.intent, intent_hash = excluded.intent_hash, reason_code = excluded.reason_code, reason = excluded.reason,
              url = excluded.url, tries = excluded.tries, sent_at = excluded.sent_at, asked_at = excluded.asked_at,
              removal = CASE WHEN excluded.state = 'removed' THEN NULL ELSE publication.removal END,
              since = CASE WHEN publication.state = excluded.state THEN publication.since ELSE now() END
            RETURNING aff_id
          ), due AS (
            SELECT g.id AS gateway_id, 'publication.' || r.state AS type, json_build_object('crm', g.crm, 'client', g.client,
              'placement', p.id, 'target', p.target, 'affId', r."affId", 'state', r.state, 'url', r.url, 'reason', r.reason) AS data
            FROM rows r JOIN saved s ON s.aff_id = r."affId" JOIN placement p ON p.id = $2 JOIN gateway g ON g.id = $1
            WHERE r.tells AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.gateway_id = g.id)
          ), ${EVENTS_OF_DUE}
          SELECT (SELECT count(*)::integer FROM saved) AS count, EXISTS (SELECT FROM told_ingestors) AS "isTold"`,
        values: [
          ...[fence.gatewayId, fence.placementId],
          ...[JSON.stringify(some.map((row) => ({ ...row, tells: told.has(row.affId) }))), fence.id, fence.fence],
          leaseMs,
        ],
      });
      if (saved[0]?.count !== some.length) throw new ExportTakenOver('another process has taken this export over');
    }
  }

  /**
   * Notes a request that was sent after another process had taken the export over, so that the next export repairs the
   * portal. It changes nothing while the export is still ours. @param ageMs makes the doubt due immediately
   */
  async noteLate({ id, fence, gatewayId, placementId }: ExportFence, affId: string, ageMs: number): Promise<void> {
    await this.pool.query(
      `WITH late AS (
         UPDATE publication SET doubt_at = date_trunc('milliseconds', now() - make_interval(secs => $7::float8 / 1000))
         WHERE gateway_id = $3 AND placement_id = $1 AND aff_id = $4
           AND NOT EXISTS (SELECT FROM outbox WHERE id = $5 AND fence = $6 AND state = 'pending')
       ), ${EXPORT_NOW}
       SELECT FROM added`,
      [placementId, null, gatewayId, affId, id, fence, ageMs],
    );
  }

  /** Notes adverts about which another process has left an open request. */
  async doubt({ gatewayId, placementId }: ExportFence, affIds: readonly string[]): Promise<void> {
    if (affIds.length === 0) return;
    await this.pool.query(
      `UPDATE publication SET doubt_at = date_trunc('milliseconds', now())
       WHERE gateway_id = $1 AND placement_id = $2 AND aff_id = ANY ($3::text[])`,
      [gatewayId, placementId, affIds],
    );
  }

  /** Ends doubts, but no later ones about the same adverts. */
  async endDoubts(
    { gatewayId, placementId }: ExportFence,
    doubts: readonly { affId: string; doubtAtMs: number }[],
  ): Promise<void> {
    if (doubts.length === 0) return;
    await this.pool.query(
      `UPDATE publication u SET doubt_at = NULL FROM unnest($3::text[], $4::float8[]) AS t (aff_id, at)
       WHERE u.gateway_id = $1 AND u.placement_id = $2 AND u.aff_id = t.aff_id AND u.doubt_at = to_timestamp(t.at / 1000)`,
      [gatewayId, placementId, doubts.map(({ affId }) => affId), doubts.map(({ doubtAtMs }) => doubtAtMs)],
    );
  }

  /** Deletes rows of listings that were never sent and have left the list. */
  async forget({ gatewayId, placementId }: ExportFence, affIds: readonly string[]): Promise<void> {
    if (affIds.length === 0) return;
    await this.pool.query(
      `DELETE FROM publication WHERE gateway_id = $1 AND placement_id = $2 AND aff_id = ANY ($3::text[])
         AND state = 'waiting' AND portal_id IS NULL AND intent IS NULL`,
      [gatewayId, placementId, affIds],
    );
  }

  /** Marks the adverts whose removal waits for an operator, and no others. Approved removals stay approved. */
  async hold({ gatewayId, placementId }: ExportFence, affIds: readonly string[]): Promise<void> {
    await this.pool.query(
      `UPDATE publication SET removal = CASE WHEN aff_id = ANY ($3::text[]) THEN 'held' END
       WHERE gateway_id = $1 AND placement_id = $2 AND removal IS DISTINCT FROM 'approved'
         AND (removal = 'held') IS DISTINCT FROM (aff_id = ANY ($3::text[]))`,
      [gatewayId, placementId, affIds],
    );
  }

  /** Takes back the approval to remove adverts whose listings are back. */
  async keep({ gatewayId, placementId }: ExportFence, affIds: readonly string[]): Promise<void> {
    if (affIds.length === 0) return;
    await this.pool.query(
      `UPDATE publication SET removal = NULL WHERE gateway_id = $1 AND placement_id = $2 AND aff_id = ANY ($3::text[])`,
      [gatewayId, placementId, affIds],
    );
  }

  /** Newest changes first. */
  async list(filter: PublicationFilter, offset: number, limit: number): Promise<ListedPublication[]> {
    const { rows } = await this.pool.query<ListedPublication>(
      `SELECT g.crm, g.client, u.placement_id AS placement, p.target, u.aff_id AS "affId", v.aff_num AS "affNum", u.advert_id AS "advertId",
         u.state, to_json(u.since AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS since, u.reason_code AS "reasonCode", u.reason, u.url,
         u.portal_id AS "portalId", u.tries, to_json(u.sent_at AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS "sentAt", u.is_withdrawn AS "isWithdrawn", u.removal
       FROM (SELECT u.*, p.target ${FILTERED} ORDER BY u.since DESC, u.placement_id, u.aff_id COLLATE "C" OFFSET $10 LIMIT $11) u
       JOIN placement p ON p.id = u.placement_id JOIN gateway g ON g.id = u.gateway_id
       LEFT JOIN listing_version v ON v.gateway_id = u.gateway_id AND v.id = u.version_id
       ORDER BY u.since DESC, u.placement_id, u.aff_id COLLATE "C"`,
      [...filterValues(filter), offset, limit],
    );
    return rows;
  }

  /** Listings with a publication that the filter takes, by `affId`, and how many there are in all. */
  async listings(
    filter: PublicationFilter,
    offset: number,
    limit: number,
  ): Promise<{ affIds: string[]; total: number }> {
    const { rows } = await this.pool.query<{ affId: string; total: number }>(
      `SELECT u.aff_id AS "affId", count(*) OVER ()::integer AS total ${FILTERED}
       GROUP BY u.aff_id ORDER BY u.aff_id COLLATE "C" OFFSET $10 LIMIT $11`,
      [...filterValues(filter), offset, limit],
    );
    return { affIds: rows.map(({ affId }) => affId), total: rows[0]?.total ?? 0 };
  }

  async count(filter: PublicationFilter): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count ${FILTERED}`,
      filterValues(filter),
    );
    return rows[0]?.count ?? 0;
  }

  /**
   * Lets refused adverts be sent again, of one listing or of all. @returns how many; the export is queued in any case
   */
  async retry(placementId: number, affId: string | null): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `WITH again AS (
         UPDATE publication SET hash = NULL, tries = 0, is_withdrawn = CASE WHEN $3::text IS NULL THEN is_withdrawn ELSE false END
         WHERE placement_id = $1 AND ($3::text IS NULL OR aff_id = $3) AND (state = 'refused' OR $3 IS NOT NULL) RETURNING aff_id
       ), ${EXPORT_NOW}
       SELECT (SELECT count(*)::integer FROM again) AS count`,
      [placementId, JSON.stringify({ force: true }), affId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Takes one advert offline until an operator retries it. @returns false when there is no such publication */
  async withdraw(placementId: number, affId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ count: number }>(
      `WITH withdrawn AS (
         UPDATE publication SET is_withdrawn = true WHERE placement_id = $1 AND aff_id = $3 RETURNING aff_id
       ), ${EXPORT_NOW}
       SELECT (SELECT count(*)::integer FROM withdrawn) AS count`,
      [placementId, null, affId],
    );
    return rows[0]?.count === 1;
  }

  /** Forgets adverts that were removed long ago. */
  async prune(keepDays: number): Promise<void> {
    await this.pool.query(
      `DELETE FROM publication WHERE state = 'removed' AND since < now() - make_interval(days => $1) AND NOT is_withdrawn`,
      [keepDays],
    );
  }
}

function filterValues(filter: PublicationFilter): unknown[] {
  const { gatewayId, placement, target, affId, state, reason, since, url, affIds } = filter;
  return [gatewayId, placement, target, affId, state, reason, since, url, affIds].map((value) => value ?? null);
}
