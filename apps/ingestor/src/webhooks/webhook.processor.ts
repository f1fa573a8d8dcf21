import { setTimeout as sleep } from 'node:timers/promises';
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
/** An endpoint that takes longer gives its place to another one, and is waited for beside. */
const PLACE_MS = 1_000;
/** Of these; more keep their places. A request that waits costs a connection and little else. */
const MOST_SLOW = 1_000;

/** Takes endpoints from the queue. Only one process sends to an endpoint, so a job that is delivered twice does no harm. */
@Processor(WEBHOOK_QUEUE, {
  ...{ concurrency: CONCURRENCY, lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 3 },
  // What nobody took up is announced again.
  maxStalledCount: 1000,
  autorun: false,
})
export class WebhookProcessor extends WorkerHost {
  private readonly shutdown = new AbortController();
  private readonly slow = new Set<Promise<void>>();

  constructor(
    private readonly sender: WebhookSender,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super();
  }

  override async process(job: Job<WebhookJob>): Promise<void> {
    const { endpointId } = job.data;
    const sending = this.sender.send(endpointId, this.shutdown.signal);
    if (await isOverWithin(sending, PLACE_MS)) return;
    if (this.slow.size >= MOST_SLOW) return sending;
    // The lease of the endpoint goes on, not the job: nobody else sends to it meanwhile.
    const ended = sending.catch((error: unknown) => {
      this.logFailure(endpointId, error);
    });
    this.slow.add(ended);
    void ended.then(() => this.slow.delete(ended));
  }

  /** Ends the requests that are under way: their messages are sent again. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    await Promise.all(this.slow);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.error({ err: error }, 'the queue of webhooks does not answer; trying again');
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<WebhookJob> | undefined, error: Error): void {
    this.logFailure(job?.data.endpointId, error);
  }

  private logFailure(endpoint: number | undefined, error: unknown): void {
    this.log.error({ err: error, endpoint }, 'messages to a webhook could not be sent');
  }
}

/** @throws what the work throws within that time. */
async function isOverWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(ms, false, { signal: over.signal }).catch(() => false)]);
  } finally {
    over.abort();
  }
}
