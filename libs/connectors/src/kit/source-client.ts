import type { WarningCode } from '@passerelle/domain';

/** A gateway's source as the engine needs it. Values of `credentials` are secrets: never logged. */
export interface SourceConfig {
  url: string;
  credentials: Readonly<Record<string, string>>;
  /** The values of `--set name=value`; names in kebab-case. */
  settings: Readonly<Record<string, string>>;
}

/** One HTTP request of a connector, relative to nothing: the engine adds conditional headers, limits and the guard. */
export interface SourceRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  method?: 'GET' | 'POST';
  body?: string;
  /** Name of a parameter of `url` that is a credential: it goes to no other origin. */
  secretParameter?: string;
  /** How many of the last records of the walk so far the page begins with, if nothing has moved meanwhile. */
  overlaps?: number;
  /** How many records the source delivers per page, when pages of a walk have several sizes. */
  perPage?: number;
}

/** An answer as it came, for what is no page. */
export interface SourceAnswer {
  body: Buffer;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A credential that a source gives in exchange for others, and that ends. */
export interface Exchanged {
  value: string;
  lifetimeMs: number;
  /**
   * How long before its end a new one is requested; default a minute. 0 when the source issues none while one is valid.
   */
  renewBeforeMs?: number;
}

/** The services for `prepare` before the walk, within the same limits and guard. */
export interface SourceClient {
  /** The parsed JSON answer. @throws FeedError */
  getJson(request: SourceRequest): Promise<unknown>;
  /**
   * The parsed JSON answer to a question about what seldom changes, such as a table of labels. It is remembered for all gateways
   * and processes that ask the same with the same credentials, and after a day asked for again by its ETag. @throws FeedError
   */
  getTable(request: SourceRequest): Promise<unknown>;
  /** The answer, whatever it is. @throws FeedError */
  get(request: SourceRequest): Promise<SourceAnswer>;
  /**
   * A credential that all gateways of an account share, in all processes: the one that is remembered while it is good, else a
   * new one, which one process alone asks for. After a 401 of a walk it is another one than before.
   *
   * @param account what decides which credential it is: addresses, names, secrets. Never stored or logged as it is.
   * @throws FeedError as `exchange` does
   */
  exchanged(account: readonly string[], exchange: () => Promise<Exchanged>): Promise<string>;
  warn(code: WarningCode, field: string, value: string): void;
}

/**
 * For sources whose lists only name their listings: each is requested by itself, and only when its summary differs from
 * the current snapshot. Received records are kept until the listings are published, so that a run that ends early is
 * continued.
 */
export interface ListingDetails {
  /**
   * @param summary a record of a list, parsed. @param page the request of its page: its token may be newer than the
   * walk
   */
  request(summary: unknown, page: SourceRequest): SourceRequest;
  /** The key by which walks distinguish listings; undefined when the summary has none. */
  idOf(summary: unknown): string | undefined;
  /** The record that is parsed and mapped. @throws BadFeed when the answer is no listing: then the feed is incomplete */
  record(summary: Buffer, answer: Buffer): Buffer;
}

/**
 * For sources that say what has changed since a moment, and keep a list of what was deleted: between two readings of the whole
 * list only that is read. A listing that neither names stays.
 */
export interface ListedChanges {
  /** The first request of a walk, for what has changed since alone: with what is not offered any more among it. */
  since(first: SourceRequest, since: Date): SourceRequest;
  /**
   * The identifiers (`affId`) of deleted listings, recent or all. Requested before the walk.
   *
   * @throws FeedError: unless it asks for a later retry, the whole list is read instead
   */
  deleted(first: SourceRequest, client: SourceClient): Promise<readonly string[]>;
  /** How long the whole list may go unread. */
  wholeEverySeconds: number;
}
