import type { WarningCode } from '@passerelle/domain';

/** A gateway's source as the engine needs it. Values of `credentials` are secrets: never logged. */
export interface SourceConfig {
  url: string;
  credentials: Readonly<Record<string, string>>;
  /** The values of `--set name=value`; names in kebab-case. */
  settings: Readonly<Record<string, string>>;
}

/**
 * One HTTP request of a connector, with an absolute address. The engine adds conditional headers, limits and the
 * address check.
 */
export interface SourceRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  method?: 'GET' | 'POST';
  body?: string;
  /** Name of a parameter of `url` that is a credential: it is not sent to any other origin. */
  secretParameter?: string;
  /** How many of the last records of the walk so far the page begins with, if nothing has moved meanwhile. */
  overlaps?: number;
  /** How many records the source delivers per page, when pages of a walk have several sizes. */
  perPage?: number;
}

/** An unchanged answer to a request other than for a page. */
export interface SourceAnswer {
  body: Buffer;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A credential that a source issues in exchange for others, and that expires. */
export interface Exchanged {
  value: string;
  lifetimeMs: number;
  /**
   * How long before the end of a credential a new one is requested; default one minute. 0 when the source issues no new
   * one while one is valid.
   */
  renewBeforeMs?: number;
}

/** The services for `prepare` before the walk, with the same limits and address check. */
export interface SourceClient {
  /** The parsed JSON answer. @throws FeedError */
  getJson(request: SourceRequest): Promise<unknown>;
  /**
   * The parsed JSON answer to a request for data that seldom changes, such as a table of labels. All gateways and
   * processes that send the same request with the same credentials share it. After a day it is requested again, with
   * its ETag. @throws FeedError
   */
  getTable(request: SourceRequest): Promise<unknown>;
  /** The answer, whatever it is. @throws FeedError */
  get(request: SourceRequest): Promise<SourceAnswer>;
  /**
   * A credential that all gateways of an account share, in all processes: the stored one while it is valid, else a new
   * one, which only one process requests. After a 401 during a walk, it is a different one.
   *
   * @param account everything that decides which credential it is: addresses, names, secrets. Never stored or logged in
   * plain form.
   * @throws FeedError as `exchange` does
   */
  exchanged(account: readonly string[], exchange: () => Promise<Exchanged>): Promise<string>;
  warn(code: WarningCode, field: string, value: string): void;
}

/**
 * For sources whose lists only name their listings: each listing is requested separately, and only when its summary
 * differs from the current snapshot. Received records are kept until the listings are published, so that the next run
 * can continue a run that ended early.
 */
export interface ListingDetails {
  /**
   * @param summary a parsed record of a list. @param page the request for its page, whose token may be newer than that
   * of the walk
   */
  request(summary: unknown, page: SourceRequest): SourceRequest;
  /** The key by which walks distinguish listings; undefined when the summary has none. */
  idOf(summary: unknown): string | undefined;
  /**
   * Makes the record that is parsed and mapped. @throws BadFeed when the answer is no listing: then the feed is
   * incomplete
   */
  record(summary: Buffer, answer: Buffer): Buffer;
}

/**
 * For sources that list what has changed since a time and what was deleted: between two reads of the whole list, only
 * these two lists are read. A listing in neither of them stays.
 */
export interface ListedChanges {
  /** The first request of a walk through the changes since a time, including listings that are no longer offered. */
  since(first: SourceRequest, since: Date): SourceRequest;
  /**
   * The identifiers (`affId`) of deleted listings, recent or all. Requested before the walk.
   *
   * @throws FeedError: then the whole list is read instead, unless the error asks for a later retry
   */
  deleted(first: SourceRequest, client: SourceClient): Promise<readonly string[]>;
  /** How long the whole list may stay unread. */
  wholeEverySeconds: number;
}
