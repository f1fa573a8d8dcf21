import type { FeedMemory } from '@passerelle/connectors';
import type { ClaimedRun, Gateway, RunEnding, Runs, Snapshots } from '@passerelle/database';
import type { GateReason, GateReasonCode, RunDifference, RunFigures } from '@passerelle/domain';
import { discardingStore, type VersionStore } from './version-batches';
import type { Candidate } from './snapshot-comparison';

export interface RunResult {
  state: 'published' | 'unchanged' | 'held';
  figures: RunFigures;
  reasonCode: GateReasonCode | null;
  reason: string | null;
}

export interface CompletedRun {
  candidate: Candidate;
  figures: RunFigures;
  feedMemory: FeedMemory;
  /** Listings that keep their version because of unreadable records; undefined if none are kept, now or before. */
  kept?: readonly string[] | undefined;
}

export type ConfirmedRun = Omit<CompletedRun, 'candidate'> & Pick<Candidate, 'rehashed' | 'duties'>;

/**
 * @throws PublishRefused, from `publish`, `hold` and `confirm`, when the worker no longer holds the lease.
 * @throws RunCancelled, from `publish` and `confirm`.
 */
export interface RunOutcome {
  /** Stores new versions while the candidate is assembled. */
  versions: VersionStore;
  /** Makes the candidate the current snapshot. `overruled` has the gate's objections, if the run was forced. */
  publish(completed: CompletedRun, overruled: readonly GateReason[]): Promise<RunResult>;
  /** Keeps the candidate for an operator's decision. The current snapshot stays. */
  hold(completed: CompletedRun, reasons: readonly GateReason[]): Promise<RunResult>;
  confirm(confirmed: ConfirmedRun): Promise<RunResult>;
  abandon(): Promise<void>;
}

export function publishingOutcome(
  run: ClaimedRun,
  { currentSnapshotId: baseSnapshotId }: Gateway,
  { snapshots, runs }: { snapshots: Snapshots; runs: Runs },
): RunOutcome {
  const { id: runId, gatewayId, fence } = run;
  const isRemap = run.trigger === 'remap';
  const writer = snapshots.writer(gatewayId, runId);
  const store = ({ versionIds, duties, changes }: Candidate): Promise<number> =>
    writer.finish(versionIds, changes, duties);
  const rehash = async (rehashed: Candidate['rehashed']): Promise<void> => {
    if (rehashed.length > 0) await snapshots.rehash(gatewayId, rehashed);
  };
  return {
    versions: writer,
    async publish({ candidate, figures, feedMemory, kept }, overruled) {
      const snapshotId = await store(candidate);
      if (baseSnapshotId !== null) await snapshots.announce(gatewayId);
      // First, because a listing that is left to the source must not stay known if this process ends in between.
      await rehash(candidate.rehashed);
      await snapshots.publish({
        ...{ runId, gatewayId, fence, snapshotId, baseSnapshotId, figures, feedMemory, kept, isRemap },
        ...(overruled.length > 0 && { overruled: toOverruled(overruled) }),
      });
      return resultOf('published', figures);
    },
    async hold({ candidate, figures, feedMemory }, reasons) {
      const snapshotId = await store(candidate);
      const held = toHeld(figures, reasons);
      await runs.end(run, { ...held, snapshotId, baseSnapshotId, feedMemory, kept: candidate.kept });
      return resultOf('held', figures, reasons);
    },
    async confirm({ figures, feedMemory, rehashed, duties, kept }) {
      if (baseSnapshotId === null) throw new Error('there is no snapshot to confirm');
      await writer.abandon();
      await rehash(rehashed);
      if (rehashed.length > 0) await snapshots.recount({ gatewayId, id: baseSnapshotId }, duties);
      await snapshots.confirm({ runId, gatewayId, fence, baseSnapshotId, figures, feedMemory, kept, isRemap });
      return resultOf('unchanged', figures);
    },
    abandon: () => writer.abandon(),
  };
}

/** Writes only to the run itself: how it would have ended, and which listings it would have changed. */
export function dryRunOutcome(
  run: ClaimedRun,
  { currentSnapshotId: baseSnapshotId }: Gateway,
  { runs }: { runs: Runs },
): RunOutcome {
  return {
    versions: discardingStore(),
    async publish({ candidate, figures }) {
      await runs.end(run, { state: 'published', figures, difference: differenceOf(candidate), kept: candidate.kept });
      return resultOf('published', figures);
    },
    async hold({ candidate, figures, feedMemory }, reasons) {
      const held = toHeld(figures, reasons);
      await runs.end(run, {
        ...held,
        baseSnapshotId,
        feedMemory,
        difference: differenceOf(candidate),
        kept: candidate.kept,
      });
      return resultOf('held', figures, reasons);
    },
    async confirm({ figures, kept }) {
      await runs.end(run, { state: 'unchanged', figures, kept: kept ?? [] });
      return resultOf('unchanged', figures);
    },
    abandon: () => Promise.resolve(),
  };
}

function toHeld(figures: RunFigures, reasons: readonly GateReason[]): RunEnding {
  return {
    state: 'held',
    reasonCode: reasons[0]?.code ?? 'held',
    reason: sentenceOf(reasons),
    figures,
    verdict: reasons,
  };
}

function toOverruled(verdict: readonly GateReason[]): {
  reasonCode: string;
  reason: string;
  verdict: readonly GateReason[];
} {
  return { reasonCode: 'forced', reason: `published by force: ${sentenceOf(verdict)}`, verdict };
}

function resultOf(state: RunResult['state'], figures: RunFigures, reasons: readonly GateReason[] = []): RunResult {
  const [first] = reasons;
  return { state, figures, reasonCode: first?.code ?? null, reason: first === undefined ? null : sentenceOf(reasons) };
}

function sentenceOf(reasons: readonly GateReason[]): string {
  return reasons.map(({ message }) => message).join('; ');
}

/** Enough for a person to recognise the listings; the run's figures have the totals. */
const SHOWN_CHANGES = 50;

function differenceOf({ changes }: Candidate): RunDifference {
  const difference: RunDifference = { added: [], changed: [], removed: [] };
  for (const { kind, affId } of changes) {
    if (difference[kind].length < SHOWN_CHANGES) difference[kind].push(affId);
  }
  return difference;
}
