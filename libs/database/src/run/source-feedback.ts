import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

/** A listing of which a source is to be told. */
export interface WaitingFeedback {
  affId: string;
  status: 'shown' | 'removed' | 'rejected';
  reason: string | null;
  /** How often it has changed: what is told settles this change alone. */
  changes: number;
}

/** What waits for the source of one gateway, and why. */
export interface WaitingToldSource {
  /** Listings of which it is to be told. */
  listings: number;
  /** ISO 8601: since when something waits. */
  since: string;
  /** How often it was tried in vain since the last success, and what came of the last time. */
  tries: number;
  error: string | null;
  /** ISO 8601: when it is tried again; null when it is due. */
  nextTryAt: string | null;
}

/** A gateway whose source this process alone tells, for a time. */
export interface TakenFeedback {
  gatewayId: number;
  fence: number;
  /** How often it was tried in vain since the last success. */
  tries: number;
  crm: string;
  client: string;
  sourceUrl: string;
  sourceSettings: Record<string, string>;
  sealedSource: Buffer | null;
  credentials: Buffer | null;
}

/** What sources are told of their listings, until they were. */
@Injectable()
export class SourceFeedback {
  constructor(private readonly pool: Pool) {}

  /**
   * Compares the current list, and what a run has rejected, with what the source was told.
   *
   * @param runId read all records of the source; null when none has: what was rejected stays so
   */
  async note(gatewayId: number, runId: number | null): Promise<void> {
    await this.pool.query({
      name: 'note-feedback',
      text: `
        WITH wanted AS MATERIALIZED (
          SELECT aff_id AS listing, 'shown' AS status, version_id, NULL::text AS reason FROM current_listing WHERE gateway_id = $1
          UNION ALL
          (SELECT DISTINCT ON (r.record_id) r.record_id, 'rejected', NULL::bigint, concat_ws(': ', r.field, r.message)
           FROM rejection r
           WHERE r.run_id = $2::bigint AND r.record_id IS NOT NULL AND r.code <> 'withdrawn'
             AND NOT EXISTS (SELECT FROM current_listing c WHERE c.gateway_id = $1 AND c.aff_id = r.record_id)
           ORDER BY r.record_id, r.position)
        ), changed AS (
          INSERT INTO source_feedback AS f (gateway_id, listing, status, version_id, reason)
          SELECT $1, listing, status, version_id, reason FROM wanted
          ON CONFLICT (gateway_id, listing) DO UPDATE SET
            status = excluded.status, version_id = excluded.version_id, reason = excluded.reason, changes = f.changes + 1, told = false
          WHERE (f.status, f.version_id, f.reason) IS DISTINCT FROM (excluded.status, excluded.version_id, excluded.reason)
          RETURNING 1
        ), gone AS (
          UPDATE source_feedback f SET status = 'removed', version_id = NULL, reason = NULL, changes = changes + 1, told = false
          WHERE f.gateway_id = $1 AND (f.status = 'shown' OR f.status = 'rejected' AND $2::bigint IS NOT NULL) AND NOT EXISTS (SELECT FROM wanted w WHERE w.listing = f.listing)
          RETURNING 1
        )
        INSERT INTO source_feedback_due (gateway_id)
        SELECT $1 WHERE EXISTS (SELECT FROM changed) OR EXISTS (SELECT FROM gone)
        ON CONFLICT (gateway_id) DO NOTHING`,
      values: [gatewayId, runId],
    });
  }

  /** Nobody wants to tell the source of this gateway any more: with the next wish it is told everything. */
  async forget(gatewayId: number): Promise<void> {
    await this.pool.query('DELETE FROM source_feedback_due WHERE gateway_id = $1', [gatewayId]);
    await this.pool.query('DELETE FROM source_feedback WHERE gateway_id = $1', [gatewayId]);
  }

  /** Takes gateways that are due and that nobody serves; nobody is given one again for so many seconds. */
  async take({ limit, seconds }: { limit: number; seconds: number }): Promise<TakenFeedback[]> {
    const { rows } = await this.pool.query<TakenFeedback>({
      name: 'take-feedback',
      text: `
        WITH due AS MATERIALIZED (
          SELECT d.gateway_id FROM source_feedback_due d JOIN gateway g ON g.id = d.gateway_id
          WHERE d.next_try_at <= now() AND d.taken_until <= now() AND g.enabled
          ORDER BY d.next_try_at, d.gateway_id LIMIT $1 FOR UPDATE OF d SKIP LOCKED
        ), taken AS (
          UPDATE source_feedback_due d SET fence = fence + 1, taken_until = now() + make_interval(secs => $2)
          FROM due WHERE d.gateway_id = due.gateway_id RETURNING d.*
        )
        SELECT t.gateway_id AS "gatewayId", t.fence, t.tries, g.crm, g.client, g.source_url AS "sourceUrl",
          g.settings AS "sourceSettings", g.sealed_source AS "sealedSource", g.credentials
        FROM taken t JOIN gateway g ON g.id = t.gateway_id ORDER BY t.gateway_id`,
      values: [limit, seconds],
    });
    return rows;
  }

  /** What waits for the source of a gateway; null when it was told everything, or is told nothing. */
  async waitingFor(gatewayId: number): Promise<WaitingToldSource | null> {
    const { rows } = await this.pool.query<WaitingToldSource>(
      `SELECT (SELECT count(*) FROM source_feedback f WHERE f.gateway_id = d.gateway_id AND NOT f.told)::int AS listings,
         to_json(d.since) #>> '{}' AS since, d.tries, d.error,
         CASE WHEN d.next_try_at > now() THEN to_json(d.next_try_at) #>> '{}' END AS "nextTryAt"
       FROM source_feedback_due d WHERE d.gateway_id = $1`,
      [gatewayId],
    );
    return rows[0] ?? null;
  }

  /** Listings of which the source is to be told, by their identifiers. */
  async waiting(gatewayId: number, limit: number): Promise<WaitingFeedback[]> {
    const { rows } = await this.pool.query<WaitingFeedback>(
      `SELECT listing AS "affId", status, reason, changes FROM source_feedback
       WHERE gateway_id = $1 AND NOT told ORDER BY listing LIMIT $2`,
      [gatewayId, limit],
    );
    return rows;
  }

  /** The source was told of these. @returns whether the gateway is still this process's, for so many seconds more */
  async noteTold(
    { gatewayId, fence }: Pick<TakenFeedback, 'gatewayId' | 'fence'>,
    told: readonly Pick<WaitingFeedback, 'affId' | 'changes'>[],
    seconds: number,
  ): Promise<boolean> {
    const values = [gatewayId, told.map(({ affId }) => affId), told.map(({ changes }) => changes)];
    const settled = `FROM unnest($2::text[], $3::int[]) AS t (listing, changes)
       WHERE f.gateway_id = $1 AND f.listing = t.listing AND f.changes = t.changes`;
    await this.pool.query(`UPDATE source_feedback f SET told = true ${settled}`, values);
    // Of what is gone nothing more is to be told.
    await this.pool.query(
      `DELETE FROM source_feedback f USING unnest($2::text[], $3::int[]) AS t (listing, changes)
       WHERE f.gateway_id = $1 AND f.listing = t.listing AND f.changes = t.changes AND f.status = 'removed'`,
      values,
    );
    const { rowCount } = await this.pool.query(
      `UPDATE source_feedback_due SET tries = 0, error = NULL, taken_until = now() + make_interval(secs => $3)
       WHERE gateway_id = $1 AND fence = $2`,
      [gatewayId, fence, seconds],
    );
    return rowCount === 1;
  }

  /** Nothing waits any more, unless something came meanwhile. */
  async finish({ gatewayId, fence }: Pick<TakenFeedback, 'gatewayId' | 'fence'>): Promise<void> {
    await this.pool.query(
      `WITH done AS (
         DELETE FROM source_feedback_due d WHERE d.gateway_id = $1 AND d.fence = $2
           AND NOT EXISTS (SELECT FROM source_feedback f WHERE f.gateway_id = $1 AND NOT f.told)
         RETURNING 1
       )
       UPDATE source_feedback_due SET taken_until = '-infinity'
       WHERE gateway_id = $1 AND fence = $2 AND NOT EXISTS (SELECT FROM done)`,
      [gatewayId, fence],
    );
  }

  /** @param error one sentence without anything private */
  async noteFailed(
    { gatewayId, fence }: Pick<TakenFeedback, 'gatewayId' | 'fence'>,
    error: string,
    pauseMs: number,
  ): Promise<void> {
    await this.pool.query(
      `UPDATE source_feedback_due SET tries = tries + 1, error = $3, taken_until = '-infinity',
         next_try_at = now() + make_interval(secs => $4)
       WHERE gateway_id = $1 AND fence = $2`,
      [gatewayId, fence, error, pauseMs / 1000],
    );
  }
}
