import type { Rejection } from '@passerelle/domain';
import type { RecordOutcome } from '../../contracts';
import { positionInFeed } from '../rejections';
import { hasCode } from '../time-limit';
import type { PlacedRecord } from './messages';
import { CPU_MS, MappingThread, type ThreadOptions, TooSlow } from './thread';

/** How many records may have their own thread at the same time, in all runs of a process. */
const MOST_AT_ONCE = 2;
/** The second try keeps a slow machine from rejecting a good record. */
const TRIES = 2;
/** A record may have 16 MB plus pictures; its text, parsed form and listing are in memory at the same time. */
const MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 768 };

type Rejected = Extract<RecordOutcome, { kind: 'rejected' }>;

/**
 * Maps each large or slow record in its own thread. Rejects a record that is too slow twice, or needs too much memory
 * once.
 */
export class LoneRecords {
  readonly threads = new Set<MappingThread>();
  private readonly queue: (() => void)[] = [];
  private atWork = 0;

  constructor(
    private readonly options: ThreadOptions,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** @param work gets `isLast` when no other try follows @returns the result, or the rejection for time or memory. */
  async run<T>(
    record: PlacedRecord,
    work: (thread: MappingThread, isLast: boolean) => Promise<T>,
  ): Promise<{ done: T } | { rejected: Rejected }> {
    for (let left = TRIES; ; left -= 1) {
      try {
        return { done: await this.inTurn((thread) => work(thread, left === 1)) };
      } catch (error) {
        if (isOutOfMemory(error))
          return {
            rejected: rejected(
              record,
              'too_large',
              'mapping the record exceeds the memory limit of a record',
              undefined,
            ),
          };
        if (!(error instanceof TooSlow)) throw error;
        if (left > 1) continue;
        const seconds = (this.options.cpuMs ?? CPU_MS) / 1_000;
        const message = `mapping the record took more than ${String(seconds)} s of computing time in both attempts`;
        return { rejected: rejected(record, 'too_slow', message, error.recordId) };
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private async inTurn<T>(work: (thread: MappingThread) => Promise<T>): Promise<T> {
    if (this.atWork < MOST_AT_ONCE) this.atWork += 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work(this.idleThread());
    } finally {
      const next = this.queue.shift();
      if (next === undefined) this.atWork -= 1;
      else next();
    }
  }

  private idleThread(): MappingThread {
    for (const thread of this.threads) if (thread.batches === 0) return thread;
    const thread = new MappingThread(this.options, MEMORY, {
      onEnd: () => this.threads.delete(thread),
      onFailure: (error) => {
        if (!isOutOfMemory(error)) this.onFailure(error);
      },
    });
    this.threads.add(thread);
    return thread;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY');
}

function rejected(
  { position, ...place }: PlacedRecord,
  code: Rejection['code'],
  message: string,
  recordId: string | undefined,
): Rejected {
  const rejection: Rejection = {
    position,
    ...(recordId !== undefined && { recordId }),
    code,
    message,
    excerpt: positionInFeed(place),
  };
  return { kind: 'rejected', position, rejection };
}
