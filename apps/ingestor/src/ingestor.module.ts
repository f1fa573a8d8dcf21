import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { ConnectorRegistry } from '@passerelle/connectors';
import { Database } from '@passerelle/database';
import { INGEST_QUEUE, SecretBox } from '@passerelle/domain';
import type { QueueConnection } from '@passerelle/queue';
import { Queue, Worker } from 'bullmq';
import type { Logger } from 'pino';
import type { IngestorConfig } from './config';
import { HealthController } from './health/health.controller';
import { runGateway, type RunnerDependencies, type RunnerOptions } from './ingest/run-gateway';
import { LatestFigures } from './metrics/latest-figures';
import { MetricsController } from './metrics/metrics.controller';
import { Metrics } from './metrics/prometheus';
import { IngestQueue } from './queue/ingest-queue';
import { IngestProcessor } from './queue/ingest.processor';
import { IngestorLifecycle } from './lifecycle';
import { Work } from './queue/work';
import { IngestController } from './trigger/ingest.controller';
import { CONFIG, LOGGER, REGISTRY, RUN_GATEWAY } from './tokens';

const LEASE_SECONDS = 15;
const RUN_TIMEOUT_MS = 60 * 60_000;
const FETCH_TIMEOUT_MS = 30 * 60_000;
const FETCH_IDLE_TIMEOUT_MS = 60_000;
const MAX_FEED_BYTES = 4 * 1024 ** 3;
const OVERDUE_PERIODS = 3;
const KEEP_FIGURES_MS = 5_000;
/** Well below the ten seconds that Prometheus grants a scrape. */
const FIGURES_PATIENCE_MS = 2_000;

/** What the ingestor works with; whoever opened the database and the queue closes them after it. */
export interface IngestorParts {
  config: IngestorConfig;
  database: Database;
  queue: QueueConnection;
  registry: ConnectorRegistry;
  log: Logger;
}

// The package of the Nest module loads BullMQ's other build, whose default backend is not the one that was set.
BullModule.queueClass = Queue;
BullModule.workerClass = Worker;

@Module({})
export class IngestorModule {
  static for({ config, database, queue, registry, log }: IngestorParts): DynamicModule {
    const { connection, prefix } = queue;
    return {
      module: IngestorModule,
      imports: [BullModule.forRoot({ connection, prefix }), BullModule.registerQueue({ name: INGEST_QUEUE })],
      controllers: [HealthController, MetricsController, IngestController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: log },
        { provide: REGISTRY, useValue: registry },
        { provide: Database, useValue: database },
        { provide: Work, useValue: new Work() },
        {
          provide: Metrics,
          inject: [Work],
          useFactory: (work: Work) => metricsOf({ config, database, registry }, work),
        },
        {
          provide: RUN_GATEWAY,
          inject: [Work, Metrics],
          useFactory: (work: Work, metrics: Metrics) => {
            const dependencies = {
              ...runnerDependencies({ config, database, registry, log }),
              onRunEnd: metrics.countRun.bind(metrics),
            };
            const options = runnerOptions(config);
            return (gatewayId: number) =>
              work.track((shutdown) => runGateway(gatewayId, dependencies, options, shutdown));
          },
        },
        IngestQueue,
        IngestProcessor,
        IngestorLifecycle,
      ],
    };
  }
}

function metricsOf({ config, database, registry }: Omit<IngestorParts, 'log' | 'queue'>, work: Work): Metrics {
  const options = { everySeconds: config.refreshEverySeconds, overduePeriods: OVERDUE_PERIODS };
  return new Metrics(
    new LatestFigures(() => database.figures(options), { keepMs: KEEP_FIGURES_MS, patienceMs: FIGURES_PATIENCE_MS }),
    {
      connectors: registry.list().map(({ code }) => code),
      runSlots: config.ingestConcurrency,
      runsUnderWay: () => work.count,
    },
  );
}

function runnerDependencies({ config, database, registry, log }: Omit<IngestorParts, 'queue'>): RunnerDependencies {
  const box = config.secretsKey === null ? null : new SecretBox(config.secretsKey);
  return {
    database,
    connectors: registry,
    log,
    openCredentials: box === null ? null : (sealed) => JSON.parse(box.open(sealed)) as Record<string, string>,
    outbound: {
      allowPrivate: config.allowPrivateSources,
      inboxDir: config.inboxDir,
      maxBytes: MAX_FEED_BYTES,
      timeoutMs: FETCH_TIMEOUT_MS,
      idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
    },
  };
}

function runnerOptions(config: IngestorConfig): RunnerOptions {
  return {
    holder: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
    leaseSeconds: LEASE_SECONDS,
    everySeconds: config.refreshEverySeconds,
    runTimeoutMs: RUN_TIMEOUT_MS,
  };
}
