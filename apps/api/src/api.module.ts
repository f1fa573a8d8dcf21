import { type DynamicModule, Module } from '@nestjs/common';
import { InboundWebhooksModule } from './inbound-webhooks/inbound-webhooks.module';
import { type ApiOptions, CoreModule } from './core.module';
import { DiscoveryModule } from './discovery/discovery.module';
import { ExportModule } from './export/export.module';
import { FeedModule } from './feed/feed.module';
import { HealthModule } from './health/health.module';
import { FastPathModule } from './fast-path/fast-path.module';
import { LeadsModule } from './leads/leads.module';
import { LegacyModule } from './legacy/legacy.module';
import { MediaModule } from './media/media.module';
import { PropertiesModule } from './properties/properties.module';
import { PublicationsModule } from './publications/publications.module';
import { ReportModule } from './report/report.module';
import { SearchModule } from './search/search.module';
import { StatusModule } from './status/status.module';
import { SyncModule } from './sync/sync.module';
import { WebhooksModule } from './webhooks/webhooks.module';

@Module({
  imports: [
    InboundWebhooksModule,
    DiscoveryModule,
    ExportModule,
    FeedModule,
    HealthModule,
    FastPathModule,
    LeadsModule,
    LegacyModule,
    MediaModule,
    PropertiesModule,
    PublicationsModule,
    ReportModule,
    SearchModule,
    StatusModule,
    SyncModule,
    WebhooksModule,
  ],
})
export class ApiModule {
  static forRoot(options: ApiOptions): DynamicModule {
    return { module: ApiModule, imports: [CoreModule.forRoot(options)] };
  }
}
