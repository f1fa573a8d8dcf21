import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob, type RunTrigger } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';

/** The queue's latest place. */
const LAST_TURN = 2 ** 20;

/** The queue's giving end. */
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
   * @param turn its place among the waiting gateways of its connector: a thousand of one connector that are asked for at
   *   once leave the first place to the next gateway of any other.
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

  /** Gives a gateway that waits on the queue a place further in front. */
  async moveForward(gatewayId: number, turn: number): Promise<void> {
    const jobId = await this.queue.getDeduplicationJobId(String(gatewayId));
    const job = jobId === null ? undefined : await this.queue.getJob(jobId);
    // What has been taken up in the meantime needs no place any more.
    if (job === undefined || (await job.getState()) !== 'prioritized') return;
    await job.changePriority({ priority: Math.min(turn, LAST_TURN) });
  }

  /** For the board, which shows it as it is. */
  get inner(): Queue<IngestJob> {
    return this.queue;
  }

  /** @throws when the queue's store does not answer. */
  async ping(): Promise<void> {
    await this.queue.getWaitingCount();
  }
}
