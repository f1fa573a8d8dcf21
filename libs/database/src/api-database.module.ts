import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from './database-clock';
import { DatabaseConnection } from './connection';
import type { ProcessOptions } from './data-source';
import { WebhookInbox } from './inbound-webhook/webhook-inbox';
import { Connectors } from './connector/connectors';
import { connectedModule, LISTING_TRACES } from './database-module';
import { ExportTokens } from './gateway/export-tokens';
import { KeyUses, StoredKeys } from './gateway/stored-keys';
import { ServedGateways } from './gateway/served-gateways';
import { Installation } from './installation';
import { ReceivedLeads } from './outbox/received-leads';
import { replicaPool, ReplicaReads } from './listing/replica-reads';
import { ServedListings } from './listing/served-listings';
import { RefusedWrites } from './database-failures';
import { Reports } from './report/reports';
import { FeedStates } from './run/feed-states';
import { RunRequests } from './run/run-requests';
import { SearchRows } from './search/search-rows';
import { KeptSnapshots } from './snapshot/kept-snapshots';
import { SnapshotChanges } from './listing/snapshot-changes';
import { Walks } from './walk/walks';
import { WebhookEndpoints } from './outbox/webhook-endpoints';

/** The parts of the database that the API may use. They never publish, prune or read a credential. */
const REPOSITORIES = [
  DatabaseClock,
  RefusedWrites,
  DatabaseConnection,
  Installation,
  Connectors,
  ServedGateways,
  KeyUses,
  ExportTokens,
  StoredKeys,
  ServedListings,
  KeptSnapshots,
  SearchRows,
  SnapshotChanges,
  FeedStates,
  Walks,
  WebhookEndpoints,
  WebhookInbox,
  Reports,
  ReceivedLeads,
  RunRequests,
];

export interface ApiDatabaseOptions extends ProcessOptions {
  /** The address of a replica, for the texts of listings; null for none. */
  readUrl: string | null;
}

@Module({})
export class ApiDatabaseModule {
  /** Opens the connection at boot and closes it at shutdown. */
  static forRoot({ readUrl, ...options }: ApiDatabaseOptions): Promise<DynamicModule> {
    const replica = readUrl === null ? null : replicaPool({ ...options, url: readUrl });
    const reads = {
      provide: ReplicaReads,
      inject: [Pool],
      useFactory: (pool: Pool) => new ReplicaReads(pool, replica),
    };
    return connectedModule(ApiDatabaseModule, REPOSITORIES, options, 'serve', [reads, LISTING_TRACES]);
  }
}
