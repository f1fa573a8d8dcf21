import type { SourceConfig, SourceRequest } from './source-client';

/** The state of a listing of the source. */
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
  /** Whether the gateway's settings ask for feedback. */
  isWanted(source: SourceConfig): boolean;
  /** @throws FeedError when settings or credentials are missing */
  request(listings: readonly ListingFeedback[], source: SourceConfig): SourceRequest;
  /**
   * Checks whether the answer confirms all listings of the request.
   *
   * @returns `unknown` when the source does not know one of them: the others are then sent without it
   * @throws FeedError
   */
  confirm(answer: Buffer): 'taken' | 'unknown';
}
