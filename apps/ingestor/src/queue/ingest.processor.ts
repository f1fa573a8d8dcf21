import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob } from '@passerelle/domain';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { HostScheduler } from './host-scheduler';

/** After this time another worker gets the jobs of a killed worker. */
const LOCK_MS = 15_000;

/** Takes jobs from the queue. A run needs the gateway's lease, so a job that is delivered twice does no harm. */
@Processor(INGEST_QUEUE, {
  lockDuration: LOCK_MS,
  stalledInterval: LOCK_MS / 3,
  // The queue must never drop a job after crashes, because the run itself counts its attempts.
  maxStalledCount: 1000,
  autorun: false,
})
export class IngestProcessor extends WorkerHost {
  constructor(
    private readonly scheduler: HostScheduler,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super();
  }

  override async process(job: Job<IngestJob>): Promise<void> {
    await this.scheduler.run(job.data.gatewayId);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.error({ err: error }, 'the queue does not answer; trying again');
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<IngestJob> | undefined, error: Error): void {
    this.log.error({ err: error, gateway: job?.data.gatewayId }, 'a job failed');
  }
}
