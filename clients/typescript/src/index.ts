export { type ClientOptions, createClient, type Manifest, type PasserelleClient } from './client.ts';
export { AskOperator, Expired, Failure, Refused, RetryLater, Unproven } from './failures.ts';
export { isMassRemoval, type RemovalCounts } from './removal.ts';
export { type Done, type KnownListing, memoryStore, type SavedStore, type SyncStore } from './store.ts';
export { type SyncOptions, type SyncResult, syncListings } from './sync.ts';
export type { Change, Feed, History, ManifestLine, Photo, Property, Report } from './types.ts';
export { verifyWebhook, type WebhookMessage, WebhookRefused } from './webhook.ts';
