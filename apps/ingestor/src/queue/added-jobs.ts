import type { Queue } from 'bullmq';
import { answerOfQueue, type QueueState, unanswered } from './queue-state';

/** A paused queue accepts jobs but gives none to workers. */
const TAKES_JOBS: readonly QueueState[] = ['ok', 'paused'];

/**
 * Adds jobs to a queue, but not while the store owes an answer: during an outage its client keeps all commands in memory, and
 * sends them when the store is back.
 */
export class AddedJobs<Data> {
  private pending: Promise<unknown> | null = null;

  /** @param state of the queue's store */
  constructor(
    private readonly queue: Pick<Queue<Data>, 'addBulk'>,
    private readonly state: () => Promise<QueueState>,
  ) {}

  /** @throws when the queue's store does not answer in time, or still owes the last answer. */
  async add(jobs: Parameters<Queue<Data>['addBulk']>[0]): Promise<void> {
    // An answer is sometimes lost with its connection. If the store answers other requests by now, the missing answer
    // will not arrive.
    if (this.pending !== null && !TAKES_JOBS.includes(await this.state())) throw unanswered();
    const added = this.queue.addBulk(jobs);
    this.pending = added;
    const forget = (): void => {
      if (this.pending === added) this.pending = null;
    };
    added.then(forget, forget);
    await answerOfQueue(added);
  }
}
