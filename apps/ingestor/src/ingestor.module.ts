import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { type ConnectorRegistry, MappingThreads } from '@passerelle/connectors';
import { IngestorDatabaseModule } from '@passerelle/database';
import { INGEST_QUEUE } from '@passerelle/domain';
import { openMedia } from '@passerelle/media';
import type { QueueConnection } from '@passerelle/queue';
import { NO_TRACES, type Traces } from '@passerelle/traces';
import type { Logger } from 'pino';
import { GuessedTokens } from './access/guessed-tokens';
import { OpsErrorFilter } from './access/ops-error.filter';
import { QueueBoard } from './board/queue-board';
import type { IngestorConfig } from './config';
import { HealthController } from './health/health.controller';
import { GatewayFeeds } from './ingest/gateway-feeds';
import { GatewayRunner } from './ingest/gateway-runner';
import { Ingest } from './ingest/ingest';
import { outboundPolicy } from './ingest/outbound-policy';
import { PhotoIntakes } from './ingest/photo-intake';
import { RunWatch } from './ingest/run-watch';
import { runnerOptions } from './ingest/runner-options';
import { SourceSecrets } from './ingest/source-secrets';
import { IngestorLifecycle } from './lifecycle';
import { RunEnds } from './ingest/run-end';
import { LatestFigures } from './metrics/latest-figures';
import { MetricsController } from './metrics/metrics.controller';
import { Metrics } from './metrics/prometheus';
import { IngestQueue } from './queue/ingest-queue';
import { IngestProcessor } from './queue/ingest.processor';
import { QueueConnectionModule } from './queue/queue-connection.module';
import { RunsInFlight } from './queue/runs-in-flight';
import { Turns } from './queue/turns';
import { Dispatcher } from './schedule/dispatcher';
import { HistoryPruning } from './schedule/history-pruning';
import { PhotoPruning } from './schedule/photo-pruning';
import {
  CONFIG,
  LOGGER,
  MEDIA,
  OUTBOUND,
  PHOTO_BASE_URL,
  QUEUE_CONNECTION,
  REGISTRY,
  RUNNER_OPTIONS,
  TRACES,
} from './tokens';
import { IngestController } from './trigger/ingest.controller';

/** What the process brings along. */
export interface IngestorParts {
  config: IngestorConfig;
  registry: ConnectorRegistry;
  log: Logger;
  traces?: Traces;
}

@Module({})
export class IngestorModule {
  static forRoot({ config, registry, log, traces = NO_TRACES }: IngestorParts): DynamicModule {
    const database = IngestorDatabaseModule.forRoot({
      url: config.databaseUrl,
      applicationName: 'passerelle-ingestor',
      // Two for each run, which stores a batch while it renews its lease; the others for the dispatcher and the ops port.
      poolSize: config.databasePool ?? config.ingestConcurrency * 2 + 4,
      statementTimeoutMs: 120_000,
    });
    const connection = QueueConnectionModule.forRoot(config, database);
    const queues = BullModule.forRootAsync({
      imports: [connection],
      inject: [QUEUE_CONNECTION],
      useFactory: ({ connection: place, prefix }: QueueConnection) => ({ connection: place, prefix }),
    });
    return {
      module: IngestorModule,
      imports: [database, connection, queues, BullModule.registerQueue({ name: INGEST_QUEUE })],
      controllers: [HealthController, MetricsController, IngestController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: REGISTRY, useValue: registry },
        { provide: LOGGER, useValue: log },
        { provide: TRACES, useValue: traces },
        { provide: MappingThreads, useFactory: () => mappingThreads(config, log) },
        { provide: OUTBOUND, useValue: outboundPolicy(config) },
        { provide: MEDIA, useFactory: () => openMedia(config.media.place) },
        { provide: PHOTO_BASE_URL, useValue: config.media.baseUrl },
        { provide: RUNNER_OPTIONS, useValue: runnerOptions(config) },
        { provide: APP_FILTER, useClass: OpsErrorFilter },
        GuessedTokens,
        SourceSecrets,
        PhotoIntakes,
        GatewayFeeds,
        Ingest,
        RunWatch,
        GatewayRunner,
        RunsInFlight,
        Turns,
        IngestQueue,
        IngestProcessor,
        PhotoPruning,
        HistoryPruning,
        Dispatcher,
        LatestFigures,
        Metrics,
        { provide: RunEnds, useExisting: Metrics },
        QueueBoard,
        IngestorLifecycle,
      ],
    };
  }
}

function mappingThreads({ mappingThreads: most }: IngestorConfig, log: Logger): MappingThreads {
  return new MappingThreads({
    most,
    onFailure: (error) => {
      log.error({ err: error }, 'a thread that maps records has failed');
    },
  });
}
