import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { ConnectorRegistry } from '@passerelle/connectors';
import { Database } from '@passerelle/database';
import type { Logger } from 'pino';
import type { IngestorConfig } from './config';
import { IngestQueue } from './queue/ingest-queue';
import { IngestProcessor } from './queue/ingest.processor';
import { Work } from './queue/work';
import { Dispatcher } from './schedule/dispatcher';
import { CONFIG, LOGGER, REGISTRY } from './tokens';

const TICK_MS = 2_000;
/** SIGTERM is followed by SIGKILL after 25 s or more: what takes longer than this is handed over. */
const GRACE_MS = 15_000;

/** Starts and stops the moving parts in their order. */
@Injectable()
export class IngestorLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly dispatcher: Dispatcher;

  constructor(
    @Inject(CONFIG) private readonly config: IngestorConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(REGISTRY) private readonly registry: ConnectorRegistry,
    private readonly database: Database,
    private readonly queue: IngestQueue,
    private readonly processor: IngestProcessor,
    private readonly work: Work,
  ) {
    this.dispatcher = new Dispatcher(
      database,
      queue,
      { everySeconds: config.refreshEverySeconds, tickMs: TICK_MS },
      log,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    const connectors = this.registry.list();
    await this.database.connectors.register(
      connectors.map(({ code, label, type, notes }) => ({ id: code, label, type, notes })),
    );
    this.log.info({ connectors: connectors.map(({ code }) => code) }, 'connectors registered');
    await this.queue.ping();
    this.processor.worker.concurrency = this.config.ingestConcurrency;
    void this.processor.worker.run();
    await this.dispatcher.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    // No new job is taken; those under way end below.
    await this.processor.worker.pause(true);
    await this.work.finish(GRACE_MS);
  }
}
