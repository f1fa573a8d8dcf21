import type { SourceConfig, SourceRequest } from './source-client';

/** The state of a listing of the source. */
export interface ListingFeedback {
  affId: string;
  /** `rejected`: its record could not become a listing. */
  status: 'shown' | 'removed' | 'rejected';
  /** For a rejected one: a sentence without private data. */
  reason?: string;
}

/** How to send a source the states of its listings. */
export interface FeedbackVerb {
  /** How many listings one request may name. */
  mostAtOnce: number;
  /** Whether the gateway's settings ask for it. */
  isWanted(source: SourceConfig): boolean;
  /** @throws FeedError where settings or credentials do not suffice */
  request(listings: readonly ListingFeedback[], source: SourceConfig): SourceRequest;
  /**
   * Checks whether the answer confirms all of them.
   *
   * @returns `unknown` when the source does not know one of them: the others are then sent without it
   * @throws FeedError
   */
  confirm(answer: Buffer): 'taken' | 'unknown';
}
