import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseClock } from './database-clock';
import { DatabaseConnection } from './connection';
import type { ProcessOptions } from './data-source';
import { WebhookProcessing } from './inbound-webhook/processed-webhooks';
import { Connectors } from './connector/connectors';
import { connectedModule } from './database-module';
import { Gateways } from './gateway/gateways';
import { PresentedKeys } from './gateway/presented-keys';
import { Installation } from './installation';
import { LeadListings } from './listing/lead-listings';
import { Outbox } from './outbox/outbox';
import { SourceFeedback } from './outbox/source-feedback';
import { WebhookTargets } from './outbox/webhook-targets';
import { ListingPhotos } from './photo/listing-photos';
import { RefusedWrites } from './database-failures';
import { Reports } from './report/reports';
import { AuditLog } from './operator/audit';
import { Announcements } from './run/announcements';
import { Figures } from './run/figures';
import { HostBudgets } from './run/host-budgets';
import { Leases } from './run/leases';
import { RunCleaning } from './run/run-cleaning';
import { RunHistory } from './run/run-history';
import { RunNoteStore } from './run/run-notes';
import { RunRequests } from './run/run-requests';
import { Runs } from './run/runs';
import { Schedule } from './run/schedule';
import { StoredTimes } from './run/stored-times';
import { SourceMemories } from './run/source-memories';
import { KeptListings } from './snapshot/kept-listings';
import { Reverts } from './snapshot/revert';
import { RevertGuards } from './snapshot/revert-guards';
import { Snapshots } from './snapshot/snapshots';
import { Walks } from './walk/walks';

/** The parts of the database that the ingestor may use. */
const REPOSITORIES = [
  DatabaseClock,
  RefusedWrites,
  DatabaseConnection,
  Connectors,
  Gateways,
  Installation,
  PresentedKeys,
  AuditLog,
  Announcements,
  RunRequests,
  Runs,
  RunNoteStore,
  RunHistory,
  RunCleaning,
  Leases,
  Schedule,
  StoredTimes,
  HostBudgets,
  SourceMemories,
  SourceFeedback,
  Snapshots,
  KeptListings,
  Reverts,
  RevertGuards,
  ListingPhotos,
  Walks,
  Outbox,
  WebhookTargets,
  WebhookProcessing,
  LeadListings,
  Reports,
  Figures,
];

@Module({})
export class IngestorDatabaseModule {
  /** Opens the connection at boot and closes it at shutdown. */
  static forRoot(options: ProcessOptions): Promise<DynamicModule> {
    return connectedModule(IngestorDatabaseModule, REPOSITORIES, options, 'ingest');
  }
}
