import type { SourceConfig, SourceRequest } from './source-client';

/** What became of a listing of the source. */
export interface ListingFeedback {
  affId: string;
  /** `rejected`: its record could not become a listing. */
  status: 'shown' | 'removed' | 'rejected';
  /** Of what was rejected: one sentence without private data. */
  reason?: string;
}

/** How a source is told what became of its listings, for those that want to know. */
export interface FeedbackVerb {
  /** How many listings one request may name. */
  mostAtOnce: number;
  /** Whether the gateway's settings ask for it. */
  isWanted(source: SourceConfig): boolean;
  /** @throws FeedError where settings or credentials do not suffice */
  request(listings: readonly ListingFeedback[], source: SourceConfig): SourceRequest;
  /**
   * Looks whether the answer says that all were taken.
   *
   * @returns `unknown` when the source does not know one of them: the others are told then without it
   * @throws FeedError
   */
  confirm(answer: Buffer): 'taken' | 'unknown';
}
