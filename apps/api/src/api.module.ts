import { type DynamicModule, Module } from '@nestjs/common';
import { ApiDatabaseModule, Installation, StoredKeys } from '@passerelle/database';
import { openMedia } from '@passerelle/media';
import type { Traces } from '@passerelle/traces';
import type { Logger } from 'pino';
import { GatewayAccess } from './access/gateway-access';
import { GatewayCache } from './access/gateway-cache';
import { GatewayChanges } from './access/gateway-changes';
import { openKeyHashes } from './access/open-key-hashes';
import { RateLimit } from './access/rate-limit';
import { RefusedKeys } from './access/refused-keys';
import { UsedKeys } from './access/used-keys';
import { Clock } from './clock';
import type { ApiConfig } from './config';
import { DiscoveryController } from './discovery/discovery.controller';
import { ExportAccess } from './export/export-access';
import { ExportController } from './export/export.controller';
import { FeedController } from './feed/feed.controller';
import { HealthController } from './health/health.controller';
import { Proxies } from './http/proxies';
import { DumpTurns } from './legacy/dump-turns';
import { LegacyController } from './legacy/legacy.controller';
import { WholeListSender } from './legacy/whole-list';
import { MediaController } from './media/media.controller';
import { Answers } from './metrics/answers';
import { Metrics } from './metrics/metrics';
import { MetricsController } from './metrics/metrics.controller';
import { Outage } from './metrics/outage';
import { SnapshotAges } from './metrics/snapshot-ages';
import { FastLane } from './properties/fast-lane';
import { PageCache } from './properties/page-cache';
import { PageSender } from './properties/page-sender';
import { Pages } from './properties/pages';
import { PropertiesController } from './properties/properties.controller';
import { ReaderWalks } from './properties/reader-walks';
import { RefreshRequests } from './properties/refresh-requests';
import { ServedSnapshots } from './properties/served-snapshots';
import { ReportController } from './report/report.controller';
import { StatusController } from './status/status.controller';
import { ChangePages } from './sync/changes';
import { Manifests } from './sync/manifests';
import { SyncController } from './sync/sync.controller';
import { CONFIG, FIRST_READ_WAIT_MS, KEY_HASHES, LOGGER, MEDIA, TRACES } from './tokens';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

export interface ApiOptions {
  config: ApiConfig;
  proxies: Proxies;
  clock: Clock;
  logger: Logger;
  traces: Traces;
  answers: Answers;
  outage: Outage;
  firstReadWaitMs: number;
}

@Module({
  controllers: [
    DiscoveryController,
    ExportController,
    FeedController,
    HealthController,
    LegacyController,
    MediaController,
    MetricsController,
    PropertiesController,
    ReportController,
    StatusController,
    SyncController,
  ],
  providers: [
    { provide: KEY_HASHES, inject: [CONFIG, Installation, StoredKeys, LOGGER], useFactory: openKeyHashes },
    ChangePages,
    DumpTurns,
    ExportAccess,
    FastLane,
    GatewayAccess,
    GatewayCache,
    GatewayChanges,
    Manifests,
    Metrics,
    { provide: PageCache, useFactory: () => new PageCache(PAGE_CACHE_BYTES) },
    Pages,
    PageSender,
    RateLimit,
    ReaderWalks,
    RefreshRequests,
    RefusedKeys,
    ServedSnapshots,
    SnapshotAges,
    UsedKeys,
    WholeListSender,
  ],
})
export class ApiModule {
  static forRoot({
    config,
    proxies,
    clock,
    logger,
    traces,
    answers,
    outage,
    firstReadWaitMs,
  }: ApiOptions): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ApiDatabaseModule.forRoot({
          ...{ url: config.databaseUrl, readUrl: config.databaseReadUrl, applicationName: 'passerelle-api' },
        }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Proxies, useValue: proxies },
        { provide: Clock, useValue: clock },
        { provide: Answers, useValue: answers },
        { provide: Outage, useValue: outage },
        { provide: LOGGER, useValue: logger },
        { provide: TRACES, useValue: traces },
        { provide: MEDIA, useFactory: () => openMedia(config.mediaPlace) },
        { provide: FIRST_READ_WAIT_MS, useValue: firstReadWaitMs },
      ],
    };
  }
}
