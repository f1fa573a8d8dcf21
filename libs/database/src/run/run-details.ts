import type { GateReason, RejectionCode, RunDifference } from '@passerelle/domain';
import type { Pool } from 'pg';

/** What is known of a run beside its view: why it ended so, and who decided about it. Times are ISO 8601 in UTC. */
export interface RunDetails {
  requestedAt: string;
  attempts: number;
  isCancelRequested: boolean;
  reasonCode: string | null;
  /** Why the publish gate held it; null when it did not. */
  verdict: GateReason[] | null;
  /** Of a dry run that came to an end. */
  difference: RunDifference | null;
  baseSnapshotId: number | null;
  decidedBy: string | null;
  decidedAt: string | null;
  decisionReason: string | null;
  rejectionsByCode: Partial<Record<RejectionCode, number>>;
}

export async function loadRunDetails(pool: Pool, runId: number): Promise<RunDetails | null> {
  const { rows } = await pool.query<RunDetails>(
    `SELECT to_json(requested_at) AS "requestedAt", attempts, cancel_requested AS "isCancelRequested",
            reason_code AS "reasonCode", verdict, difference, base_snapshot_id AS "baseSnapshotId", decided_by AS "decidedBy",
            to_json(decided_at) AS "decidedAt", decision_reason AS "decisionReason",
            (SELECT coalesce(json_object_agg(code, count ORDER BY count DESC, code), '{}')
             FROM (SELECT code, count(*)::int AS count FROM rejection WHERE run_id = $1 GROUP BY code) c
            ) AS "rejectionsByCode"
     FROM run WHERE id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}
