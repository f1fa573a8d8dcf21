import { Inject, Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { GatewayChanges } from '../access/gateway-changes';
import { Metrics } from '../metrics/metrics';
import { PageCache } from './page-cache';
import { PageSender } from './page-sender';
import { Pages } from './pages';
import { PropertiesController } from './properties.controller';
import { PaginationSessions } from './pagination-sessions';
import { RefreshRequests } from './refresh-requests';
import { RememberedPages } from './remembered-pages';
import { ServedSnapshots } from './served-snapshots';

const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

@Module({
  imports: [AccessModule],
  controllers: [PropertiesController],
  providers: [
    { provide: PageCache, useFactory: () => new PageCache(PAGE_CACHE_BYTES) },
    Pages,
    PageSender,
    PaginationSessions,
    RefreshRequests,
    RememberedPages,
    ServedSnapshots,
  ],
  exports: [PageCache, Pages, PageSender, PaginationSessions, RememberedPages, ServedSnapshots],
})
export class PropertiesModule {
  constructor(
    metrics: Metrics,
    @Inject(Pages) pages: Pick<Pages, 'figures'>,
    @Inject(GatewayChanges) changes: Pick<GatewayChanges, 'addListener'>,
    sessions: PaginationSessions,
  ) {
    metrics.count({
      name: 'passerelle_api_pages_total',
      help: 'Pages of properties: those found in memory, and those that had to be built',
      label: 'cache',
      figures: () => ({ hit: pages.figures.hits, miss: pages.figures.misses }),
    });
    changes.addListener({
      publicationDue: (gatewayId) => {
        sessions.expect(gatewayId);
      },
      changed: (gatewayId) => {
        sessions.save(gatewayId);
      },
      writesRefused: () => {
        sessions.noteRefusal();
      },
    });
  }
}
