import type { WarningCode } from '@passerelle/domain';

/** A gateway's source as the engine needs it. Values of `credentials` are secrets: never logged. */
export interface SourceConfig {
  url: string;
  credentials: Readonly<Record<string, string>>;
  /** The values of `--set name=value`; names in kebab-case. */
  settings: Readonly<Record<string, string>>;
}

/** An absolute address. The engine adds conditional headers, limits and the address check. */
export interface SourceRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  method?: 'GET' | 'POST';
  body?: string;
  /** Name of a parameter of `url` that is a credential: it is not sent to any other origin. */
  secretParameter?: string;
  /** How many of the walk's last records the page repeats at its start, if no record has moved. */
  overlaps?: number;
  /** How many records the source delivers per page, when pages of a walk have several sizes. */
  perPage?: number;
}

/** The raw answer to a request that is not for a page. */
export interface SourceAnswer {
  body: Buffer;
  /** The keys are header names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A credential that a source issues in exchange for others, and that expires. */
export interface Exchanged {
  value: string;
  lifetimeMs: number;
  /**
   * How long before its end the credential is renewed; default one minute. 0 when the source issues no new one while
   * the old one is valid.
   */
  renewBeforeMs?: number;
}

/**
 * Requests that a connector may send besides those for pages, for example in `prepare`, with the same limits and
 * address check.
 */
export interface SourceClient {
  /** The parsed JSON answer. @throws FeedError */
  getJson(request: SourceRequest): Promise<unknown>;
  /** JSON that seldom changes: cached per request and credentials, requested again after a day. @throws FeedError */
  getTable(request: SourceRequest): Promise<unknown>;
  /** The answer in any format. @throws FeedError */
  get(request: SourceRequest): Promise<SourceAnswer>;
  /**
   * Returns a credential that all gateways of an account share; only one process requests it. After a 401 it returns a
   * different one.
   * @param account all values that identify the credential; never stored or logged in plain form.
   * @throws FeedError as `exchange` does
   */
  exchanged(account: readonly string[], exchange: () => Promise<Exchanged>): Promise<string>;
  warn(code: WarningCode, field: string, value: string): void;
}

/** For lists that contain only summaries. A listing is requested when its summary changes; a later run can continue. */
export interface ListingDetails {
  /** `page` is the request for the summary's page: its token may be newer than that of the walk. */
  request(summary: unknown, page: SourceRequest): SourceRequest;
  /** The key by which walks distinguish listings; undefined when the summary has none. */
  idOf(summary: unknown): string | undefined;
  /**
   * Builds the record from a summary and the answer for its listing. @throws BadFeed when the answer is no listing:
   * then the feed is incomplete
   */
  record(summary: Buffer, answer: Buffer): Buffer;
}

/** Between two reads of the whole list, only changes and deletions are read. A listing in neither list stays. */
export interface ListedChanges {
  /** The first request of a walk through the changes since a time, including listings that are no longer offered. */
  since(first: SourceRequest, since: Date): SourceRequest;
  /**
   * The `affId`s of deleted listings, recent or all. @throws FeedError: then the whole list is read, unless the error
   * is `RetryLater`
   */
  deleted(first: SourceRequest, client: SourceClient): Promise<readonly string[]>;
  /** The longest time between two reads of the whole list. */
  wholeEverySeconds: number;
}
