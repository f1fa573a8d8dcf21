import { Module } from '@nestjs/common';
import { SearchRows, ServedListings } from '@passerelle/database';
import { AccessModule } from '../access/access.module';
import { GatewayChanges } from '../access/gateway-changes';
import { PageCache } from '../properties/page-cache';
import { PropertiesModule } from '../properties/properties.module';
import { FoundTexts } from './found-texts';
import { SearchController } from './search.controller';
import { SearchPages } from './search-pages';
import { SnapshotIndexes } from './snapshot-indexes';

/** About 70,000 listings, at 1.9 KB each at most. */
const INDEX_BYTES = 128 * 1024 * 1024;
/** Separate from the pages of lists, because two visitors rarely make the same search. */
const RESULT_BYTES = 16 * 1024 * 1024;
/** Enough to keep a landing page that is requested once per thousand other searches. */
const MOST_MADE_ONCE = 1_000;

/** About 10,000 listings. */
const TEXT_BYTES = 32 * 1024 * 1024;

@Module({
  imports: [AccessModule, PropertiesModule],
  controllers: [SearchController],
  providers: [
    { provide: PageCache, useFactory: () => new PageCache(RESULT_BYTES, MOST_MADE_ONCE) },
    {
      provide: SnapshotIndexes,
      inject: [SearchRows, GatewayChanges],
      useFactory: (rows: SearchRows, changes: GatewayChanges) => new SnapshotIndexes(rows, changes, INDEX_BYTES),
    },
    {
      provide: FoundTexts,
      inject: [ServedListings, GatewayChanges],
      useFactory: (listings: ServedListings, changes: GatewayChanges) => new FoundTexts(listings, changes, TEXT_BYTES),
    },
    SearchPages,
  ],
})
export class SearchModule {}
