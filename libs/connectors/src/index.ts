export { OutboundPosts, PostFailed, type OutboundRequest, type PostAnswer } from './engine/fetch/http/outbound-posts';
export { type FeedReading, openFeed } from './engine/read-feed';
export { EventLoopYield } from './engine/feed-pass';
export { savePhoto } from './engine/fetch/http/save-photo';
export { uploadFile } from './engine/fetch/stores/upload-file';
export { type FeedTrial, type ShownListing, type TriedSource, isFailed, tryFeed } from './engine/try-feed';
export { admissionOf, requestsPerSecond } from './engine/fetch/request-budget';
export { SpoolBudget } from './engine/fetch/spool-budget';
export { isSameFile, toPhotoFile } from './engine/photos/photo-files';
export { mappingKeyOf, mappingOf, maskOf, masksOf, xorOf } from './engine/map/record-hash';
export { canRemap, type StoredListing, StoredRecords } from './engine/map/stored-records';
export { MappingThreads } from './engine/map/threads/mapping-threads';
export { type ConnectorRegistry, loadRegistry } from './engine/registry';
export type { Connector, Quota, SourceConfig } from './kit/contracts';
export type { FeedCoverage } from './kit/feed-shape';
export type {
  ArchiveFile,
  ArchiveFiles,
  RequestedListings,
  PendingNotifications,
  FeedMemory,
  FeedRequest,
  FeedSummary,
  OutboundPolicy,
  RequestMade,
  PhotoFile,
  PhotoIntake,
  RecordOutcome,
  RememberedAnswers,
  SourceMemory,
  PhotoOutcome,
  PhotoRequest,
  ProcessingSlot,
} from './engine/contracts';
export { unsignedText, type UnsignedText } from './kit/clean/signed-urls';
export { httpCredentialProblem } from './kit/http-access';
export { onceAllAreOver } from './kit/whole-answers';
export type { FeedbackVerb, ListingFeedback } from './kit/feedback';
export { type LeadEmail, type LeadVerb, type OutgoingLead, PLAIN_LEAD } from './kit/lead';
