import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection, type DueEndpoint, DueWebhooks, type Notifications } from '@passerelle/database';
import { WEBHOOK_DUE_CHANNEL, WEBHOOK_QUEUE, type WebhookJob } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { AddedJobs } from '../queue/added-jobs';
import { IngestQueue } from '../queue/ingest-queue';
import { Ticks } from '../ticks';
import { CONFIG, LOGGER } from '../tokens';

/** How often to look through all that waits: for pauses that are over, and for what nobody took up. */
const TICK_MS = 1_000;
/** An endpoint that still waits is put on the queue again after this time: the queue may have lost it. */
const ANNOUNCED_SECONDS = 15;
const BATCH = 500;
/** Between two such looks only so many of the newest messages are looked at. */
const NEWEST = 300;
/** Of those that fail, in all ingestors: they may take their fifteen seconds each. */
const MOST_FAILING = 20;
/** How often to look for lists that nobody has confirmed for long. */
const STALE_MS = 5_000;

/** Brings endpoints for which something waits from PostgreSQL to the queue. Every ingestor does: each takes others. */
@Injectable()
export class WebhookDispatcher {
  private notifications: Notifications | null = null;
  private readonly ticks = new Ticks(
    () => this.tick(),
    (error) => {
      this.log.error({ err: error }, 'webhooks could not be brought to the queue; trying again');
      return TICK_MS;
    },
  );
  private readonly jobs: AddedJobs<WebhookJob>;
  private isStopped = false;
  private staleAtMs = 0;
  private wholeAtMs = -Infinity;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly due: DueWebhooks,
    @InjectQueue(WEBHOOK_QUEUE) private readonly queue: Pick<Queue<WebhookJob>, 'addBulk' | 'on'>,
    @Inject(IngestQueue) runs: Pick<IngestQueue, 'state'>,
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'snapshotTtlSeconds'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    // One store has both queues.
    this.jobs = new AddedJobs(queue, () => runs.state());
  }

  async start(): Promise<void> {
    this.queue.on('error', (error) => {
      this.log.error({ err: error }, 'the queue of webhooks does not answer; trying again');
    });
    this.notifications = this.connection.notifications([WEBHOOK_DUE_CHANNEL], {
      onNotification: () => {
        this.ticks.soon();
      },
      onStateChange: () => undefined,
    });
    await this.notifications.start();
    this.ticks.soon();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.notifications?.close();
    await this.ticks.stop();
  }

  private async tick(): Promise<number> {
    if (performance.now() - this.staleAtMs >= STALE_MS) {
      this.staleAtMs = performance.now();
      await this.due.tellStale(this.config.snapshotTtlSeconds);
    }
    await this.bringToQueue();
    return this.untilWholeMs();
  }

  /** The time until all that waits is looked through again. */
  private untilWholeMs(): number {
    return Math.max(0, this.wholeAtMs + TICK_MS - performance.now());
  }

  private async bringToQueue(): Promise<void> {
    if (performance.now() - this.wholeAtMs < TICK_MS) {
      const due = await this.due.takeNew({ limit: BATCH, seconds: ANNOUNCED_SECONDS, newest: NEWEST });
      if (due.length > 0) await this.announce(due);
      return;
    }
    this.wholeAtMs = performance.now();
    for (;;) {
      const due = await this.due.takeDue({
        ...{ limit: BATCH, seconds: ANNOUNCED_SECONDS, mostFailing: MOST_FAILING },
      });
      if (due.length > 0) await this.announce(due);
      if (due.length < BATCH || this.isStopped) return;
    }
  }

  private async announce(due: readonly DueEndpoint[]): Promise<void> {
    try {
      await this.jobs.add(
        due.map(({ endpointId, fence }) => ({
          name: WEBHOOK_QUEUE,
          data: { endpointId },
          // Once, until somebody takes it up: from then on it has another fence.
          opts: { jobId: `endpoint-${endpointId}-${fence}`, removeOnComplete: true, removeOnFail: true },
        })),
      );
    } catch (error) {
      await this.due.giveBack(due.map(({ endpointId }) => endpointId));
      throw error;
    }
  }
}
