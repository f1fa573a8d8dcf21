export { explainPublication, type PublicationView } from './views/explain-publication';
export { explainListing, type GatewayTrouble, troubleOf, type WhyView } from './views/explain-listing';
export {
  type FreshnessTerms,
  type GatewayView,
  isViewInState,
  type ShownGateway,
  toGatewayView,
} from './views/gateway-view';
export { type FeedMemoryView, type MemoryMark, toFeedMemoryView } from './views/feed-memory';
export {
  countByState,
  type Filter,
  filterRows,
  type GatewayRow,
  isRowIn,
  type RowOrder,
  ROW_ORDERS,
  sortRows,
  type StateCount,
  toGatewayRow,
} from './views/gateway-rows';
export { diagnose } from './views/diagnose';
export type { DiskSpace, Finding, InstallationFacts } from './views/findings';
export { type CommonAffix, commonAffixes } from './views/common-affixes';
export { brokenServices, installationTroubles, QUEUE_PATIENCE_SECONDS, type ServiceFacts } from './views/services';
export {
  type ComparedField,
  compareRecord,
  type FieldDifference,
  differencesOf,
  type Remap,
} from './views/compare-record';
export { type QueuedRuns, queuedRunsOf, type PendingDecision, pendingDecisions } from './views/pending-decisions';
export { type SnapshotView, toSnapshotView } from './views/snapshots-view';
export { loadShownRun, type RejectionView, type ShownRun, toRejectionView } from './views/run-view';
export {
  type ActedGateway,
  type Actor,
  actorOfMany,
  requestRun,
  type RunWishes,
  setGatewayEnabled,
  whyNoRun,
} from './acts/gateways';
export { pause, type PausedScope, resume } from './acts/pauses';
export {
  addOperator,
  admitOperator,
  changePassword,
  linkOperator,
  removeOperator,
  setOperatorDisabled,
  setRole,
  applyProviderRole,
} from './acts/operators';
export { endFollowUp, followUp, type FollowUpWish, snoozedGateways } from './acts/follow-ups';
export { removeView, saveView } from './acts/saved-views';
export {
  addWebhook,
  removeWebhook,
  replayMessage,
  rotateWebhook,
  type SecretOfWebhook,
  testWebhook,
} from './acts/webhooks';
export {
  addPlacement,
  advertsOf,
  approvePlacement,
  lacking,
  removePlacement,
  retryPublications,
  setPlacement,
  switchPlacement,
  withdrawPublication,
} from './acts/placements';
export { addChannel, addRule, removeChannel, removeRule, testChannel } from './acts/notifications';
export {
  type AddressWish,
  closeInboundWebhookUrl,
  openInboundWebhookUrl,
  type OpenedAddress,
} from './acts/inbound-webhooks';
export { PREVIOUS, releaseGateway, revertGateway, type RevertWish } from './acts/reverts';
export { changeGateway, removeGateway } from './acts/change-gateway';
export { makeExportToken, revokeExportToken, revokeKey, rotateKey } from './acts/keys';
export { cancelRun, decideRun, heldForChangedMapping, publishChangedMappings, type Verdict } from './acts/runs';
export { addGateway, type GatewayWish, sealGateway } from './acts/add-gateway';
export {
  assertCredentials,
  normalizeSettings,
  parseSourceUrl,
  type SourceChecks,
  type SourcePolicy,
} from './adding/source-values';
export { type CsvLine, decodeCsv, namedTitle, parseGatewayCsv, UnreadableCsv } from './adding/gateway-csv';
export {
  assertSlug,
  BadValue,
  BadValues,
  collectBadValues,
  DURATION,
  parseCalendarDate,
  parseDuration,
} from './adding/values';
export { Refused } from './refused';
