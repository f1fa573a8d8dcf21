import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob } from '@passerelle/domain';
import { type QueueConnection, QueueReadOnly } from '@passerelle/queue';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER, QUEUE_CONNECTION } from '../tokens';
import { AddedJobs } from './added-jobs';
import { QueuePauses } from './queue-pauses';
import { answerOfQueue, type QueueState } from './queue-state';

/** Later turns share this priority, in order of arrival, because turns grow and the queue's limit is 2 ** 21 - 1. */
const LAST_PRIORITY = 2 ** 20;
const PATIENCE_MS = 2_000;
/** A check may be lost with its connection, so another check is sent after this time. */
const RECHECK_MS = 30_000;

type IngestJobs = Pick<Queue<IngestJob>, 'addBulk' | 'getPrioritized' | 'getWaitingCount' | 'on'>;

@Injectable()
export class IngestQueue implements OnModuleInit {
  private open: { answer: Promise<QueueState>; checkedAtMs: number } | null = null;
  private readonly jobs: AddedJobs<IngestJob>;

  constructor(
    @InjectQueue(INGEST_QUEUE) private readonly queue: IngestJobs,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(QUEUE_CONNECTION) private readonly store: Pick<QueueConnection, 'assertTakesWrites'>,
    @Inject(QueuePauses) private readonly pauses: Pick<QueuePauses, 'list'>,
  ) {
    this.jobs = new AddedJobs(queue, () => this.state());
  }

  onModuleInit(): void {
    this.queue.on('error', (error) => {
      this.log.error({ err: error }, 'the queue does not answer; trying again');
    });
  }

  /**
   * @param runs `turn` is the job's priority: a thousand gateways of one connector must not delay those of others
   * @throws when the queue's store does not answer in time, or still owes the last answer.
   */
  async announce(runs: readonly (IngestJob & { runId: number; turn: number })[]): Promise<void> {
    await this.jobs.add(
      runs.map(({ runId, gatewayId, trigger, turn }) => ({
        name: INGEST_QUEUE,
        data: { gatewayId, trigger },
        opts: {
          // Job ids are reused, so completed jobs must be removed.
          // A run that becomes another one gets a job with that one's priority.
          jobId: `${trigger === 'remap' ? 'remap' : 'run'}-${runId}`,
          priority: Math.min(turn, LAST_PRIORITY),
          // PostgreSQL stores the history of runs.
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    );
  }

  /** Whether no gateway waits for a worker. It requests a single job, because the queue counts waiting jobs one by one. */
  async isEmpty(): Promise<boolean> {
    return (await answerOfQueue(this.queue.getPrioritized(0, 0))).length === 0;
  }

  /** @throws when the queue's store does not answer. */
  async ping(): Promise<void> {
    await this.queue.getWaitingCount();
  }

  /** Returns immediately if the store has owed an answer for more than two seconds. */
  async state(): Promise<QueueState> {
    const nowMs = performance.now();
    if (this.open === null || nowMs - this.open.checkedAtMs > RECHECK_MS) {
      const answer = this.check();
      const open = { answer, checkedAtMs: nowMs };
      this.open = open;
      void answer.then(() => {
        if (this.open === open) this.open = null;
      });
    }
    const { answer, checkedAtMs } = this.open;
    return answerOfQueue(answer, checkedAtMs + PATIENCE_MS - nowMs).catch(() => 'unavailable');
  }

  private async check(): Promise<QueueState> {
    try {
      await this.ping();
      await this.store.assertTakesWrites();
      return (await this.pauses.list()).length > 0 ? 'paused' : 'ok';
    } catch (error) {
      return error instanceof QueueReadOnly ? 'read-only' : 'unavailable';
    }
  }
}
