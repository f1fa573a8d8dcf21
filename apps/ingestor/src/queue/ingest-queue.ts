import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob, type RunTrigger } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';

/** Gateways that are further behind share this priority: the queue's own limit is 2 ** 21 - 1. */
const LAST_TURN = 2 ** 20;

/** Puts gateways on the queue, from which the workers of all ingestors take them. */
@Injectable()
export class IngestQueue implements OnModuleInit {
  constructor(
    @InjectQueue(INGEST_QUEUE) private readonly queue: Queue<IngestJob>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    this.queue.on('error', (error) => {
      this.log.error({ err: error }, 'the queue does not answer; trying again');
    });
  }

  /**
   * Puts a gateway on the queue unless it is there already.
   *
   * @param turn the gateway's place among the waiting gateways of its connector. It is the job's priority, so that a
   *   thousand gateways of one connector do not keep the first gateway of another one waiting.
   */
  async announce(gatewayId: number, trigger: RunTrigger, turn: number): Promise<void> {
    await this.queue.add(
      INGEST_QUEUE,
      { gatewayId, trigger },
      {
        deduplication: { id: String(gatewayId) },
        priority: Math.min(turn, LAST_TURN),
        // The history of runs lives in PostgreSQL.
        removeOnComplete: true,
        removeOnFail: { count: 100 },
      },
    );
  }

  /** Gives a gateway that waits on the queue an earlier place. */
  async moveForward(gatewayId: number, turn: number): Promise<void> {
    const jobId = await this.queue.getDeduplicationJobId(String(gatewayId));
    const job = jobId === null ? undefined : await this.queue.getJob(jobId);
    // A worker may have taken the job by now.
    if (job === undefined || (await job.getState()) !== 'prioritized') return;
    await job.changePriority({ priority: Math.min(turn, LAST_TURN) });
  }

  /** @throws when the queue's store does not answer. */
  async ping(): Promise<void> {
    await this.queue.getWaitingCount();
  }
}
