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
import { standardHeaders } from './http/response-headers';
import { HealthController } from './health/health.controller';
import { LegacyController } from './legacy/legacy.controller';
import { CurrentSnapshots } from './properties/current-snapshot';
import { PageCache } from './properties/page-cache';
import { Pages } from './properties/page-bytes';
import { PageSender } from './properties/page-sender';
import { PropertiesController } from './properties/properties.controller';
import { RefreshRequests } from './properties/refresh-requests';
import { ReportController } from './report/report.controller';
import { ReportIntake } from './report/report-intake';
import { StatusController } from './status/status.controller';
import { CONFIG, LOGGER } from './tokens';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

export interface ApiSettings {
  config: ApiConfig;
  database: Database;
  /** The installation's secret under which keys are hashed. */
  keyPepper: Buffer;
  clock: Clock;
  logger: Logger;
  firstReadWaitMs: number;
}

/** What the routes work with. */
export interface ApiParts {
  changes: GatewayChanges;
  door: Door;
  snapshots: CurrentSnapshots;
  pages: Pages;
  sender: PageSender;
}

export function createParts({ config, database, keyPepper, clock, logger, firstReadWaitMs }: ApiSettings): ApiParts {
  const cache = new GatewayCache((crm, client) => database.servedGateways.find(crm, client), clock);
  const changes = new GatewayChanges(database, cache);
  const access = new Access(cache, keyPepper, clock);
  const refresh = new RefreshRequests((...asked) => database.runs.requestForReader(...asked), clock, logger);
  return {
    changes,
    door: new Door(access, new RateLimit(config.rateLimitPerMinute, clock)),
    snapshots: new CurrentSnapshots(access, changes, refresh, {
      ttlSeconds: config.snapshotTtlSeconds,
      firstReadWaitMs,
    }),
    pages: new Pages((...page) => database.listings.page(...page), new PageCache(PAGE_CACHE_BYTES)),
    sender: new PageSender(standardHeaders(config)),
  };
}

@Module({
  controllers: [
    DiscoveryController,
    HealthController,
    LegacyController,
    PropertiesController,
    ReportController,
    StatusController,
  ],
})
export class ApiModule {
  static of({ config, database, logger }: ApiSettings, parts: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: Database, useValue: database },
        { provide: GatewayChanges, useValue: parts.changes },
        { provide: Door, useValue: parts.door },
        { provide: CurrentSnapshots, useValue: parts.snapshots },
        { provide: Pages, useValue: parts.pages },
        { provide: PageSender, useValue: parts.sender },
        { provide: ReportIntake, useValue: new ReportIntake(parts.door, database.reports) },
      ],
    };
  }
}
