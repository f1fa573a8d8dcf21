import type { PreparedRecord } from '../prepared-record';
import { LoneRecords } from './lone-records';
import type { MappedBatch, MappingContext, PlacedRecord, PreparedBatch } from './messages';
import { Displaced, MappingThread, type ThreadOptions, TooSlow } from './thread';

export interface MappingThreadsOptions extends ThreadOptions {
  /** The highest number of threads; with 0 only large or slow records are mapped in a thread. */
  most: number;
  /** How many new records of a feed are mapped in the reading thread before other threads are used; default 500. */
  recordsAhead?: number;
  /** Called with the reason when a thread fails. The runs whose records were in the thread fail with the same error. */
  onFailure?: (error: Error) => void;
}

const RECORDS_AHEAD = 500;
/**
 * One batch that is being mapped, and enough waiting batches for the time in which the reading thread is busy mapping
 * or storing.
 */
const MOST_BATCHES = 4;
/** A thread has a few batches of small records, plus the garbage that V8 leaves uncollected up to these limits. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

/**
 * Threads that map records while feeds are read; all runs share them. They start when there is work, and end when idle.
 */
export class MappingThreads {
  private readonly threads = new Set<MappingThread>();
  private readonly lone: LoneRecords;
  private readings = 0;
  /** Whether a thread has failed to start. Then no other thread is started, because it would fail too. */
  private isBroken = false;

  constructor(private readonly options: MappingThreadsOptions) {
    this.lone = new LoneRecords(options, (error) => {
      options.onFailure?.(error);
    });
  }

  /** The current number of threads, without those for single records. */
  get size(): number {
    return this.threads.size;
  }

  /** Starts the mapping for one pass over a feed. @param contextOf the context for the following records. */
  begin(contextOf: () => MappingContext): ThreadedReading {
    this.readings += 1;
    const { recordsAhead = RECORDS_AHEAD } = this.options;
    return new ThreadedReading(this.threads, this.lone, this.readings, recordsAhead, contextOf, () => this.findRoom());
  }

  /** Ends all threads. Their unfinished batches are lost. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
    await this.lone.close();
  }

  /** The least busy thread that can take another batch; undefined when all threads are busy or starting. */
  private findRoom(): MappingThread | undefined {
    let best: MappingThread | undefined;
    let isStarting = false;
    for (const thread of this.threads) {
      if (!thread.isReady) isStarting = true;
      else if (thread.batches < MOST_BATCHES && thread.batches < (best?.batches ?? Infinity)) best = thread;
    }
    const isWanted = (best === undefined || best.batches > 0) && !isStarting;
    if (isWanted && this.threads.size < this.options.most && !this.isBroken) this.start();
    return best;
  }

  private start(): void {
    const thread = new MappingThread(this.options, MEMORY, {
      onEnd: () => this.threads.delete(thread),
      onFailure: (error) => {
        if (!thread.isReady) this.isBroken = true;
        this.options.onFailure?.(error);
      },
    });
    this.threads.add(thread);
  }
}

/** Maps records for one pass over a feed. */
export class ThreadedReading {
  private isOver = false;

  constructor(
    private readonly threads: ReadonlySet<MappingThread>,
    private readonly lone: LoneRecords,
    private readonly id: number,
    readonly recordsAhead: number,
    private readonly contextOf: () => MappingContext,
    private readonly findRoom: () => MappingThread | undefined,
  ) {}

  /**
   * Undefined when no thread has room. If a slow record ends the thread, each record of the batch is mapped with its
   * own time limit.
   */
  tryMap(records: readonly PlacedRecord[]): Promise<MappedBatch> | undefined {
    const thread = this.findRoom();
    if (thread === undefined) return undefined;
    const context = this.contextOf();
    thread.setContext(this.id, context);
    return thread.map(this.id, { kind: 'map', records, identifies: false }).catch((error: unknown) => {
      if (error instanceof TooSlow || error instanceof Displaced) return this.mapEach(records, context);
      throw error;
    });
  }

  /** Maps records one by one, each with its own time limit. */
  async mapEach(records: readonly PlacedRecord[], context = this.contextOf()): Promise<MappedBatch> {
    const batch: MappedBatch = { outcomes: [], warnings: [] };
    const warnings = [];
    for (const record of records) {
      const result = await this.lone.run(record, (thread, isLast) => {
        this.introduce(thread, context);
        return thread.map(this.id, { kind: 'map', records: [record], identifies: isLast });
      });
      if ('rejected' in result) batch.outcomes.push(result.rejected);
      else {
        batch.outcomes.push(...result.done.outcomes);
        warnings.push(...result.done.warnings);
      }
    }
    return { ...batch, warnings };
  }

  /** Parses and maps a record whose photos may be files, with the same time limit. */
  async prepare(record: PlacedRecord): Promise<PreparedBatch> {
    const context = this.contextOf();
    const result = await this.lone.run(record, (thread, isLast) => {
      this.introduce(thread, context);
      return thread.prepare(this.id, { kind: 'prepare', record, identifies: isLast });
    });
    if ('done' in result) return result.done;
    const prepared: PreparedRecord = { kind: 'over', outcome: result.rejected };
    return { prepared, warnings: [] };
  }

  end(): void {
    this.isOver = true;
    for (const thread of [...this.threads, ...this.lone.threads]) thread.forget(this.id);
  }

  private introduce(thread: MappingThread, context: MappingContext): void {
    if (this.isOver) throw new Error('the feed is no longer being read');
    thread.setContext(this.id, context);
  }
}
