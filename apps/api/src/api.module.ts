import { type DynamicModule, Module } from '@nestjs/common';
import { type ApiOptions, CoreModule } from './core.module';
import { DiscoveryModule } from './discovery/discovery.module';
import { ExportModule } from './export/export.module';
import { FeedModule } from './feed/feed.module';
import { HealthModule } from './health/health.module';
import { LaneModule } from './lane/lane.module';
import { LegacyModule } from './legacy/legacy.module';
import { MediaModule } from './media/media.module';
import { PropertiesModule } from './properties/properties.module';
import { ReportModule } from './report/report.module';
import { StatusModule } from './status/status.module';
import { SyncModule } from './sync/sync.module';

/** The API: a module for each of its rooms. */
@Module({
  imports: [
    DiscoveryModule,
    ExportModule,
    FeedModule,
    HealthModule,
    LaneModule,
    LegacyModule,
    MediaModule,
    PropertiesModule,
    ReportModule,
    StatusModule,
    SyncModule,
  ],
})
export class ApiModule {
  static forRoot(options: ApiOptions): DynamicModule {
    return { module: ApiModule, imports: [CoreModule.forRoot(options)] };
  }
}
