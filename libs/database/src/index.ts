export {
  InboundWebhookUrls,
  type InboundWebhookUrl,
  type WaitingWebhooks,
} from './inbound-webhook/inbound-webhook-urls';
export { WebhookProcessing, type ProcessedWebhooks, type PendingWebhooks } from './inbound-webhook/processed-webhooks';
export { WebhookInbox, EVERYTHING, type MatchedWebhookUrl } from './inbound-webhook/webhook-inbox';
export { DatabaseConnection, SessionAddress } from './connection';
export type { Notifications } from './notifications';
export type { DatabaseOptions } from './connection-settings';
export { Connectors } from './connector/connectors';
export {
  type ProgramSessions,
  type ReplicaFacts,
  type ServerFacts,
  ServerQuestions,
  type TableOnDisk,
} from './server-facts';
export { SchemaUnfit } from './migrations/schema-unfit';
export { DatabaseModule } from './database-module';
export { DatabaseClock } from './database-clock';
export { isDatabaseAway, isForLater, isWriteRefused, RefusedWrites } from './database-failures';
export { DatabaseNotMigrated, DatabaseUnreachable, WrongRole } from './data-source';
export { GatewayExists, Gateways, type GatewayChange, type Gateway, type NewGateway } from './gateway/gateways';
export { GatewaySummaries, type GatewaySummary, type ShownKey } from './gateway/gateway-summaries';
export type { GatewayDetails } from './gateway/gateway-details';
export { type ListedPause, Pauses, type PauseScope } from './gateway/pauses';
export { ExportTokens, type ExportToken, type FoundToken } from './gateway/export-tokens';
export { ServedGateways, type ServedGateway, type ServedKey, type PublishedSnapshot } from './gateway/served-gateways';
export { type PresentedKey, PresentedKeys } from './gateway/presented-keys';
export { KeyUses, StoredKeys } from './gateway/stored-keys';
export { Installation } from './installation';
export type { BodiesForm, Frame } from './listing/bodies';
export { ReplicaReads } from './listing/replica-reads';
export type { NamedSnapshot } from './snapshot/read-versions';
export { retryWhileUnavailable } from './retry-while-unavailable';
export { retryLostRead } from './retry-lost-read';
export { SecretsKeyCheck, SecretsKeyUnfit } from './secrets-key-check';
export { ServedListings, type ManifestLine, type SnapshotOfGateway } from './listing/served-listings';
export { AuditLog, type AuditedChange, type BackupFacts, type AuditFilter } from './operator/audit';
export { Operators, type Operator } from './operator/operators';
export { SignIns } from './operator/sign-ins';
export { type FollowUp, FollowUps } from './gateway/follow-ups';
export { type SavedView, SavedViews } from './operator/saved-views';
export { nameOfRole, RolesNotMade, type RoleName, type RolePasswords } from './roles/roles';
export { openDatabase, type Database } from './open-database';
export { NOTIFICATION_CONNECTIONS, POOL_SIZES } from './pool-sizes';
export { ListingPhotos } from './photo/listing-photos';
export type { PhotoRow, StoredPhotoRow } from './photo/photo-rows';
export { Reports, type NewestReport, type NewReport, type ReceivedReport, type ReportStatus } from './report/reports';
export { Announcements, type Announced, type QueueFacts } from './run/announcements';
export { FeedStates, type FeedFigures, type LastRun } from './run/feed-states';
export { Figures, type ConnectorFigures } from './run/figures';
export { HeldRuns } from './run/held-runs';
export { HostBudgets } from './run/host-budgets';
export { Leases } from './run/leases';
export { type KeptVersion, ListingTraces, type ComparedChange, type PastChange } from './run/listing-traces';
export { type Problem, Problems } from './run/problems';
export { type RememberedFeed, RememberedFeeds } from './run/remembered-feeds';
export { type ComparedRun, type HeldListingSummary, type RevertPreview, RunComparison } from './run/run-comparison';
export { type GatewayDay, GatewayDays } from './run/gateway-days';
export { type ConnectorOutcomes, RunOutcomes } from './run/run-outcomes';
export { type InstallationDay, InstallationDays } from './run/installation-days';
export { RunCleaning } from './run/run-cleaning';
export { RunHistory, type HeldListings, type RejectionGroup } from './run/run-history';
export { RunNoteStore } from './run/run-notes';
export { RunRequests } from './run/run-requests';
export { Runs, type ClaimedRun, type RunEnding } from './run/runs';
export { Remaps, type CurrentMapping } from './run/remaps';
export { Schedule, type WaitingSource } from './run/schedule';
export { StoredTimes } from './run/stored-times';
export { SourceMemories } from './run/source-memories';
export { SearchRows, type SearchRow } from './search/search-rows';
export { DEFAULT_PARTITIONS } from './partitions/divide';
export { KeptSnapshots, type KeptSnapshot, type ListedSnapshot } from './snapshot/kept-snapshots';
export { RevertRefused, Reverts } from './snapshot/revert';
export { type RevertGuard, RevertGuards } from './snapshot/revert-guards';
export { PublishRefused, RunCancelled } from './snapshot/publish';
export { SnapshotChanges, type ChangeCounts, type ListingFormat, type NetChange } from './listing/snapshot-changes';
export type { ListingChange, RemovalReason, SnapshotWriter } from './snapshot/snapshot-writer';
export type { NewVersion } from './snapshot/version-copies';
export { KeptListings } from './snapshot/kept-listings';
export { Snapshots } from './snapshot/snapshots';
export type { CurrentVersion, StoredSnapshot, VersionTexts } from './snapshot/read-versions';
export type { Rehashed } from './snapshot/rehash';
export type { ByteText } from './copy/row-fields';
export type { RequestedPage } from './pagination/unwritten-sessions';
export type { SessionAges } from './pagination/unwritten-sessions';
export { UnknownPaginationSession, PaginationSessionStore } from './pagination/pagination-session-store';
export { type ExportedPlacement, type ExportedVersion, type ExportOutcome, ExportRuns } from './export/export-runs';
export { type PlacementDocument, PlacementDocuments } from './export/placement-documents';
export {
  type Placement,
  PLACEMENT_TROUBLES,
  Placements,
  type PlacementTerms,
  type PlacementTrouble,
} from './export/placements';
export {
  type ExportFence,
  ExportTakenOver,
  type ListedPublication,
  type PublicationFilter,
  Publications,
} from './export/publications';
export { LeadListings } from './listing/lead-listings';
export {
  type ChannelAddress,
  NotificationChannels,
  type NotificationChannel,
  type StoredRule,
} from './notification/notification-channels';
export { NotificationNotices } from './notification/notices';
export { Outbox, type OrderKey, type ClaimedDelivery, type TryResult } from './outbox/outbox';
export { GatewayEdits, type GatewayEditState } from './outbox/gateway-edits';
export { OutboxLog, type LoggedDelivery } from './outbox/outbox-log';
export { ReceivedLeads } from './outbox/received-leads';
export { AgencyDigests } from './notification/agency-digests';
export { SourceFeedback, type WaitingFeedback, type NotifiedSource } from './outbox/source-feedback';
export { WebhookAdmin } from './outbox/webhook-admin';
export { WebhookEndpoints, type WebhookEndpoint } from './outbox/webhook-endpoints';
export { WebhookTargets, type WebhookTarget } from './outbox/webhook-targets';
