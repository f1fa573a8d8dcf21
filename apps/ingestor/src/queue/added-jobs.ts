import type { Queue } from 'bullmq';
import { answerOfQueue, type QueueState, unanswered } from './queue-state';

/** A paused queue accepts jobs but gives none to workers. */
const TAKES_JOBS: readonly QueueState[] = ['ok', 'paused'];

/** Adds nothing while the store owes an answer, because in an outage the client keeps all commands in memory. */
export class AddedJobs<Data> {
  private pending: Promise<unknown> | null = null;

  constructor(
    private readonly queue: Pick<Queue<Data>, 'addBulk'>,
    private readonly state: () => Promise<QueueState>,
  ) {}

  /** @throws when the queue's store does not answer in time, or still owes the last answer. */
  async add(jobs: Parameters<Queue<Data>['addBulk']>[0]): Promise<void> {
    // An answer can be lost with its connection: when the store answers other requests, it will not arrive.
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
