import type { Database } from '@passerelle/database';
import type { GateReason, RejectionCode, RunDifference, RunView, Warning } from '@passerelle/domain';

/** A run with everything that explains it. */
export type ShownRun = RunView & {
  requested_at: string;
  /** More than 1 when workers stopped in the middle of it. */
  attempts: number;
  cancel_requested: boolean;
  reason_code: string | null;
  /** What the publish gate had against it; null when it had nothing. */
  verdict: GateReason[] | null;
  /** What a dry run would have changed. */
  difference?: RunDifference;
  /** The snapshot that it was compared with. */
  base_snapshot: number | null;
  decided_by: string | null;
  decided_at: string | null;
  decision_reason: string | null;
  rejections: number;
  rejections_by_reason: Partial<Record<RejectionCode, number>>;
  warning_list: Warning[];
};

export async function loadShownRun(database: Database, run: RunView): Promise<ShownRun> {
  const details = await database.runDetails(run.id);
  if (details === null) throw new Error(`run ${run.id} is gone`);
  const counts = Object.values(details.rejectionsByCode);
  return {
    ...run,
    requested_at: details.requestedAt,
    attempts: details.attempts,
    cancel_requested: details.isCancelRequested,
    reason_code: details.reasonCode,
    verdict: details.verdict,
    ...(details.difference !== null && { difference: details.difference }),
    base_snapshot: details.baseSnapshotId,
    decided_by: details.decidedBy,
    decided_at: details.decidedAt,
    decision_reason: details.decisionReason,
    rejections: counts.reduce((sum, count) => sum + count, 0),
    rejections_by_reason: details.rejectionsByCode,
    warning_list: await database.runs.warnings(run.id),
  };
}
