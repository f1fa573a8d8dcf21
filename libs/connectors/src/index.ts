export { type FeedReading, openFeed } from './engine/read-feed';
export { isSameFile, toPhotoFile } from './engine/photo-files';
export { MappingThreads } from './engine/threads/mapping-threads';
export { type ConnectorRegistry, loadRegistry } from './engine/registry';
export type {
  ArchiveFile,
  ArchiveFiles,
  Connector,
  FeedCoverage,
  FeedMemory,
  FeedRequest,
  FeedSummary,
  OutboundPolicy,
  PhotoFile,
  PhotoIntake,
  Quota,
  RecordOutcome,
  SourceConfig,
  TakenPhoto,
  WantedPhoto,
} from './kit/contracts';
export { httpCredentialProblem } from './kit/http-access';
