import type { RecordOutcome } from '../../contracts';
import type { RecordReader, RecordSlice } from '../record-reader';
import type { WarningSink } from '../warning-tally';
import { LARGE_BYTES, STOPPED } from '../time-limit';
import { Batch } from './batch';
import type { ThreadedReading } from './mapping-threads';
import { replay, WarningLog } from './warning-log';

/** How many batches of a feed may wait behind a batch that is still being mapped. */
const MOST_AHEAD = 12;

/** Returns outcomes in the feed's order while threads map batches; maps a batch itself when the threads are busy. */
export class OrderedMapper {
  private readonly batches: Batch[] = [];
  private mappedAtOnce = 0;

  constructor(
    private readonly reader: RecordReader,
    private readonly reading: ThreadedReading,
    private readonly isKnown: (hash: string) => boolean,
    private readonly warnings: WarningSink,
    private readonly signal: AbortSignal,
  ) {}

  /** Adds the next record. @returns its outcome, if it is already known and no earlier outcome is missing. */
  take(slice: RecordSlice, position: number): RecordOutcome | undefined {
    const hash = this.reader.hashOf(slice);
    if (this.reader.isRecognized(slice) || this.isKnown(hash)) return this.add({ kind: 'unchanged', position, hash });
    const isLarge = slice.bytes.length > LARGE_BYTES;
    if (!isLarge && this.isEmpty && this.mappedAtOnce < this.reading.recordsAhead) {
      this.mappedAtOnce += 1;
      return this.mapNow(slice, position, hash);
    }
    if (this.batches.at(-1)?.place(slice, position, hash) !== true) this.begin().place(slice, position, hash);
    return undefined;
  }

  /** Undefined when mapping took too long: then the outcome comes later, with a separate batch. */
  private mapNow(slice: RecordSlice, position: number, hash: string): RecordOutcome | undefined {
    const log = new WarningLog();
    const outcomes = this.reader.mapWithinLimit([{ ...slice, position, hash }], log);
    if (outcomes !== STOPPED) {
      replay(log.records, this.warnings);
      return outcomes[0];
    }
    const batch = this.begin();
    batch.isLone = true;
    batch.place(slice, position, hash);
    this.close();
    return undefined;
  }

  /** Adds an outcome that needs no mapping. @returns the outcome, if no earlier outcome is missing. */
  add(outcome: RecordOutcome): RecordOutcome | undefined {
    if (this.batches.length === 0) return outcome;
    if (this.batches.at(-1)?.add(outcome) !== true) this.begin().add(outcome);
    return undefined;
  }

  /** Ends the current batch, because the following records have other elements beside them. */
  close(): void {
    this.batches.at(-1)?.close(this.reader, this.reading);
  }

  /** Whether the first batch is finished, or so many batches are waiting that reading must wait for the first batch. */
  get isReady(): boolean {
    return this.batches[0]?.isDone === true || this.batches.length > MOST_AHEAD;
  }

  get isEmpty(): boolean {
    return this.batches.length === 0;
  }

  /** The outcomes of the first batch. @throws Error when its thread has ended; the signal's reason when it is aborted. */
  async nextBatch(): Promise<RecordOutcome[]> {
    const batch = this.batches.shift();
    await batch?.done(this.signal);
    return batch?.outcomes(this.warnings) ?? [];
  }

  private begin(): Batch {
    this.close();
    const batch = new Batch();
    this.batches.push(batch);
    return batch;
  }
}
