import { Injectable } from '@nestjs/common';
import { type FeedMemory, masksOf } from '@passerelle/connectors';
import type { ClaimedRun } from '@passerelle/database';
import { type GateFacts, judgeRun, noFigures } from '@passerelle/domain';
import { RunSteps } from '@passerelle/traces';
import { NotifiedListings, FULL_READ_TRIGGERS } from './notified-listings';
import type { CurrentVersions } from './current-versions';
import type { CompletedRun, RunResult } from './run-outcome';
import { RunPreparation } from './run-preparation';
import { FeedbackNotes } from './feedback-notes';
import { GatewayFeeds, withoutValidators } from './gateway-feeds';
import { keptToStore } from './list-protection';
import type { KnownQueries } from './photo-queries';
import type { RevertCheck } from './revert-check';
import type { RunLog } from './run-log';
import type { RunReading } from './run-reading';
import type { WatchedRun } from './run-watch';
import { SnapshotAssembly } from './snapshot-assembly';
import type { Candidate } from './snapshot-comparison';
import { ProcessingSlots } from './processing-slots';

@Injectable()
export class Ingest {
  constructor(
    private readonly preparation: RunPreparation,
    private readonly feeds: GatewayFeeds,
    private readonly slots: ProcessingSlots,
    private readonly notified: NotifiedListings,
    private readonly feedback: FeedbackNotes,
  ) {}

  /**
   * @throws FeedError, MediaStoreError; the current snapshot stays.
   * @throws PublishRefused when another worker has taken the gateway over.
   * @throws GatewayInactive, RunCancelled, and the signal's reason when it is aborted.
   */
  async carryOut(
    run: ClaimedRun,
    reading: RunReading,
    { signal, handOver, log }: Pick<WatchedRun, 'signal' | 'handOver'> & { log: RunLog },
    steps: RunSteps = new RunSteps(),
  ): Promise<RunResult> {
    const { gateway, current, outcome, keeping, revert } = await this.preparation.prepare(run);
    const isFirst = gateway.currentSnapshotId === null;
    const remembered: FeedMemory = gateway.feedMemory;
    const connector = this.feeds.connectorOf(gateway);
    const noteDuplicate = (affId: string): void => {
      reading.noteDuplicate(affId);
    };
    const queryRule = { areVersions: connector.photoQueryIsVersion === true, known: remembered.photoQueries };
    const masks = masksOf(connector, remembered);
    const assembly = new SnapshotAssembly(current, outcome.versions, noteDuplicate, keeping, revert, queryRule, masks);
    const notified = await this.notified.begin(run, gateway, connector);
    const slot = this.slots.open(connector.code, signal, handOver);
    try {
      const pending = notified?.pending;
      const readsEverything = FULL_READ_TRIGGERS.has(run.trigger);
      const readsAgain = keeping.marks.size > 0;
      const opening = { signal, isDry: run.dryRun, slot, pending, readsEverything, readsAgain, log };
      const feed = this.feeds.open(gateway, connector, assembly, opening);
      const summary = await steps.time('fetch and read', () => reading.readAll(feed, assembly));
      const { fetchedBytes } = summary;
      if (summary.notModified) {
        const figures = { ...noFigures(), fetchedBytes, unchanged: gateway.currentTotal };
        const { memory } = summary;
        const confirmed = await outcome.confirm({ figures, feedMemory: memory, rehashed: [], duties: {} });
        await this.feedback.note(run, gateway, connector, false);
        return confirmed;
      }
      // A source that only reported removals was read without a slot.
      await slot.enter();
      // The run has already ended: if settling fails, the next run requests these listings again.
      const settle = async (result: RunResult): Promise<RunResult> => {
        const isKept = keptScopes(candidate, assembly);
        await notified?.complete(summary.requested, isKept).catch(() => undefined);
        await this.feedback.note(run, gateway, connector, true);
        return result;
      };

      const { candidate, completed, verdict } = await steps.time('judge', async () => {
        const candidate = await assembly.complete(summary.coverage);
        const feedMemory = memoryWith(summary.memory, candidate.queries);
        if (!isFirst && feedMemory.mappingKey === remembered.mappingKey)
          await notified?.noteMissed(candidate, assembly, reading);
        const figures = await reading.settleFigures(candidate);
        const completed = { candidate, figures, feedMemory, kept: keptToStore(gateway, candidate) };
        const unknownElements = { counts: summary.unknownElements, before: remembered.unknownElements ?? null };
        // In a partial transfer the feed itself may delete many listings.
        const isRemapped =
          summary.coverage.kind !== 'delta' &&
          remembered.mappingKey !== undefined &&
          feedMemory.mappingKey !== remembered.mappingKey;
        const facts = {
          ...factsOf(completed, isFirst ? null : current, summary.incomplete, revert),
          ...(isRemapped && { withdrawnByMapping: withdrawnOf(candidate) }),
          unknownElements,
        };
        return { candidate, completed, verdict: judgeRun(facts, gateway.settings.thresholds) };
      });
      const reasons = verdict.publish ? [] : verdict.reasons;
      if (reasons.length > 0 && !run.forced) return await outcome.hold(completed, reasons);
      const isConfirmed = candidate.isCurrent && !isFirst;
      // Deletes stored details, so that the next run requests unreadable records again.
      if (!run.dryRun && isConfirmed && candidate.kept.length > 0)
        await this.feeds.notePublished(gateway).catch(() => undefined);
      if (isConfirmed)
        return await settle(
          await outcome.confirm({ ...completed, rehashed: candidate.rehashed, duties: candidate.duties }),
        );
      const published = await steps.time('publish', () => outcome.publish(completed, reasons));
      if (!run.dryRun) await this.feeds.notePublished(gateway).catch(() => undefined);
      return await settle(published);
    } catch (error) {
      // An error while storing the notes must not hide the failure of the run.
      await reading.storeNotes().catch(() => undefined);
      await outcome.abandon().catch(() => undefined);
      throw error;
    } finally {
      slot.end();
    }
  }
}

/** Without validators, because an equal list would show that the queries are versions, and must be read for that. */
function memoryWith(memory: FeedMemory, photoQueries: KnownQueries | undefined): FeedMemory {
  return photoQueries === undefined ? memory : { ...withoutValidators(memory), photoQueries };
}

/** Ids of kept listings and their scopes, which the next run requests again from a source of single listings. */
function keptScopes({ kept }: Candidate, assembly: SnapshotAssembly): ReadonlySet<string> {
  return new Set(kept.flatMap((affId) => [affId, assembly.scopeOf(affId)]));
}

/** The number of listings that leave although the feed still has them. */
function withdrawnOf({ changes }: Candidate): number {
  let withdrawn = 0;
  for (const { kind, reason } of changes) if (kind === 'removed' && reason === 'withdrawn') withdrawn += 1;
  return withdrawn;
}

/** @param current null when nothing was published yet. */
export function factsOf(
  { candidate, figures }: CompletedRun,
  current: CurrentVersions | null,
  incomplete: string | null,
  revert: RevertCheck,
): GateFacts {
  const undone = revert.factsOf(candidate.changes);
  return {
    ...(undone !== undefined && { revert: undone }),
    current: current === null ? null : { total: current.length, fill: current.countFills() },
    candidate: { total: candidate.versionIds.length, fill: candidate.fill, kept: candidate.keptOfFeed },
    records: figures.records,
    rejected: figures.rejected,
    added: candidate.added,
    removed: candidate.removed,
    incomplete,
    isForeign: candidate.isForeign,
  };
}
