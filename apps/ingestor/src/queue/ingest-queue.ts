import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob, type RunTrigger } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';

/** Lower is sooner: somebody waits for the first read, an operator watches, the schedule is patient. */
const PRIORITY: Record<RunTrigger, number> = {
  'first-read': 1,
  ops: 2,
  'dry-run': 2,
  http: 2,
  'stale-read': 5,
  retry: 10,
  schedule: 10,
};

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

  /** Puts a gateway on the queue unless it is there already. */
  async announce(gatewayId: number, trigger: RunTrigger): Promise<void> {
    await this.queue.add(
      INGEST_QUEUE,
      { gatewayId, trigger },
      {
        deduplication: { id: String(gatewayId) },
        priority: PRIORITY[trigger],
        // The history of runs lives in PostgreSQL.
        removeOnComplete: true,
        removeOnFail: { count: 100 },
      },
    );
  }

  /** @throws when the queue's store does not answer. */
  async ping(): Promise<void> {
    await this.queue.getWaitingCount();
  }
}
