import type { SourceConfig, SourceRequest } from './source-client';

export interface ListingFeedback {
  affId: string;
  /** `rejected`: its record could not become a listing. */
  status: 'shown' | 'removed' | 'rejected';
  /** Why the listing was rejected: a sentence without private data. */
  reason?: string;
}

/** How to send a source the states of its listings. */
export interface FeedbackVerb {
  /** How many listings one request may name. */
  mostAtOnce: number;
  isWanted(source: SourceConfig): boolean;
  /** @throws FeedError when settings or credentials are missing */
  request(listings: readonly ListingFeedback[], source: SourceConfig): SourceRequest;
  /** `unknown` when the source does not know one listing: the others are sent without it. @throws FeedError */
  confirm(answer: Buffer): 'taken' | 'unknown';
}
