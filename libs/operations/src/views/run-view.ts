import type { Database, HeldListings } from '@passerelle/database';
import type {
  DutyCounts,
  GateReason,
  StoredLogLine,
  Rejection,
  RejectionCode,
  RunDifference,
  RunView,
  Warning,
} from '@passerelle/domain';

export type ShownRun = RunView & {
  requested_at: string;
  /** `reader`, or the operator's name; null when the schedule requested the run. */
  asked_by: string | null;
  /** The id of the first API request that asked for the run, as in the logs. */
  request_id: string | null;
  /** The 1-based position in the queue, while the run waits. */
  place?: number;
  /** More than 1 if workers stopped during the run. */
  attempts: number;
  /** The ingestor that last worked on the run; null before the first start. */
  worker: string | null;
  cancel_requested: boolean;
  reason_code: string | null;
  /** The objections of the publish gate; null when it had none. */
  verdict: GateReason[] | null;
  difference?: RunDifference;
  /** Listings that a held run would change, of each kind up to the requested number. */
  would?: HeldListings;
  /** The first listings that keep their last published version because their records are unreadable. */
  kept_listings?: string[];
  /** The snapshot with which the run was compared. */
  base_snapshot: number | null;
  decided_by: string | null;
  decided_at: string | null;
  decision_reason: string | null;
  rejections: number;
  rejections_by_reason: Partial<Record<RejectionCode, number>>;
  warning_list: Warning[];
  /** The newest log lines about the run, oldest first; null when none are kept. */
  log: { lines: StoredLogLine[]; earlier: number } | null;
  /** How many listings in the snapshot lack each legally required item; null without a snapshot. */
  duties_missing: DutyCounts | null;
};

/** Enough to show a pattern; the run itself has the counts. */
const SHOWN_LISTINGS = 50;
const ALL_LISTINGS = 2_147_483_647;

/** @param listings how many listings of a held run to return */
export async function loadShownRun(
  database: Pick<Database, 'runHistory' | 'announcements'>,
  run: RunView,
  listings: 'first' | 'all' | 'none' = 'first',
): Promise<ShownRun> {
  const details = await database.runHistory.details(run.id);
  if (details === null) throw new Error(`run ${run.id} is gone`);
  const isHeld = run.state === 'held' && run.dry_run !== true;
  const place = run.state === 'queued' ? await database.announcements.positionOf(run.id) : null;
  const limit = listings === 'all' ? ALL_LISTINGS : SHOWN_LISTINGS;
  const counts = Object.values(details.rejectionsByCode);
  return {
    ...run,
    requested_at: details.requestedAt,
    asked_by: details.askedBy,
    request_id: details.requestId,
    ...(place !== null && { place }),
    attempts: details.attempts,
    worker: details.worker,
    cancel_requested: details.isCancelRequested,
    reason_code: details.reasonCode,
    verdict: details.verdict,
    ...(details.difference !== null && { difference: details.difference }),
    ...(isHeld && listings !== 'none' && { would: await database.runHistory.heldListings(run.id, limit) }),
    ...(details.kept.length > 0 && { kept_listings: details.kept.slice(0, SHOWN_LISTINGS) }),
    base_snapshot: details.baseSnapshotId,
    decided_by: details.decidedBy,
    decided_at: details.decidedAt,
    decision_reason: details.decisionReason,
    rejections: counts.reduce((sum, count) => sum + count, 0),
    rejections_by_reason: details.rejectionsByCode,
    warning_list: await database.runHistory.warnings(run.id),
    log: await database.runHistory.logLines(run.id),
    duties_missing: await database.runHistory.duties(run.id),
  };
}

export interface RejectionView {
  position: number;
  id: string | null;
  field: string | null;
  reason: RejectionCode;
  message: string;
  excerpt: string | null;
}

export function toRejectionView(
  rejection: Pick<Rejection, 'position' | 'code' | 'message'> & {
    recordId?: string | null;
    field?: string | null;
    excerpt?: string | null;
  },
): RejectionView {
  const { position, recordId, field, code, message, excerpt } = rejection;
  return {
    position,
    id: recordId ?? null,
    field: field ?? null,
    reason: code,
    message,
    excerpt: excerpt ?? null,
  };
}
