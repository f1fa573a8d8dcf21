import { once } from 'node:events';
import type { RecordOutcome } from '../../contracts';
import type { RecordReader, RecordSlice } from '../record-reader';
import type { WarningSink } from '../warning-tally';
import type { ThreadedReading } from './mapping-threads';
import type { MappedBatch, PlacedRecord } from './messages';
import { replay, WarningLog } from './warning-log';

const MOST_RECORDS = 32;
const BYTES = 128 * 1024;
/** Of records that need no mapping, between those that do. */
const MOST_ENTRIES = 1_000;

/** The place of an outcome that is still to be made. */
const TO_MAP = null;

interface CopiedRecord extends PlacedRecord {
  bytes: Buffer;
}

/** Records that are mapped together, and the outcomes between them that are known already. */
export class Batch {
  /** In the feed's order. */
  private readonly entries: (RecordOutcome | typeof TO_MAP)[] = [];
  private readonly records: CopiedRecord[] = [];
  private memory: Buffer | null = null;
  private used = 0;
  private mapped: MappedBatch | null = null;
  private failure: Error | null = null;
  private mapping: Promise<void> | null = null;

  /** Copies a record's bytes. @returns whether there was room. */
  place({ bytes, line }: RecordSlice, position: number, hash: string): boolean {
    if (this.isClosed || this.records.length === MOST_RECORDS) return false;
    this.memory ??= Buffer.allocUnsafeSlow(Math.max(bytes.length, BYTES));
    const { memory, used } = this;
    if (used + bytes.length > memory.length) return false;
    this.used += bytes.copy(memory, used);
    this.records.push({ bytes: memory.subarray(used, this.used), line, position, hash });
    this.entries.push(TO_MAP);
    return true;
  }

  /** Adds an outcome that is known. @returns whether there was room. */
  add(outcome: RecordOutcome): boolean {
    if (this.isClosed || this.entries.length >= MOST_ENTRIES) return false;
    this.entries.push(outcome);
    return true;
  }

  /** Ends it, and has its records mapped: by a thread, or here where none has room. A large record alone is mapped here. */
  close(reader: RecordReader, reading: ThreadedReading): void {
    if (this.isClosed) return;
    const { records } = this;
    const isSmall = records.length > 0 && this.used <= BYTES;
    const elsewhere = isSmall ? reading.tryMap(records) : undefined;
    if (elsewhere === undefined) this.mapped = mapHere(reader, records);
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

  /** Waits until it is done, well or not. It is closed. @throws the signal's reason when it is aborted. */
  async done(signal: AbortSignal): Promise<void> {
    if (this.isDone) return;
    signal.throwIfAborted();
    const ended = new AbortController();
    const aborted = once(signal, 'abort', { signal: ended.signal }).catch(() => undefined);
    await Promise.race([this.mapping, aborted]);
    ended.abort();
    signal.throwIfAborted();
  }

  /** The outcomes of a batch that is done. @throws Error when its thread has ended. */
  outcomes(warnings: WarningSink): RecordOutcome[] {
    if (this.failure !== null) throw this.failure;
    const { outcomes, warnings: noted } = this.mapped!;
    replay(noted, warnings);
    let next = 0;
    return this.entries.map((entry) => entry ?? outcomes[next++]!);
  }

  private get isClosed(): boolean {
    return this.mapping !== null;
  }
}

function mapHere(reader: RecordReader, records: readonly CopiedRecord[]): MappedBatch {
  const log = new WarningLog();
  const outcomes = records.map((record) => reader.map(record, record.position, record.hash, log));
  return { outcomes, warnings: log.records };
}
