export { maskUrl } from './engine/download/mask-url';
export { type FeedReading, openFeed } from './engine/read-feed';
export { type ConnectorRegistry, loadRegistry } from './engine/registry';
export type {
  Connector,
  FeedCoverage,
  FeedMemory,
  FeedRequest,
  FeedSummary,
  OutboundPolicy,
  Quota,
  RecordOutcome,
  SourceConfig,
} from './kit/contracts';
export { httpCredentialProblem } from './kit/http-access';
