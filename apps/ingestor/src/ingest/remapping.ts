import { Injectable } from '@nestjs/common';
import {
  EventLoopYield,
  type FeedMemory,
  mappingOf,
  maskOf,
  masksOf,
  type StoredRecords,
  xorOf,
} from '@passerelle/connectors';
import { type ClaimedRun, Remaps, RunNoteStore } from '@passerelle/database';
import { judgeRun, noFigures } from '@passerelle/domain';
import type { CurrentVersions } from './current-versions';
import { GatewayFeeds } from './gateway-feeds';
import { factsOf } from './ingest';
import { ProcessingSlots } from './processing-slots';
import { RunNotes } from './run-notes';
import type { RunResult } from './run-outcome';
import { RemapRefused, RunPreparation } from './run-preparation';
import type { WatchedRun } from './run-watch';
import { SnapshotAssembly } from './snapshot-assembly';

const LISTINGS_AT_A_TIME = 200;
/** Listings whose stored hashes have the masks of more mappings are mapped once more when their records are read. */
const MOST_MASKS = 3;

/** Carries out the runs that map listings again from their stored records after an upgrade. They read no source. */
@Injectable()
export class Remapping {
  constructor(
    private readonly preparation: RunPreparation,
    private readonly feeds: GatewayFeeds,
    private readonly slots: ProcessingSlots,
    private readonly remaps: Remaps,
    private readonly notes: RunNoteStore,
  ) {}

  /**
   * The list keeps its listings and their order, and the time of its confirmation.
   * @throws RemapRefused, GatewayInactive, PublishRefused, RunCancelled, and the signal's reason when it is aborted
   */
  async carryOut(run: ClaimedRun, { signal, handOver }: Pick<WatchedRun, 'signal' | 'handOver'>): Promise<RunResult> {
    const { gateway, current, outcome, revert } = await this.preparation.prepare(run);
    const connector = this.feeds.connectorOf(gateway);
    const stored = this.feeds.storedRecordsOf(gateway, connector);
    const slot = this.slots.open(connector.code, signal, handOver);
    try {
      await slot.enter();
      const memory: FeedMemory = gateway.feedMemory;
      const { mappedAs = '', hashedAs = [] } = memory;
      const known = [mappedAs, ...hashedAs].slice(0, MOST_MASKS);
      const masks = [...masksOf(connector, {}), ...known.map(maskOf)];
      const assembly = new SnapshotAssembly(
        current,
        outcome.versions,
        () => undefined,
        undefined,
        revert,
        undefined,
        masks,
      );
      const left = await mapAll(current, assembly, stored, maskOf(mappedAs), signal);
      const candidate = await assembly.complete({ kind: 'delta' });
      const { changed, unchanged } = candidate;
      const notes = new RunNotes(this.notes, run);
      for (const affId of left) notes.warn('not_remapped', '', affId);
      await notes.flush();
      const figures = { ...noFigures(), changed, unchanged, warnings: notes.warningCount };
      const feedMemory = { ...memory, mappedAs: mappingOf(connector), hashedAs: known };
      if (left.length === 0) feedMemory.mappingKey = this.feeds.mappingKeyOf(gateway, connector);
      const completed = { candidate, figures, feedMemory };
      const facts = { ...factsOf(completed, current, null, revert), records: current.length };
      const verdict = judgeRun(facts, gateway.settings.thresholds);
      if (!verdict.publish) return await outcome.hold(completed, verdict.reasons);
      if (candidate.isCurrent)
        return await outcome.confirm({ ...completed, rehashed: candidate.rehashed, duties: candidate.duties });
      return await outcome.publish(completed, []);
    } catch (error) {
      await outcome.abandon().catch(() => undefined);
      throw error;
    } finally {
      slot.end();
    }
  }

  /** After a remap that did not end as it should, the next run reads the source completely. @throws PublishRefused */
  async giveUp(run: ClaimedRun): Promise<void> {
    const connector = this.feeds.find(run.crm);
    await this.remaps.leaveToSource(run, connector === undefined ? '' : mappingOf(connector));
  }
}

/** @returns the listings that only a run that reads the source can map. @throws RemapRefused when they are the majority */
async function mapAll(
  current: CurrentVersions,
  assembly: SnapshotAssembly,
  stored: StoredRecords,
  mask: string,
  signal: AbortSignal,
): Promise<string[]> {
  await assembly.begin();
  const loopYield = new EventLoopYield(signal);
  const left: string[] = [];
  for (let first = 0; first < current.length; first += LISTINGS_AT_A_TIME) {
    const rows = Array.from(
      { length: Math.min(LISTINGS_AT_A_TIME, current.length - first) },
      (_, index) => first + index,
    );
    const texts = await current.readTexts(rows.map((row) => current.idOf(row)));
    for (const row of rows) {
      const affId = current.affIdOf(row);
      const text = texts.get(current.idOf(row));
      const hash = current.storedHashOf(row);
      const recordHash = hash === undefined ? '' : xorOf(hash, mask);
      const mapped =
        text === undefined ? null : await stored.map({ affId, scope: current.scopeOf(row), ...text }, recordHash);
      if (mapped === null) {
        left.push(affId);
        assembly.leaveToSource(row);
      } else await assembly.take(mapped);
      if (loopYield.isDue()) await loopYield.wait();
    }
    if (left.length > (first + rows.length) / 2)
      throw new RemapRefused('most stored records lack what the mapping needs: the next run reads the source');
  }
  return left;
}
