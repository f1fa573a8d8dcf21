import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type ConnectorRegistry, MappingThreads, SpoolBudget } from '@passerelle/connectors';
import { Connectors } from '@passerelle/database';
import type { Logger } from 'pino';
import type { IngestorConfig } from './config';
import { ProcessingSlots } from './ingest/processing-slots';
import { IngestQueue } from './queue/ingest-queue';
import { IngestProcessor } from './queue/ingest.processor';
import { QueuePauses } from './queue/queue-pauses';
import { RunsInFlight } from './queue/runs-in-flight';
import { HostScheduler } from './queue/host-scheduler';
import { Dispatcher } from './schedule/dispatcher';
import { OutboxWorker } from './outbox/outbox-worker';
import { CONFIG, LOGGER, REGISTRY } from './tokens';

/** SIGKILL follows SIGTERM after 25 s or more. A run that takes longer than this time is handed over. */
const GRACE_MS = 15_000;

@Injectable()
export class IngestorLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private hasQueueFailed = false;

  constructor(
    @Inject(CONFIG) private readonly config: IngestorConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(REGISTRY) private readonly registry: ConnectorRegistry,
    private readonly connectors: Connectors,
    private readonly queue: IngestQueue,
    private readonly pauses: QueuePauses,
    private readonly processor: IngestProcessor,
    private readonly inFlight: RunsInFlight,
    private readonly scheduler: HostScheduler,
    private readonly dispatcher: Dispatcher,
    private readonly threads: MappingThreads,
    private readonly spoolBudget: SpoolBudget,
    private readonly slots: ProcessingSlots,
    private readonly outbox: OutboxWorker,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const connectors = this.registry.list();
    await this.connectors.register(
      connectors.map(({ code, label, type, notes, fetch }) => ({
        ...{ id: code, label, type, notes, calls: fetch.kind === 'pushed' ? fetch.webhook : null },
      })),
    );
    this.log.info({ connectors: connectors.map(({ code }) => code) }, 'connectors registered');
    await this.spoolBudget.sweep();
    await this.queue.ping();
    const paused = await this.pauses.end();
    if (paused.length > 0)
      this.log.warn({ queues: paused }, 'resumed paused queues: use "ops pause" to pause gateways');
    this.processor.worker.concurrency = this.config.fetchConcurrency;
    this.processor.worker.on('error', () => (this.hasQueueFailed = true));
    void this.processor.worker.run();
    await this.dispatcher.start();
    await this.outbox.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.scheduler.stop();
    // The worker takes no new job; the runs in flight end below. The dispatcher may be waiting for an unavailable queue.
    await this.processor.worker.pause(true);
    this.slots.stop();
    await Promise.all([this.dispatcher.stop(), this.outbox.stop(), this.inFlight.finish(GRACE_MS)]);
    await this.threads.close();
    await this.leaveQueueThatFailed();
  }

  /** A normal close may wait forever for the worker's connection if Redis was unavailable or refused writes. */
  private async leaveQueueThatFailed(): Promise<void> {
    const isAway = (await this.queue.state()) === 'unavailable';
    if (isAway)
      this.log.warn('the queue does not answer: stopping without closing its connection; runs wait in the database');
    if (isAway || this.hasQueueFailed) await this.processor.worker.close(true);
  }
}
