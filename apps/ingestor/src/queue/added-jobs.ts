import type { Queue } from 'bullmq';
import { answerOfQueue, type QueueState, unanswered } from './queue-state';

/** A paused queue takes jobs: it gives none to workers. */
const TAKES_JOBS: readonly QueueState[] = ['ok', 'paused'];

/**
 * Adds jobs to a queue, and no others while the store still owes an answer: its client keeps in memory whatever it is asked in an outage,
 * and sends all of it when the store is back.
 */
export class AddedJobs<Data> {
  private owed: Promise<unknown> | null = null;

  /** @param state of the queue's store */
  constructor(
    private readonly queue: Pick<Queue<Data>, 'addBulk'>,
    private readonly state: () => Promise<QueueState>,
  ) {}

  /** @throws when the queue's store does not answer in time, or still owes the last answer. */
  async add(jobs: Parameters<Queue<Data>['addBulk']>[0]): Promise<void> {
    // An answer is lost with its connection at times: where the store answers other questions by now, it does not come any more.
    if (this.owed !== null && !TAKES_JOBS.includes(await this.state())) throw unanswered();
    const added = this.queue.addBulk(jobs);
    this.owed = added;
    const forget = (): void => {
      if (this.owed === added) this.owed = null;
    };
    added.then(forget, forget);
    await answerOfQueue(added);
  }
}
