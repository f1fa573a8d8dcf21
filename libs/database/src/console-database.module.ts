import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseConnection } from './connection';
import type { ProcessOptions } from './data-source';
import { Connectors } from './connector/connectors';
import { connectedModule, LISTING_TRACES } from './database-module';
import { ExportTokens } from './gateway/export-tokens';
import { Gateways } from './gateway/gateways';
import { GatewaySummaries } from './gateway/gateway-summaries';
import { Pauses } from './gateway/pauses';
import { AuditLog } from './operator/audit';
import { Operators } from './operator/operators';
import { SignIns } from './operator/sign-ins';
import { SavedViews } from './operator/saved-views';
import { RefusedWrites } from './database-failures';
import { InboundWebhookUrls } from './inbound-webhook/inbound-webhook-urls';
import { OutboxLog } from './outbox/outbox-log';
import { SourceFeedback } from './outbox/source-feedback';
import { WebhookAdmin } from './outbox/webhook-admin';
import { WebhookEndpoints } from './outbox/webhook-endpoints';
import { RememberedFeeds } from './run/remembered-feeds';
import { Reports } from './report/reports';
import { Announcements } from './run/announcements';
import { GatewayDays } from './run/gateway-days';
import { HostBudgets } from './run/host-budgets';
import { HeldRuns } from './run/held-runs';
import { Leases } from './run/leases';
import { Problems } from './run/problems';
import { RunComparison } from './run/run-comparison';
import { RunOutcomes } from './run/run-outcomes';
import { RunHistory } from './run/run-history';
import { RunRequests } from './run/run-requests';
import { KeptSnapshots } from './snapshot/kept-snapshots';
import { RevertGuards } from './snapshot/revert-guards';
import { ServerQuestions } from './server-facts';

/** The parts of the database that the console may use: data and actions of operators, but no secrets. */
const REPOSITORIES = [
  RefusedWrites,
  DatabaseConnection,
  Connectors,
  Gateways,
  GatewaySummaries,
  Pauses,
  ExportTokens,
  Operators,
  SignIns,
  AuditLog,
  SavedViews,
  Reports,
  SourceFeedback,
  RememberedFeeds,
  WebhookEndpoints,
  WebhookAdmin,
  InboundWebhookUrls,
  OutboxLog,
  Announcements,
  RunRequests,
  RunHistory,
  RunComparison,
  RunOutcomes,
  GatewayDays,
  Problems,
  Leases,
  HeldRuns,
  KeptSnapshots,
  RevertGuards,
  HostBudgets,
  ServerQuestions,
];

@Module({})
export class ConsoleDatabaseModule {
  /** Opens the connection at boot and closes it at shutdown. */
  static forRoot(options: ProcessOptions): Promise<DynamicModule> {
    return connectedModule(ConsoleDatabaseModule, REPOSITORIES, options, 'operate', [LISTING_TRACES]);
  }
}
