import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { INGEST_QUEUE, type IngestJob } from '@passerelle/domain';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER, RUN_GATEWAY } from '../tokens';

/** A killed worker's jobs are taken back after this long, in ms. */
const LOCK_MS = 15_000;

/** Takes jobs off the queue. All that matters happens under the gateway's lease, so a job that comes twice is harmless. */
@Processor(INGEST_QUEUE, {
  lockDuration: LOCK_MS,
  stalledInterval: LOCK_MS / 3,
  // A worker that dies again and again must not lose the job: the run itself counts its attempts.
  maxStalledCount: 1000,
  autorun: false,
})
export class IngestProcessor extends WorkerHost {
  constructor(
    @Inject(RUN_GATEWAY) private readonly runGateway: (gatewayId: number) => Promise<void>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super();
  }

  override async process(job: Job<IngestJob>): Promise<void> {
    await this.runGateway(job.data.gatewayId);
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
