import { join } from 'node:path';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { RecordOutcome } from '../../contracts';
import { withFileContents } from '../prepared-record';
import { cpuMsOf } from './cpu-clock';
import type { MappedBatch, MappingContext, PreparedBatch, ThreadAnswer, ThreadRequest, ThreadWork } from './messages';

/** How threads run; tests set other values. */
export interface ThreadOptions {
  /** How long a thread may be idle before it ends and frees its memory; default 5 s. */
  idleMs?: number;
  /** How long an abandoned thread may take to finish its batch; default 10 s. */
  stuckMs?: number;
  /** How much CPU time a thread may take for one batch before it is ended; default 5 s. */
  cpuMs?: number;
  /** The script of a thread, and Node's options for it; default the compiled `mapping-thread`. */
  script?: string;
  execArgv?: string[];
}

const IDLE_MS = 5_000;
const STUCK_MS = 10_000;
export const CPU_MS = 5_000;
const CHECK_EVERY_MS = 200;
/**
 * Where CPU time cannot be read, only this share of the elapsed time counts, because a busy machine takes several times
 * as long.
 */
const CLOCK_SHARE = 0.2;
const isCompiled = __filename.endsWith('.js');
const SCRIPT = join(__dirname, isCompiled ? 'mapping-thread.js' : 'mapping-thread.ts');
/** Replaces the Node options of the process, because the modules that they preload are not meant for a thread. */
const EXEC_ARGV = isCompiled ? [] : ['--require', createRequire(__filename).resolve('tsx/cjs')];

/** The thread was ended because its first batch took too much CPU time. */
export class TooSlow extends Error {
  /** @param recordId the id of the batch's only record, if it could be read. */
  constructor(readonly recordId: string | undefined) {
    super('mapping took too long');
  }
}

/** The thread was ended because of another batch. */
export class Displaced extends Error {}

interface Waiting {
  resolve(answer: ThreadAnswer): void;
  reject(error: Error): void;
  recordId: string | undefined;
}

interface ThreadEvents {
  onEnd: () => void;
  onFailure: (error: Error) => void;
}

export class MappingThread {
  isReady = false;
  private isOver = false;
  private readonly worker: Worker;
  /** The unfinished batches, in the order in which the thread takes them. */
  private readonly waiting = new Map<number, Waiting>();
  /** The last context sent for each reading; a changed context is a different object. */
  private readonly contexts = new Map<number, MappingContext['feed']>();
  private lastBatch = 0;
  private answers = 0;
  private taskId: number | null = null;
  /** When the thread began its first unfinished batch, in CPU time and in elapsed time. */
  private begun = { cpuMs: null as number | null, atMs: 0 };
  private idleTimer: NodeJS.Timeout | null = null;
  private watch: NodeJS.Timeout | null = null;

  constructor(
    private readonly options: ThreadOptions,
    resourceLimits: { maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number },
    private readonly events: ThreadEvents,
  ) {
    const { script = SCRIPT, execArgv = options.script === undefined ? EXEC_ARGV : [] } = options;
    this.worker = new Worker(script, { execArgv, resourceLimits });
    // Only unfinished batches keep the process alive.
    this.worker.unref();
    this.worker.on('message', (message: ThreadAnswer) => {
      this.onMessage(message);
    });
    this.worker.on('error', (error) => {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    });
    this.worker.on('exit', () => {
      if (!this.isOver) this.fail(new Error('a thread that maps records has ended'));
    });
  }

  /** The number of unfinished batches. */
  get batches(): number {
    return this.waiting.size;
  }

  setContext(reading: number, context: MappingContext): void {
    if (this.contexts.get(reading) === context.feed) return;
    this.contexts.set(reading, context.feed);
    this.send({ kind: 'context', reading, context });
  }

  /** @throws TooSlow; Displaced; the error that ended the thread. */
  async map(reading: number, work: Extract<ThreadWork, { kind: 'map' }>): Promise<MappedBatch> {
    const answer = await this.request(reading, work);
    if (answer.kind !== 'mapped') throw new Error('a thread sent an unexpected answer');
    return { outcomes: answer.outcomes.map(withBuffers), warnings: answer.warnings };
  }

  /** Like `map`, for a record whose photos may be files. */
  async prepare(reading: number, work: Extract<ThreadWork, { kind: 'prepare' }>): Promise<PreparedBatch> {
    const answer = await this.request(reading, work);
    if (answer.kind !== 'prepared') throw new Error('a thread sent an unexpected answer');
    return { prepared: withFileContents(answer.prepared), warnings: answer.warnings };
  }

  /** Drops the batches of this reading. A thread that continues with one of them for too long is terminated. */
  forget(reading: number): void {
    if (!this.contexts.delete(reading)) return;
    this.send({ kind: 'forget', reading });
    if (this.waiting.size === 0) return;
    const { answers } = this;
    setTimeout(() => {
      if (this.waiting.size > 0 && this.answers === answers) void this.end();
    }, this.options.stuckMs ?? STUCK_MS).unref();
  }

  async end(): Promise<void> {
    const error = new Error('a thread that maps records was ended');
    this.leave(() => error);
    await this.worker.terminate();
  }

  private request(reading: number, work: ThreadWork): Promise<ThreadAnswer> {
    this.lastBatch += 1;
    const batch = this.lastBatch;
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.worker.ref();
    if (this.waiting.size === 0) this.noteBegin();
    this.watch ??= setInterval(() => {
      this.checkCpuTime();
    }, CHECK_EVERY_MS).unref();
    this.send({ ...work, reading, batch });
    return new Promise((resolve, reject) => {
      this.waiting.set(batch, { resolve, reject, recordId: undefined });
    });
  }

  private send(request: ThreadRequest): void {
    this.worker.postMessage(request);
  }

  private onMessage(message: ThreadAnswer): void {
    if (message.kind === 'ready') {
      this.isReady = true;
      this.taskId = message.taskId;
    } else if (message.kind === 'identified') {
      const waiting = this.waiting.get(message.batch);
      if (waiting !== undefined) waiting.recordId = message.recordId;
      return;
    } else {
      this.answers += 1;
      const waiting = this.waiting.get(message.batch);
      this.waiting.delete(message.batch);
      waiting?.resolve(message);
    }
    if (this.waiting.size > 0) {
      this.noteBegin();
      return;
    }
    this.stopWatch();
    this.worker.unref();
    this.idleTimer = setTimeout(() => void this.end(), this.options.idleMs ?? IDLE_MS).unref();
  }

  private noteBegin(): void {
    this.begun = { cpuMs: cpuMsOf(this.taskId), atMs: performance.now() };
  }

  /** Ends the thread when its first batch has taken too much CPU time. The time to start does not count. */
  private checkCpuTime(): void {
    if (!this.isReady) return;
    const { cpuMs, atMs } = this.begun;
    const now = cpuMsOf(this.taskId);
    const takenMs = now === null || cpuMs === null ? (performance.now() - atMs) * CLOCK_SHARE : now - cpuMs;
    if (takenMs <= (this.options.cpuMs ?? CPU_MS)) return;
    this.leave(({ recordId }, index) => (index === 0 ? new TooSlow(recordId) : new Displaced()));
    void this.worker.terminate();
  }

  private stopWatch(): void {
    if (this.watch !== null) clearInterval(this.watch);
    this.watch = null;
  }

  private fail(error: Error): void {
    this.leave(() => error);
    this.events.onFailure(error);
  }

  private leave(errorOf: (waiting: Waiting, index: number) => Error): void {
    this.isOver = true;
    this.events.onEnd();
    this.stopWatch();
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    [...this.waiting.values()].forEach((waiting, index) => {
      waiting.reject(errorOf(waiting, index));
    });
    this.waiting.clear();
  }
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
