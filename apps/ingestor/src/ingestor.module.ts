import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { type ConnectorRegistry, MappingThreads, SpoolBudget } from '@passerelle/connectors';
import { DatabaseModule, Installation, POOL_SIZES } from '@passerelle/database';
import { INGEST_QUEUE, KeyHashes, SecretBox } from '@passerelle/domain';
import { openMedia } from '@passerelle/media';
import type { QueueConnection } from '@passerelle/queue';
import { NO_TRACES, type Traces } from '@passerelle/traces';
import { connectionName } from '@passerelle/settings';
import type { Logger } from 'pino';
import { InvalidTokenLimiter } from './access/invalid-token-limiter';
import { OpsErrorFilter } from './access/ops-error.filter';
import { QueueBoard } from './board/queue-board';
import type { IngestorConfig } from './config';
import { HealthController } from './health/health.controller';
import { NotifiedListings } from './ingest/notified-listings';
import { FeedbackNotes } from './ingest/feedback-notes';
import { GatewayFeeds, SlowSources } from './ingest/gateway-feeds';
import { GatewayRunner } from './ingest/gateway-runner';
import { Ingest } from './ingest/ingest';
import { ListProtection } from './ingest/list-protection';
import { outboundPolicy, runnerOptions, spoolBudgetOf } from './ingest/run-settings';
import { PhotoIntakes } from './ingest/photo-intake';
import { RunPreparation } from './ingest/run-preparation';
import { Remapping } from './ingest/remapping';
import { Reverting } from './ingest/reverting';
import { RunWatch } from './ingest/run-watch';
import { GatewayMemories } from './ingest/source-memory';
import { SourceSecrets } from './ingest/source-secrets';
import { ProcessingSlots } from './ingest/processing-slots';
import { IngestorLifecycle } from './lifecycle';
import { RunEnds } from './ingest/run-end';
import { MetricsSnapshot } from './metrics/metrics-snapshot';
import { MetricsController } from './metrics/metrics.controller';
import { Metrics } from './metrics/prometheus';
import { ReadingGauges } from './metrics/reading-gauges';
import { OUTBOX_PROVIDERS } from './outbox/deliveries';
import { IngestQueue } from './queue/ingest-queue';
import { QueuePauses } from './queue/queue-pauses';
import { IngestProcessor } from './queue/ingest.processor';
import { QueueConnectionModule } from './queue/queue-connection.module';
import { RunsInFlight } from './queue/runs-in-flight';
import { HostScheduler } from './queue/host-scheduler';
import { ClockRepair } from './schedule/clock-repair';
import { Dispatcher } from './schedule/dispatcher';
import { HistoryPruning } from './schedule/history-pruning';
import { KeyRenewal } from './schedule/key-renewal';
import { RemapPlanning } from './schedule/remap-planning';
import { PhotoPruning } from './schedule/photo-pruning';
import {
  CONFIG,
  RENEWED_HASHES,
  LOGGER,
  MEDIA,
  OUTBOUND,
  PHOTO_BASE_URL,
  QUEUE_CONNECTION,
  REGISTRY,
  RUNNER_OPTIONS,
  SECRET_BOX,
  TRACES,
} from './tokens';
import { IngestController } from './trigger/ingest.controller';
import { WaitingReports } from './pending-reports';

export interface IngestorDependencies {
  config: IngestorConfig;
  registry: ConnectorRegistry;
  log: Logger;
  traces?: Traces;
}

@Module({})
export class IngestorModule {
  static forRoot({ config, registry, log, traces = NO_TRACES }: IngestorDependencies): DynamicModule {
    const database = DatabaseModule.forRoot('ingestor', {
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      applicationName: connectionName('ingestor'),
      poolSize: config.databasePool ?? POOL_SIZES.ingestor(config.ingestConcurrency),
      statementTimeoutMs: 120_000,
      secretsKeys: config,
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
        { provide: SpoolBudget, useFactory: () => spoolBudgetOf(config) },
        {
          provide: OUTBOUND,
          inject: [SpoolBudget],
          useFactory: (budget: SpoolBudget) => outboundPolicy(config, budget),
        },
        { provide: SECRET_BOX, useValue: secretBox(config) },
        {
          provide: RENEWED_HASHES,
          inject: [Installation],
          useFactory: async (installation: Installation) => keyHashes(config, await installation.keyPepper()),
        },
        { provide: MEDIA, useFactory: () => openMedia(config.media.location) },
        { provide: PHOTO_BASE_URL, useValue: config.media.baseUrl },
        { provide: RUNNER_OPTIONS, useValue: runnerOptions(config) },
        { provide: APP_FILTER, useClass: OpsErrorFilter },
        InvalidTokenLimiter,
        SourceSecrets,
        GatewayMemories,
        PhotoIntakes,
        SlowSources,
        ProcessingSlots,
        GatewayFeeds,
        NotifiedListings,
        FeedbackNotes,
        ListProtection,
        RunPreparation,
        Ingest,
        Reverting,
        Remapping,
        RunWatch,
        GatewayRunner,
        RunsInFlight,
        HostScheduler,
        QueuePauses,
        IngestQueue,
        IngestProcessor,
        PhotoPruning,
        HistoryPruning,
        ClockRepair,
        KeyRenewal,
        RemapPlanning,
        Dispatcher,
        ...OUTBOX_PROVIDERS,
        MetricsSnapshot,
        ReadingGauges,
        Metrics,
        { provide: RunEnds, useExisting: Metrics },
        QueueBoard,
        WaitingReports,
        IngestorLifecycle,
      ],
    };
  }
}

function secretBox({ secretsKey, secretsKeyOld }: IngestorConfig): SecretBox | null {
  return secretsKey === null ? null : new SecretBox(secretsKey, secretsKeyOld);
}

function keyHashes({ secretsKey, secretsKeyOld }: IngestorConfig, pepper: Buffer): KeyHashes {
  return new KeyHashes({ secretsKey, secretsKeyOld, pepper });
}

function mappingThreads({ mappingThreads: most }: IngestorConfig, log: Logger): MappingThreads {
  return new MappingThreads({
    most,
    onFailure: (error) => {
      log.error({ err: error }, 'a thread that maps records has failed');
    },
  });
}
