import { type DynamicModule, Module } from '@nestjs/common';
import { Database } from '@passerelle/database';
import type { Logger } from 'pino';
import { Access } from './access/access';
import { Door } from './access/door';
import { GatewayCache } from './access/gateway-cache';
import { GatewayChanges } from './access/gateway-changes';
import { RateLimit } from './access/rate-limit';
import type { Clock } from './clock';
import type { ApiConfig } from './config';
import { DiscoveryController } from './discovery/discovery.controller';
import { HealthController } from './health/health.controller';
import { LegacyController } from './legacy/legacy.controller';
import { CurrentSnapshots } from './properties/current-snapshot';
import { PageCache } from './properties/page-cache';
import { Pages } from './properties/page-bytes';
import { PropertiesController } from './properties/properties.controller';
import { RefreshRequests } from './properties/refresh-requests';
import { ReportController } from './report/report.controller';
import { ReportIntake } from './report/report-intake';
import { StatusController } from './status/status.controller';
import { CONFIG, LOGGER } from './tokens';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

export interface ApiParts {
  config: ApiConfig;
  database: Database;
  /** The installation's secret under which keys are hashed. */
  keyPepper: Buffer;
  clock: Clock;
  logger: Logger;
  firstReadWaitMs: number;
}

@Module({})
export class ApiModule {
  static of({ config, database, keyPepper, clock, logger, firstReadWaitMs }: ApiParts): DynamicModule {
    const cache = new GatewayCache((crm, client) => database.servedGateways.find(crm, client), clock);
    const changes = new GatewayChanges(database, cache);
    const access = new Access(cache, keyPepper, clock);
    const door = new Door(access, new RateLimit(config.rateLimitPerMinute, clock));
    const refresh = new RefreshRequests((request) => database.runs.request(request), clock, logger);
    const snapshots = new CurrentSnapshots(access, changes, refresh, {
      ttlSeconds: config.snapshotTtlSeconds,
      firstReadWaitMs,
    });
    const pages = new Pages((...page) => database.listings.page(...page), new PageCache(PAGE_CACHE_BYTES));
    return {
      module: ApiModule,
      controllers: [
        DiscoveryController,
        HealthController,
        LegacyController,
        PropertiesController,
        ReportController,
        StatusController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: Database, useValue: database },
        { provide: GatewayChanges, useValue: changes },
        { provide: Door, useValue: door },
        { provide: CurrentSnapshots, useValue: snapshots },
        { provide: Pages, useValue: pages },
        { provide: ReportIntake, useValue: new ReportIntake(door, database.reports) },
      ],
    };
  }
}
