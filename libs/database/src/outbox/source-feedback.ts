import { Pool } from 'pg';

export interface WaitingFeedback {
  affId: string;
  status: 'shown' | 'removed' | 'rejected';
  reason: string | null;
  /** The number of the listing's changes so far; a feedback message settles only the change with this number. */
  changes: number;
}

export interface NotifiedSource {
  listings: number;
  /** ISO 8601: the time since which feedback is pending. */
  since: string;
  /** The number of failed attempts since the last success, and the error of the last attempt. */
  tries: number;
  error: string | null;
  /** ISO 8601: the time of the next attempt; null when it is due. */
  nextTryAt: string | null;
}

export class SourceFeedback {
  constructor(private readonly pool: Pool) {}

  /** @param runId a run that read all records of the source; null (no run) leaves the rejections unchanged */
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
        ${wakeSql(`(EXISTS (SELECT FROM changed) OR EXISTS (SELECT FROM gone) OR EXISTS (${UNTOLD}))`)}`,
      values: [gatewayId, runId],
    });
  }

  /** Adds a delivery when feedback is pending without one, because it was noted while the last delivery ended. */
  async wake(gatewayId: number): Promise<void> {
    await this.pool.query({ name: 'wake-feedback', text: wakeSql(`EXISTS (${UNTOLD})`), values: [gatewayId] });
  }

  /** For an operator who turns feedback off. When it is turned on again, all feedback is sent again. */
  async forget(gatewayId: number): Promise<void> {
    await this.pool.query(`DELETE FROM outbox WHERE gateway_id = $1 AND kind = 'feedback' AND state = 'pending'`, [
      gatewayId,
    ]);
    await this.pool.query('DELETE FROM source_feedback WHERE gateway_id = $1', [gatewayId]);
  }

  /** Pending feedback of a gateway; null when nothing is pending, or feedback is off. */
  async waitingFor(gatewayId: number): Promise<NotifiedSource | null> {
    const { rows } = await this.pool.query<NotifiedSource>(
      `SELECT (SELECT count(*) FROM source_feedback f WHERE f.gateway_id = d.gateway_id AND NOT f.told)::int AS listings,
         to_json(d.at) #>> '{}' AS since, d.tries, d.error,
         CASE WHEN d.next_try_at > now() THEN to_json(d.next_try_at) #>> '{}' END AS "nextTryAt"
       FROM outbox d WHERE d.gateway_id = $1 AND d.kind = 'feedback' AND d.state = 'pending'`,
      [gatewayId],
    );
    return rows[0] ?? null;
  }

  async waiting(gatewayId: number, limit: number): Promise<WaitingFeedback[]> {
    const { rows } = await this.pool.query<WaitingFeedback>(
      `SELECT listing AS "affId", status, reason, changes FROM source_feedback
       WHERE gateway_id = $1 AND NOT told ORDER BY listing LIMIT $2`,
      [gatewayId, limit],
    );
    return rows;
  }

  /** Marks feedback as sent. The row of a removed listing is deleted, because it needs no further feedback. */
  async markSent(gatewayId: number, sent: readonly Pick<WaitingFeedback, 'affId' | 'changes'>[]): Promise<void> {
    const values = [gatewayId, sent.map(({ affId }) => affId), sent.map(({ changes }) => changes)];
    const settled = 'f.gateway_id = $1 AND f.listing = t.listing AND f.changes = t.changes';
    await this.pool.query(
      `WITH t AS (SELECT * FROM unnest($2::text[], $3::int[]) AS t (listing, changes)), gone AS (
         DELETE FROM source_feedback f USING t WHERE ${settled} AND f.status = 'removed'
       )
       UPDATE source_feedback f SET told = true FROM t WHERE ${settled} AND f.status <> 'removed'`,
      values,
    );
  }
}

const UNTOLD = 'SELECT FROM source_feedback WHERE gateway_id = $1 AND NOT told';

/** SQL: adds a delivery if none waits, and the previous release does not serve the gateway and send the feedback. */
function wakeSql(condition: string): string {
  return `
    INSERT INTO outbox (gateway_id, kind, type)
    SELECT $1, 'feedback', 'feedback' WHERE ${condition} AND NOT EXISTS (SELECT FROM source_feedback_due WHERE gateway_id = $1)
    ON CONFLICT DO NOTHING`;
}
