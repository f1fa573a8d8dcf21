import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseConnection, SessionAddress } from './connection';
import { Connectors } from './connector/connectors';
import { DatabaseClock } from './database-clock';
import { RefusedWrites } from './database-failures';
import { ExportTokens } from './gateway/export-tokens';
import { GatewaySummaries } from './gateway/gateway-summaries';
import { Gateways } from './gateway/gateways';
import { Pauses } from './gateway/pauses';
import { PresentedKeys } from './gateway/presented-keys';
import { ServedGateways } from './gateway/served-gateways';
import { KeyUses, StoredKeys } from './gateway/stored-keys';
import { InboundWebhookUrls } from './inbound-webhook/inbound-webhook-urls';
import { WebhookProcessing } from './inbound-webhook/processed-webhooks';
import { WebhookInbox } from './inbound-webhook/webhook-inbox';
import { Installation } from './installation';
import { LeadListings } from './listing/lead-listings';
import { ReplicaReads } from './listing/replica-reads';
import { ServedListings } from './listing/served-listings';
import { SnapshotChanges } from './listing/snapshot-changes';
import { Migrations } from './migrations/migrations';
import { AuditLog } from './operator/audit';
import { Operators } from './operator/operators';
import { FollowUps } from './gateway/follow-ups';
import { SavedViews } from './operator/saved-views';
import { SignIns } from './operator/sign-ins';
import { NotificationChannels } from './notification/notification-channels';
import { ExportRuns } from './export/export-runs';
import { PlacementDocuments } from './export/placement-documents';
import { Placements } from './export/placements';
import { Publications } from './export/publications';
import { NotificationNotices } from './notification/notices';
import { GatewayEdits } from './outbox/gateway-edits';
import { Outbox } from './outbox/outbox';
import { OutboxLog } from './outbox/outbox-log';
import { ReceivedLeads } from './outbox/received-leads';
import { AgencyDigests } from './notification/agency-digests';
import { SourceFeedback } from './outbox/source-feedback';
import { WebhookAdmin } from './outbox/webhook-admin';
import { WebhookEndpoints } from './outbox/webhook-endpoints';
import { WebhookTargets } from './outbox/webhook-targets';
import { PaginationSessionStore } from './pagination/pagination-session-store';
import { ListingPhotos } from './photo/listing-photos';
import { Reports } from './report/reports';
import { Announcements } from './run/announcements';
import { FeedStates } from './run/feed-states';
import { Figures } from './run/figures';
import { GatewayDays } from './run/gateway-days';
import { HeldRuns } from './run/held-runs';
import { HostBudgets } from './run/host-budgets';
import { Leases } from './run/leases';
import { ListingTraces } from './run/listing-traces';
import { Problems } from './run/problems';
import { RememberedFeeds } from './run/remembered-feeds';
import { InstallationDays } from './run/installation-days';
import { RunCleaning } from './run/run-cleaning';
import { RunComparison } from './run/run-comparison';
import { RunHistory } from './run/run-history';
import { RunNoteStore } from './run/run-notes';
import { RunOutcomes } from './run/run-outcomes';
import { RunRequests } from './run/run-requests';
import { Runs } from './run/runs';
import { Remaps } from './run/remaps';
import { Schedule } from './run/schedule';
import { SourceMemories } from './run/source-memories';
import { StoredTimes } from './run/stored-times';
import { SearchRows } from './search/search-rows';
import { ServerQuestions } from './server-facts';
import { KeptListings } from './snapshot/kept-listings';
import { KeptSnapshots } from './snapshot/kept-snapshots';
import { Reverts } from './snapshot/revert';
import { RevertGuards } from './snapshot/revert-guards';
import { Snapshots } from './snapshot/snapshots';

/** A process injects only the repositories allowed to it; programs without a container get every repository. */
export type ContainerProcess = 'api' | 'ingestor' | 'console';

export interface Basis {
  pool: Pool;
  dataSource: DataSource;
  clock: DatabaseClock;
  refusedWrites: RefusedWrites;
  connection: DatabaseConnection;
  replicaReads: ReplicaReads;
  leases: Leases;
  runNotes: RunNoteStore;
}

/** @param replicaReads reads from a replica if there is one @param address of the server, for notifications */
export function basisOf(
  pool: Pool,
  dataSource: DataSource,
  replicaReads: ReplicaReads,
  address: SessionAddress,
): Basis {
  const refusedWrites = new RefusedWrites();
  const connection = new DatabaseConnection(pool, refusedWrites, address);
  const [leases, runNotes] = [new Leases(pool), new RunNoteStore(pool, dataSource)];
  return { pool, dataSource, clock: new DatabaseClock(), refusedWrites, connection, replicaReads, leases, runNotes };
}

type Class<T> = abstract new (...args: never[]) => T;

interface Registration<T> {
  type: Class<T>;
  make: (basis: Basis) => T;
  users: readonly ContainerProcess[];
}

function made<T>(type: Class<T>, make: (basis: Basis) => T, ...users: ContainerProcess[]): Registration<T> {
  return { type, make, users };
}

function ofPool<T>(type: new (pool: Pool) => T, ...users: ContainerProcess[]): Registration<T> {
  return { type, make: ({ pool }) => new type(pool), users };
}

/** The API never publishes, prunes or reads a credential; the console has operators' actions, but no secrets. */
export const REPOSITORIES = {
  connection: made(DatabaseConnection, (basis) => basis.connection, 'api', 'ingestor', 'console'),
  server: made(ServerQuestions, ({ pool, connection }) => new ServerQuestions(pool, connection), 'console'),
  installation: made(Installation, ({ dataSource }) => new Installation(dataSource), 'api', 'ingestor'),
  connectors: made(Connectors, ({ dataSource }) => new Connectors(dataSource), 'api', 'ingestor', 'console'),
  gateways: made(Gateways, ({ pool, dataSource }) => new Gateways(pool, dataSource), 'ingestor', 'console'),
  gatewaySummaries: ofPool(GatewaySummaries, 'console'),
  pauses: ofPool(Pauses, 'console'),
  storedKeys: ofPool(StoredKeys, 'api'),
  presentedKeys: ofPool(PresentedKeys, 'ingestor'),
  exportTokens: ofPool(ExportTokens, 'api', 'console'),
  servedGateways: made(ServedGateways, ({ pool, clock }) => new ServedGateways(pool, clock), 'api'),
  listings: made(ServedListings, ({ replicaReads }) => new ServedListings(replicaReads), 'api'),
  keptListings: ofPool(KeptListings, 'ingestor'),
  keptSnapshots: ofPool(KeptSnapshots, 'api', 'console'),
  remaps: ofPool(Remaps, 'ingestor'),
  reverts: ofPool(Reverts, 'ingestor'),
  revertGuards: ofPool(RevertGuards, 'ingestor', 'console'),
  changes: made(SnapshotChanges, ({ replicaReads }) => new SnapshotChanges(replicaReads), 'api'),
  paginationSessions: made(
    PaginationSessionStore,
    ({ pool, clock, refusedWrites }) => new PaginationSessionStore(pool, refusedWrites, clock),
    'api',
    'ingestor',
  ),
  webhookEndpoints: ofPool(WebhookEndpoints, 'api', 'console'),
  webhookTargets: ofPool(WebhookTargets, 'ingestor'),
  webhookAdmin: ofPool(WebhookAdmin, 'console'),
  notificationChannels: ofPool(NotificationChannels, 'ingestor', 'console'),
  notificationNotices: ofPool(NotificationNotices, 'ingestor'),
  placements: ofPool(Placements, 'console'),
  publications: ofPool(Publications, 'api', 'ingestor', 'console'),
  exportRuns: ofPool(ExportRuns, 'ingestor'),
  placementDocuments: ofPool(PlacementDocuments, 'api', 'ingestor'),
  outbox: ofPool(Outbox, 'ingestor'),
  outboxLog: ofPool(OutboxLog, 'console'),
  gatewayEdits: ofPool(GatewayEdits, 'console'),
  inboundWebhookUrls: ofPool(InboundWebhookUrls, 'console'),
  webhookInbox: ofPool(WebhookInbox, 'api'),
  webhookProcessing: ofPool(WebhookProcessing, 'ingestor'),
  receivedLeads: ofPool(ReceivedLeads, 'api'),
  feedStates: ofPool(FeedStates, 'api'),
  reports: made(Reports, ({ dataSource }) => new Reports(dataSource), 'api', 'ingestor', 'console'),
  audit: ofPool(AuditLog, 'ingestor', 'console'),
  operators: ofPool(Operators, 'console'),
  signIns: ofPool(SignIns, 'console'),
  announcements: ofPool(Announcements, 'ingestor', 'console'),
  runRequests: ofPool(RunRequests, 'api', 'ingestor', 'console'),
  runs: made(Runs, ({ pool, dataSource, runNotes }) => new Runs(pool, dataSource, runNotes), 'ingestor'),
  runNotes: made(RunNoteStore, (basis) => basis.runNotes, 'ingestor'),
  runHistory: made(RunHistory, ({ pool, dataSource }) => new RunHistory(pool, dataSource), 'ingestor', 'console'),
  runComparison: ofPool(RunComparison, 'console'),
  runOutcomes: ofPool(RunOutcomes, 'console'),
  installationDays: ofPool(InstallationDays, 'ingestor', 'console'),
  problems: ofPool(Problems, 'console'),
  runCleaning: ofPool(RunCleaning, 'ingestor'),
  heldRuns: made(HeldRuns, ({ pool, leases }) => new HeldRuns(pool, leases), 'console'),
  leases: made(Leases, (basis) => basis.leases, 'ingestor', 'console'),
  schedule: ofPool(Schedule, 'ingestor'),
  storedTimes: ofPool(StoredTimes, 'ingestor'),
  hostBudgets: ofPool(HostBudgets, 'ingestor', 'console'),
  sourceMemories: ofPool(SourceMemories, 'ingestor'),
  sourceFeedback: ofPool(SourceFeedback, 'ingestor', 'console'),
  agencyDigests: ofPool(AgencyDigests, 'ingestor'),
  rememberedFeeds: ofPool(RememberedFeeds, 'console'),
  snapshots: ofPool(Snapshots, 'ingestor'),
  photos: ofPool(ListingPhotos, 'ingestor'),
  figures: ofPool(Figures, 'ingestor'),
  traces: ofPool(ListingTraces, 'api', 'console'),
  migrations: made(Migrations, ({ pool, dataSource }) => new Migrations(dataSource, pool)),
  clock: made(DatabaseClock, (basis) => basis.clock, 'api', 'ingestor'),
  refusedWrites: made(RefusedWrites, (basis) => basis.refusedWrites, 'api', 'ingestor', 'console'),
  keyUses: ofPool(KeyUses, 'api'),
  searchRows: made(SearchRows, ({ replicaReads }) => new SearchRows(replicaReads), 'api'),
  leadListings: ofPool(LeadListings, 'ingestor'),
  savedViews: ofPool(SavedViews, 'console'),
  followUps: ofPool(FollowUps, 'console'),
  gatewayDays: ofPool(GatewayDays, 'console'),
};

export type Repositories = { [K in keyof typeof REPOSITORIES]: ReturnType<(typeof REPOSITORIES)[K]['make']> };

export function allRepositories(basis: Basis): Repositories {
  const entries = Object.entries(REPOSITORIES).map(([name, { make }]) => [name, make(basis)]);
  return Object.fromEntries(entries) as Repositories;
}
