export { type FeedReading, openFeed } from './engine/read-feed';
export { isSameFile, toPhotoFile } from './engine/photos/photo-files';
export { MappingThreads } from './engine/map/threads/mapping-threads';
export { type ConnectorRegistry, loadRegistry } from './engine/registry';
export type { Connector, FeedCoverage, Quota, SourceConfig } from './kit/contracts';
export type {
  ArchiveFile,
  ArchiveFiles,
  FeedMemory,
  FeedRequest,
  FeedSummary,
  OutboundPolicy,
  PhotoFile,
  PhotoIntake,
  RecordOutcome,
  TakenPhoto,
  WantedPhoto,
} from './engine/contracts';
export { httpCredentialProblem } from './kit/http-access';
