import { once } from 'node:events';
import type { RecordOutcome } from '../../contracts';
import type { RecordReader, RecordSlice } from '../record-reader';
import type { WarningSink } from '../warning-tally';
import type { ThreadedReading } from './mapping-threads';
import type { MappedBatch, PlacedRecord } from './messages';
import { LARGE_BYTES, STOPPED } from '../time-limit';
import { replay, WarningLog } from './warning-log';

const MOST_RECORDS = 32;
const BYTES = 128 * 1024;
/** The maximum number of a batch's entries: its records, and the outcomes between them that need no mapping. */
const MOST_ENTRIES = 1_000;

/** The placeholder for an outcome that is still missing. */
const TO_MAP = null;

interface CopiedRecord extends PlacedRecord {
  bytes: Buffer;
}

/** Records that are mapped together, and the known outcomes between them. */
export class Batch {
  /** In the feed's order. */
  private readonly entries: (RecordOutcome | typeof TO_MAP)[] = [];
  private readonly records: CopiedRecord[] = [];
  private memory: Buffer | null = null;
  private used = 0;
  private mapped: MappedBatch | null = null;
  private failure: Error | null = null;
  private mapping: Promise<void> | null = null;
  /**
   * Whether the batch has a single record, which is large or was interrupted in the reading thread. Such a record gets
   * its own thread.
   */
  isLone = false;

  /** Copies a record's bytes. @returns whether there was room. */
  place({ bytes, line }: RecordSlice, position: number, hash: string): boolean {
    if (this.isClosed || this.records.length === MOST_RECORDS || !this.mayJoin(bytes)) return false;
    this.memory ??= Buffer.allocUnsafeSlow(Math.max(bytes.length, BYTES));
    if (bytes.length > LARGE_BYTES) this.isLone = true;
    const { memory, used } = this;
    if (used + bytes.length > memory.length) return false;
    this.used += bytes.copy(memory, used);
    this.records.push({ bytes: memory.subarray(used, this.used), line, position, hash });
    this.entries.push(TO_MAP);
    return true;
  }

  /** Adds a known outcome. @returns whether there was room. */
  add(outcome: RecordOutcome): boolean {
    if (this.isClosed || this.entries.length >= MOST_ENTRIES) return false;
    this.entries.push(outcome);
    return true;
  }

  /** Maps the records in another thread, or here when no thread has room. A large record gets its own thread. */
  close(reader: RecordReader, reading: ThreadedReading): void {
    if (this.isClosed) return;
    const { records } = this;
    const elsewhere = this.isLone ? reading.mapEach(records) : this.mapSmall(reader, reading);
    this.mapping = (elsewhere ?? Promise.resolve(this.mapped)).then(
      (mapped) => {
        this.mapped = mapped;
      },
      (error: unknown) => {
        this.failure = error instanceof Error ? error : new Error(String(error));
      },
    );
  }

  get isDone(): boolean {
    return this.mapped !== null || this.failure !== null;
  }

  /** Waits until the closed batch has succeeded or failed. @throws the signal's reason when it is aborted. */
  async done(signal: AbortSignal): Promise<void> {
    if (this.isDone) return;
    signal.throwIfAborted();
    const ended = new AbortController();
    const aborted = once(signal, 'abort', { signal: ended.signal }).catch(() => undefined);
    await Promise.race([this.mapping, aborted]);
    ended.abort();
    signal.throwIfAborted();
  }

  /** The outcomes of a finished batch. @throws Error when its thread has ended. */
  outcomes(warnings: WarningSink): RecordOutcome[] {
    if (this.failure !== null) throw this.failure;
    const { outcomes, warnings: noted } = this.mapped!;
    replay(noted, warnings);
    let next = 0;
    return this.entries.map((entry) => entry ?? outcomes[next++]!);
  }

  /** Maps the batch's records. Returns a promise when another thread maps them, else undefined. */
  private mapSmall(reader: RecordReader, reading: ThreadedReading): Promise<MappedBatch> | undefined {
    const { records } = this;
    const elsewhere = records.length > 0 ? reading.tryMap(records) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    const log = new WarningLog();
    const outcomes = reader.mapWithinLimit(records, log);
    if (outcomes === STOPPED) return reading.mapEach(records);
    this.mapped = { outcomes, warnings: log.records };
    return undefined;
  }

  private mayJoin(bytes: Buffer): boolean {
    return this.records.length === 0 || !(this.isLone || bytes.length > LARGE_BYTES);
  }

  private get isClosed(): boolean {
    return this.mapping !== null;
  }
}
