import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RecordOutcome } from '../../contracts';
import type { MappedBatch, MappingContext, PlacedRecord, ThreadAnswer, ThreadRequest } from './messages';

export interface MappingThreadsOptions {
  /** How many there are at most; with 0 there are none, and every record is mapped where its feed is read. */
  most: number;
  /** So many new records of a feed are mapped where it is read, before threads are asked; default 500. */
  recordsAhead?: number;
  /** How long a thread may have nothing to do before it ends and its memory is free again; default 5 s. */
  idleMs?: number;
  /** How long a thread that nobody waits for any more may take for what it has in hand; default 10 s. */
  stuckMs?: number;
  /** Learns why a thread has failed; the runs whose records it had learn it too. */
  onFailure?: (error: Error) => void;
  /** What a thread runs, and Node's options for it; default the compiled `mapping-thread`. */
  script?: string;
  execArgv?: string[];
}

const RECORDS_AHEAD = 500;
const IDLE_MS = 5_000;
const STUCK_MS = 10_000;
/** One that is being mapped, and others that last while the one that reads is busy with its own, or storing. */
const MOST_BATCHES = 4;
/** A thread has batches of small records only: its memory is a few of them, and what V8 leaves uncollected up to these. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };
const SCRIPT = join(__dirname, 'mapping-thread.js');

/**
 * Threads that parse and map records beside the one that reads the feeds, shared by all runs of a process. They start when
 * there is work for them, and end when there has been none for a while.
 */
export class MappingThreads {
  private readonly threads = new Set<MappingThread>();
  private readings = 0;
  /** One could not start: the next would not either. */
  private isBroken = false;

  constructor(private readonly options: MappingThreadsOptions) {}

  /** How many there are now. */
  get size(): number {
    return this.threads.size;
  }

  /** For one pass over a feed. @param contextOf tells what the records that follow are mapped with. */
  begin(contextOf: () => MappingContext): ThreadedReading {
    this.readings += 1;
    const { recordsAhead = RECORDS_AHEAD } = this.options;
    return new ThreadedReading(this.threads, this.readings, recordsAhead, contextOf, () => this.findRoom());
  }

  /** Ends all threads. What they have in hand is lost. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  /** A thread that can take one more batch, the least busy first; undefined when all have enough, or are starting. */
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
    const thread = new MappingThread(this.options, {
      onEnd: () => this.threads.delete(thread),
      onFailure: (error) => {
        if (!thread.isReady) this.isBroken = true;
        this.options.onFailure?.(error);
      },
    });
    this.threads.add(thread);
  }
}

/** What threads map for one pass over a feed. */
export class ThreadedReading {
  constructor(
    private readonly threads: ReadonlySet<MappingThread>,
    private readonly id: number,
    /** So many records are mapped before a batch is given away. */
    readonly recordsAhead: number,
    private readonly contextOf: () => MappingContext,
    private readonly findRoom: () => MappingThread | undefined,
  ) {}

  /**
   * Gives a batch away. Its memory is gone then.
   *
   * @returns undefined when no thread has room for it: the caller may as well map it.
   */
  tryMap(records: readonly PlacedRecord[]): Promise<MappedBatch> | undefined {
    const thread = this.findRoom();
    if (thread === undefined) return undefined;
    thread.tell(this.id, this.contextOf());
    return thread.map(this.id, records);
  }

  /** No more batches will come. */
  end(): void {
    for (const thread of this.threads) thread.forget(this.id);
  }
}

interface Waiting {
  resolve(batch: MappedBatch): void;
  reject(error: Error): void;
}

/** One thread, and what it has in hand. */
class MappingThread {
  isReady = false;
  private isOver = false;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  /** What it was told last of each reading: what stands beside its records is another object when it changes. */
  private readonly told = new Map<number, MappingContext['feed']>();
  private lastBatch = 0;
  private answers = 0;
  private readonly idleMs: number;
  private readonly stuckMs: number;
  private idleTimer: NodeJS.Timeout | null = null;

  constructor(
    { idleMs = IDLE_MS, stuckMs = STUCK_MS, script = SCRIPT, execArgv = [] }: MappingThreadsOptions,
    private readonly events: { onEnd: () => void; onFailure: (error: Error) => void },
  ) {
    this.idleMs = idleMs;
    this.stuckMs = stuckMs;
    this.worker = new Worker(script, {
      // Not those of the process: what it loads ahead of itself is not meant for a thread.
      execArgv,
      resourceLimits: MEMORY,
    });
    // Nothing of it keeps a process alive but the batches that somebody waits for.
    this.worker.unref();
    this.worker.on('message', (message: ThreadAnswer) => {
      this.hear(message);
    });
    this.worker.on('error', (error) => {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    });
    this.worker.on('exit', () => {
      if (!this.isOver) this.fail(new Error('a thread that maps records has ended'));
    });
  }

  /** How many it has in hand. */
  get batches(): number {
    return this.waiting.size;
  }

  tell(reading: number, context: MappingContext): void {
    if (this.told.get(reading) === context.feed) return;
    this.told.set(reading, context.feed);
    this.send({ kind: 'context', reading, context });
  }

  map(reading: number, records: readonly PlacedRecord[]): Promise<MappedBatch> {
    this.lastBatch += 1;
    const batch = this.lastBatch;
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.worker.ref();
    this.send({ kind: 'map', reading, batch, records }, [memoryOf(records)]);
    return new Promise((resolve, reject) => {
      this.waiting.set(batch, { resolve, reject });
    });
  }

  /** Nobody waits for the batches of a reading any more. When the thread goes on with one for long, it is ended. */
  forget(reading: number): void {
    if (!this.told.delete(reading)) return;
    this.send({ kind: 'forget', reading });
    if (this.waiting.size === 0) return;
    const { answers } = this;
    setTimeout(() => {
      if (this.waiting.size > 0 && this.answers === answers) void this.end();
    }, this.stuckMs).unref();
  }

  /** What it has in hand is lost. */
  async end(): Promise<void> {
    this.leave(new Error('a thread that maps records was ended'));
    await this.worker.terminate();
  }

  private send(request: ThreadRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(request, transfer);
  }

  private hear(message: ThreadAnswer): void {
    if (message.kind === 'ready') this.isReady = true;
    else {
      const { batch, outcomes, warnings } = message;
      this.answers += 1;
      const waiting = this.waiting.get(batch);
      this.waiting.delete(batch);
      waiting?.resolve({ outcomes: outcomes.map(withBuffers), warnings });
    }
    if (this.waiting.size > 0) return;
    this.worker.unref();
    this.idleTimer = setTimeout(() => void this.end(), this.idleMs).unref();
  }

  private fail(error: Error): void {
    this.leave(error);
    this.events.onFailure(error);
  }

  /** It is no thread of the pool any more. */
  private leave(error: Error): void {
    this.isOver = true;
    this.events.onEnd();
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}

/** The memory that all records of a batch share. */
function memoryOf([first]: readonly PlacedRecord[]): ArrayBuffer {
  const memory = first?.bytes.buffer;
  if (memory instanceof ArrayBuffer) return memory;
  throw new Error('a batch has memory of its own');
}

function withBuffers(outcome: RecordOutcome): RecordOutcome {
  if (outcome.kind !== 'listing') return outcome;
  outcome.normalized = asBuffer(outcome.normalized);
  outcome.raw = asBuffer(outcome.raw);
  outcome.searchFields = asBuffer(outcome.searchFields);
  outcome.searchWords = asBuffer(outcome.searchWords);
  return outcome;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
