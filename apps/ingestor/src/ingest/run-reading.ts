import type { FeedReading, FeedSummary } from '@passerelle/connectors';
import type { ClaimedRun, RunNoteStore } from '@passerelle/database';
import { dutiesOfMask, noFigures, type RunFigures } from '@passerelle/domain';
import { RunNotes } from './run-notes';
import type { SnapshotAssembly } from './snapshot-assembly';
import type { Candidate } from './snapshot-comparison';

export class RunReading {
  private readonly notes: RunNotes;
  private feed: FeedReading | null = null;

  constructor(store: RunNoteStore, run: ClaimedRun) {
    this.notes = new RunNotes(store, run);
  }

  /** Passes every record of the feed to the assembly, in the feed's order. @throws FeedError */
  async readAll(feed: FeedReading, assembly: SnapshotAssembly): Promise<FeedSummary> {
    this.feed = feed;
    try {
      for await (const outcome of feed.outcomes) {
        const taking = assembly.take(outcome);
        if (taking !== undefined) await taking;
        if (outcome.kind === 'listing') this.noteDuties(outcome);
        if (outcome.kind === 'rejected' || outcome.kind === 'withdrawn') await this.notes.reject(outcome.rejection);
      }
    } finally {
      for (const warning of feed.progress().warnings) this.notes.add(warning);
    }
    return feed.summary();
  }

  /** Warnings concern only listings that were read again; the snapshot counts missing duties of the whole list. */
  private noteDuties({ affId, duties }: { affId: string; duties: number }): void {
    for (const code of dutiesOfMask(duties)) this.notes.warn('duty_missing', 'mentions', affId, code);
  }

  noteDuplicate(affId: string): void {
    this.notes.warn('duplicate_id', 'affId', affId);
  }

  noteMissedWebhook(affId: string): void {
    this.notes.warn('missed_call', 'affId', affId);
  }

  /** The figures so far. Figures of listings are known only after the whole feed was read. */
  progress(): RunFigures {
    if (this.feed === null) return noFigures();
    const { fetchedBytes, records } = this.feed.progress();
    const { rejectedCount: rejected, warningCount: warnings } = this.notes;
    return { ...noFigures(), fetchedBytes, records, rejected, warnings };
  }

  async settleFigures({ added, changed, unchanged, removed }: Candidate): Promise<RunFigures> {
    await this.storeNotes();
    return { ...this.progress(), added, changed, unchanged, removed };
  }

  async storeNotes(): Promise<void> {
    await this.notes.flush();
  }
}
