import type { SecretsKeys } from '@passerelle/domain';
import { DataSource } from 'typeorm';
import type { DatabaseOptions } from './connection-settings';
import { DatabaseClock } from './database-clock';
import { DatabaseConnection, SessionAddress } from './connection';
import { InboundWebhookUrls } from './inbound-webhook/inbound-webhook-urls';
import { WebhookProcessing } from './inbound-webhook/processed-webhooks';
import { WebhookInbox } from './inbound-webhook/webhook-inbox';
import { Connectors } from './connector/connectors';
import { dataSourceOptions, poolOf } from './data-source';
import { ExportTokens } from './gateway/export-tokens';
import { Gateways } from './gateway/gateways';
import { ServedGateways } from './gateway/served-gateways';
import { GatewaySummaries } from './gateway/gateway-summaries';
import { Pauses } from './gateway/pauses';
import { PresentedKeys } from './gateway/presented-keys';
import { StoredKeys } from './gateway/stored-keys';
import { Installation } from './installation';
import { SecretsKeyCheck } from './secrets-key-check';
import { ServerQuestions } from './server-facts';
import { ServedListings } from './listing/served-listings';
import { ReplicaReads } from './listing/replica-reads';
import { Migrations } from './migrations/migrations';
import { ListingPhotos } from './photo/listing-photos';
import { RefusedWrites } from './database-failures';
import { Reports } from './report/reports';
import { AuditLog } from './operator/audit';
import { Operators } from './operator/operators';
import { SignIns } from './operator/sign-ins';
import { Announcements } from './run/announcements';
import { FeedStates } from './run/feed-states';
import { Figures } from './run/figures';
import { HeldRuns } from './run/held-runs';
import { HostBudgets } from './run/host-budgets';
import { RememberedFeeds } from './run/remembered-feeds';
import { StoredTimes } from './run/stored-times';
import { SourceMemories } from './run/source-memories';
import { Leases } from './run/leases';
import { ListingTraces } from './run/listing-traces';
import { Problems } from './run/problems';
import { RunComparison } from './run/run-comparison';
import { RunCleaning } from './run/run-cleaning';
import { RunOutcomes } from './run/run-outcomes';
import { RunHistory } from './run/run-history';
import { RunNoteStore } from './run/run-notes';
import { RunRequests } from './run/run-requests';
import { Runs } from './run/runs';
import { Schedule } from './run/schedule';
import { KeptListings } from './snapshot/kept-listings';
import { KeptSnapshots } from './snapshot/kept-snapshots';
import { Reverts } from './snapshot/revert';
import { RevertGuards } from './snapshot/revert-guards';
import { SnapshotChanges } from './listing/snapshot-changes';
import { Snapshots } from './snapshot/snapshots';
import { Walks } from './walk/walks';
import { Outbox } from './outbox/outbox';
import { OutboxLog } from './outbox/outbox-log';
import { ReceivedLeads } from './outbox/received-leads';
import { SourceFeedback } from './outbox/source-feedback';
import { WebhookAdmin } from './outbox/webhook-admin';
import { WebhookEndpoints } from './outbox/webhook-endpoints';
import { WebhookTargets } from './outbox/webhook-targets';

/** The whole database, for programs without a container. */
export interface Database {
  connection: DatabaseConnection;
  server: ServerQuestions;
  installation: Installation;
  secretsKeyCheck: (keys: SecretsKeys) => SecretsKeyCheck;
  connectors: Connectors;
  gateways: Gateways;
  gatewaySummaries: GatewaySummaries;
  pauses: Pauses;
  storedKeys: StoredKeys;
  presentedKeys: PresentedKeys;
  exportTokens: ExportTokens;
  servedGateways: ServedGateways;
  listings: ServedListings;
  keptListings: KeptListings;
  keptSnapshots: KeptSnapshots;
  reverts: Reverts;
  revertGuards: RevertGuards;
  changes: SnapshotChanges;
  walks: Walks;
  webhookEndpoints: WebhookEndpoints;
  webhookTargets: WebhookTargets;
  webhookAdmin: WebhookAdmin;
  outbox: Outbox;
  outboxLog: OutboxLog;
  inboundWebhookUrls: InboundWebhookUrls;
  webhookInbox: WebhookInbox;
  webhookProcessing: WebhookProcessing;
  receivedLeads: ReceivedLeads;
  feedStates: FeedStates;
  reports: Reports;
  audit: AuditLog;
  operators: Operators;
  signIns: SignIns;
  announcements: Announcements;
  runRequests: RunRequests;
  runs: Runs;
  runNotes: RunNoteStore;
  runHistory: RunHistory;
  runComparison: RunComparison;
  runOutcomes: RunOutcomes;
  problems: Problems;
  runCleaning: RunCleaning;
  heldRuns: HeldRuns;
  leases: Leases;
  schedule: Schedule;
  storedTimes: StoredTimes;
  hostBudgets: HostBudgets;
  sourceMemories: SourceMemories;
  sourceFeedback: SourceFeedback;
  rememberedFeeds: RememberedFeeds;
  snapshots: Snapshots;
  photos: ListingPhotos;
  figures: Figures;
  traces: ListingTraces;
  migrations: Migrations;
  close(): Promise<void>;
}

/** Composes the services of the Nest modules without Nest. @throws when the database cannot be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  const pool = poolOf(dataSource);
  const leases = new Leases(pool);
  const clock = new DatabaseClock();
  const runNotes = new RunNoteStore(pool, dataSource);
  const connection = new DatabaseConnection(pool, new RefusedWrites(), new SessionAddress(options.url));
  return {
    connection,
    server: new ServerQuestions(pool, connection),
    installation: new Installation(dataSource),
    secretsKeyCheck: (keys) => new SecretsKeyCheck(pool, keys),
    connectors: new Connectors(dataSource),
    gateways: new Gateways(pool, dataSource),
    gatewaySummaries: new GatewaySummaries(pool),
    pauses: new Pauses(pool),
    storedKeys: new StoredKeys(pool),
    presentedKeys: new PresentedKeys(pool),
    exportTokens: new ExportTokens(pool),
    servedGateways: new ServedGateways(pool, clock),
    listings: new ServedListings(new ReplicaReads(pool, null)),
    keptListings: new KeptListings(pool),
    keptSnapshots: new KeptSnapshots(pool),
    reverts: new Reverts(pool),
    revertGuards: new RevertGuards(pool),
    changes: new SnapshotChanges(new ReplicaReads(pool, null)),
    walks: new Walks(pool, new RefusedWrites(), clock),
    webhookEndpoints: new WebhookEndpoints(pool),
    webhookTargets: new WebhookTargets(pool),
    webhookAdmin: new WebhookAdmin(pool),
    outbox: new Outbox(pool),
    outboxLog: new OutboxLog(pool),
    inboundWebhookUrls: new InboundWebhookUrls(pool),
    webhookInbox: new WebhookInbox(pool),
    webhookProcessing: new WebhookProcessing(pool),
    receivedLeads: new ReceivedLeads(pool),
    feedStates: new FeedStates(pool),
    reports: new Reports(dataSource),
    audit: new AuditLog(pool),
    operators: new Operators(pool),
    signIns: new SignIns(pool),
    announcements: new Announcements(pool),
    runRequests: new RunRequests(pool),
    runs: new Runs(pool, dataSource, runNotes),
    runNotes,
    runHistory: new RunHistory(pool, dataSource),
    runComparison: new RunComparison(pool),
    runOutcomes: new RunOutcomes(pool),
    problems: new Problems(pool),
    runCleaning: new RunCleaning(pool),
    heldRuns: new HeldRuns(pool, leases),
    leases,
    schedule: new Schedule(pool),
    storedTimes: new StoredTimes(pool),
    hostBudgets: new HostBudgets(pool),
    sourceMemories: new SourceMemories(pool),
    sourceFeedback: new SourceFeedback(pool),
    rememberedFeeds: new RememberedFeeds(pool),
    snapshots: new Snapshots(pool),
    photos: new ListingPhotos(pool),
    figures: new Figures(pool),
    traces: new ListingTraces(pool),
    migrations: new Migrations(dataSource, pool),
    close: () => dataSource.destroy(),
  };
}
