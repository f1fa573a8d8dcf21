import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { WEBHOOK_QUEUE, type WebhookJob } from '@passerelle/domain';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { WebhookSender } from './webhook-sender';

/** Endpoints that one process sends to at a time. They take no slot of a run. */
const CONCURRENCY = 100;
const LOCK_MS = 30_000;

/** Takes endpoints from the queue. Only one process sends to an endpoint, so a job that is delivered twice does no harm. */
@Processor(WEBHOOK_QUEUE, {
  ...{ concurrency: CONCURRENCY, lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 3 },
  // What nobody took up is announced again.
  maxStalledCount: 1000,
  autorun: false,
})
export class WebhookProcessor extends WorkerHost {
  private readonly shutdown = new AbortController();

  constructor(
    private readonly sender: WebhookSender,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super();
  }

  override async process(job: Job<WebhookJob>): Promise<void> {
    await this.sender.send(job.data.endpointId, this.shutdown.signal);
  }

  /** Ends the requests that are under way: their messages are sent again. */
  stop(): void {
    this.shutdown.abort();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.error({ err: error }, 'the queue of webhooks does not answer; trying again');
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<WebhookJob> | undefined, error: Error): void {
    this.log.error({ err: error, endpoint: job?.data.endpointId }, 'messages to a webhook could not be sent');
  }
}
