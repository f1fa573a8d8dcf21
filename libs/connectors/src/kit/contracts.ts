import type {
  InboundWebhookRules,
  ConnectorType,
  Listing,
  Photo,
  Rejection,
  RejectionCode,
  WarningCode,
} from '@passerelle/domain';
import type { FeedCoverage, Opening } from './feed-shape';
import type { FilePhoto, PhotoSeriesRule } from './photo-series';
import type { FeedbackVerb } from './feedback';
import type { LeadVerb } from './lead';
import type { ListedChanges, ListingDetails, SourceClient, SourceConfig, SourceRequest } from './source-client';

export type { ListedChanges, ListingDetails, SourceClient, SourceConfig, SourceRequest } from './source-client';

/**
 * The contracts of those who write connectors: a *source* (one folder, one connector) declares a `Connector` with the verbs
 * of the kit; *formats* hold the dialects that several sources share. Those who run feeds have `engine/contracts.ts`.
 */

/** A named stream of bytes: the fetched document, or one entry of an archive. */
export interface FeedDocument {
  name: string;
  /** Each call starts at the first byte. A chunk is valid until the one after the next is requested. */
  open(): AsyncIterable<Buffer>;
  /** Recognizes a record of the current snapshot by its bytes: a reader need not look into it. */
  recognize?: (record: Buffer) => RecognizedRecord | undefined;
}

/** The identity of a record of the current snapshot. */
export interface RecognizedRecord {
  hash: string;
  /** Hash of the elements beside the records when it was mapped. With other elements it is another record. */
  feed: Readonly<Record<string, unknown>>;
}

/** A slice that a reader cuts from a document. `bytes` may be a view into a larger buffer: copy it to keep it. */
export type Slice =
  /**
   * One record's own bytes, nothing around them. `line` is 1-based, where it starts; `recognized` is by the document; a further
   * offer of the record before counts as no record of its own.
   */
  | {
      kind: 'record';
      bytes: Buffer;
      line: number;
      recognized?: RecognizedRecord;
      isFurtherOffer?: true;
      /** Its identity when that is not its own bytes: its summary. */
      hash?: string;
    }
  /** Bytes outside records that the mapping needs, such as an agency block; ahead of the records that it concerns. */
  | { kind: 'context'; name: string; bytes: Buffer }
  /** Bytes that cannot be a record: becomes a rejection. */
  | { kind: 'broken'; bytes: Buffer; line: number; message: string; /** Default `malformed`. */ code?: RejectionCode }
  /** The feed says how many records it holds. */
  | { kind: 'declared'; count: number }
  /** The document lists everything of this scope: what is absent of it is gone. For connectors of several scopes. */
  | { kind: 'scope'; scope: string }
  /** The rest of the document is missing: the run goes on, and is not complete. */
  | { kind: 'incomplete'; message: string }
  /** Elements, or objects, beside the records that the format does not know: they may be records that nothing reads. */
  | { kind: 'unknown'; name: string; count: number }
  /** A warning about the document as a whole. */
  | { kind: 'noticed'; code: WarningCode; field: string; message: string };

/** The input of the mapping in addition to the record. */
export interface RecordContext {
  /** The connector's code. */
  crm: string;
  settings: Readonly<Record<string, string>>;
  /** The elements outside the records, by name, parsed by the format's `parseContext`. */
  feed: Readonly<Record<string, unknown>>;
  /** Notes something without rejecting the record. `value` is the word met, `field` the source's name for the field. */
  warn(code: WarningCode, field: string, value: string): void;
}

/** A survey of a document, ahead of its records. It reads all bytes of every run: it must be cheap, and parse nothing. */
export interface DocumentSurvey {
  /** Reads the document from its first byte, and yields to the event loop when that is due. */
  inspect(document: FeedDocument, loopYield: LoopYield): Promise<void>;
  /** The context of the document's records that follows, by name: the same names for every document. */
  findings(): Readonly<Record<string, unknown>>;
}

/** How long work lets timers run; waiting fails with the reason once the work is no longer wanted. */
export type LoopYield = { isDue(): boolean; wait(): Promise<void> };

/** How bytes become records of type R. R is plain JSON-like data in the CRM's own words, text as text. */
export interface RecordFormat<R> {
  /** For facts that need the whole document: each document is then read twice, first for a survey. */
  survey?(): DocumentSurvey;
  /** @throws BadFeed when the document is not of this format at all (an HTML page, another root element). */
  slice(document: FeedDocument): AsyncIterable<Slice>;
  /** @throws RecordError */
  parse(bytes: Buffer, context: RecordContext): R;
  /** `feed` is what came ahead of it. */
  parseContext?(name: string, bytes: Buffer, feed: RecordContext['feed']): unknown;
  /** The record as it leaves the gateway in `format=raw`: everything but private and unknown fields. */
  toRaw(record: R, context: RecordContext): Record<string, unknown>;
}

/** Thrown while one record is parsed or mapped: the record becomes a rejection, the feed goes on. */
export class RecordError extends Error {
  override readonly name = 'RecordError';

  constructor(
    readonly code: Rejection['code'],
    message: string,
    readonly field?: string,
    /** The `affId`, where the record said as much. */
    readonly recordId?: string,
  ) {
    super(message);
  }
}

/** The result of a mapping: a listing whose files are not resolved yet. */
export type MappedListing = Omit<Listing, 'photos'> & { photos: (Photo | FilePhoto)[] };

/** The result of mapping one record. */
export type Mapped =
  | {
      kind: 'listing';
      listing: MappedListing;
      /** In feeds of several agencies: whose. */ scope?: string;
      /** Decides between two records with one id: the greater wins; without it the later. */ revision?: string;
    }
  | { kind: 'withdrawn'; affId: string; scope?: string; message: string };

/** A page that the engine has fetched and cut: how far the walk has come. */
export interface WalkedPage {
  request: SourceRequest;
  /** Records in this page. */
  records: number;
  /** Records in all pages so far; one that two pages share counts once. */
  recordsSoFar: number;
  /** The number of records to skip in a request: the next page shares one record with this one. */
  resumeAt: number;
  /** A hint: it may be cached, lag, or be wrong. It never says that a full page was the last. */
  declared: number | undefined;
  /** Small members of the page's document outside the records (`@odata.nextLink`, `total_items`), parsed. */
  envelope: Readonly<Record<string, unknown>>;
}

/** One document at one address: http(s), or a file in the inbox. */
export interface DocumentFetch {
  kind: 'document';
  request(source: SourceConfig): SourceRequest;
}

/** An API that is walked page by page. */
export interface PagedFetch {
  kind: 'pages';
  /** Sends secondary requests first, for tokens and agencies. */
  prepare(source: SourceConfig, client: SourceClient): Promise<PreparedWalks>;
  /** The next request of a walk, or undefined when this page was the last. */
  next(page: WalkedPage): SourceRequest | undefined;
  /**
   * `next` moved back to the last record of the page before it, where it can be: a walk that must prove that nothing has
   * moved asks so.
   */
  overlapping?(next: SourceRequest, page: WalkedPage): SourceRequest;
  /** For sources that can list the records that come after a key: their pages do not shift while they are read. */
  keyOrder?: KeyOrder;
  /** The advice to operators when the source answers 401 or 403: the end of the error message. */
  whenRefused?: string;
  /** Replaces a request by a signed one, for sources that require it. Called again for each attempt. */
  sign?(request: SourceRequest, source: SourceConfig, now: Date): SourceRequest;
  /**
   * Makes the page that the format cuts from the answer to its request, for sources whose records come in several answers.
   * An error of it is one of the page: an incomplete page is none.
   *
   * @throws FeedError
   */
  compose?(answer: PageAnswer, source: SourceConfig, client: SourceClient): Promise<Buffer>;
  /** Where a record of a list is a summary, and its listing an answer of its own. */
  details?: ListingDetails;
  /** Where the source says what has changed, and what was deleted. */
  changes?: ListedChanges;
}

/** The answer to the request for a page, as the source gave it. */
export interface PageAnswer {
  request: SourceRequest;
  body: Buffer;
}

export interface PreparedWalks {
  /** The first request of each walk. Each walks a list of its own. */
  walks: SourceRequest[];
  /** The context of all records. */
  feed: Record<string, unknown>;
  /** The source's pages do not shift while records come and go. Without it one walk of several pages proves nothing. */
  hasStablePages?: boolean;
}

/**
 * A CRM that sends a webhook when something has changed, instead of being polled. The webhook only names an identifier: the
 * connector then requests it. Each listing has this identifier as its scope, and an identifier of its own. When the answer lacks
 * a requested scope, the listings of that scope are gone.
 */
export interface PushedFetch {
  kind: 'pushed';
  webhook: InboundWebhookRules;
  /** Sends secondary requests ahead of the others, for a token. */
  prepare(source: SourceConfig, client: SourceClient): Promise<PreparedRequests>;
  /** The request for what a call has named. 404 and 410 say that it is gone. */
  record(id: string, prepared: PreparedRequests): SourceRequest;
  /** Makes the document that the format cuts from the answer. @throws FeedError */
  document?(answer: Buffer, id: string): Buffer;
  /**
   * The removals since a time, when the source keeps a list of them: the next run then notices a lost call about a
   * removal.
   */
  removed?(since: Date, prepared: PreparedRequests, client: SourceClient): Promise<readonly { id: string; at: Date }[]>;
  /** The list of everything, where the source has one: a call that was lost is noticed by it. */
  list?: PagedFetch;
  /** How often the list is compared; without a list, after how long a listing that no call has named is requested. */
  compareEverySeconds: number;
  /** The advice to operators when the source answers 401 or 403: the end of the error message. */
  whenRefused?: string;
}

export interface PreparedRequests {
  /** Where the API is. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** The context of all records. */
  feed: Record<string, unknown>;
}

/** How to ask for records in the order of a key that never changes. */
export interface KeyOrder {
  /** A walk's first request in the order of the key, ascending; undefined where the request cannot be ordered. */
  first(request: SourceRequest): SourceRequest | undefined;
  /** The key of a parsed record. */
  keyOf(record: unknown): string | undefined;
  /**
   * The request for the page after this one, or undefined after the last page. In `page`, `declared` may count the rest
   * after the previous page, or the whole list.
   *
   * @param first the result of `first`.
   * @param lastRecord the page's last record, parsed.
   */
  next(first: SourceRequest, page: WalkedPage, lastRecord: unknown): SourceRequest | undefined;
}

/** How many requests a vendor allows. */
export interface Quota {
  /** The vendor's host: others, such as a proxy, have their own rules. */
  host: string;
  requestsPerSecond: number;
  /** By the calendar of UTC. */
  requestsPerDay: number;
  /** Under way at a time, of one account; without it as many as the rate allows. */
  requestsAtOnce?: number;
  /** Whom the vendor counts by; undefined where the gateway does not say. Compared, never stored or logged as it is. */
  account(source: SourceConfig): string | undefined;
}

/** One connector: code, one folder. Made with `defineConnector`. */
export interface Connector<R = unknown> {
  /** Lower-case letters, digits and hyphens: the `crm` of gateways. */
  code: string;
  label: string;
  type: Exclude<ConnectorType, 'unknown'>;
  /** Shown to API clients and operators: what the source URL is, which credentials and settings it takes. */
  notes: string;
  /** Raise it when the same record would become another listing or raw record: all records are then mapped again. */
  version: number;
  /** Names of the credentials and settings it understands, with one sentence each. Others are refused by `gateway add`. */
  credentials: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  /** The vendor's limits for one account; a gateway's own settings have priority. */
  quota?: Quota;
  fetch: DocumentFetch | PagedFetch | PushedFetch;
  open: Opening;
  format: RecordFormat<R>;
  /** @throws RecordError */
  map(record: R, context: RecordContext): Mapped;
  /** How an enquiry of a visitor reaches the CRM. */
  lead: LeadVerb;
  /** How to send the CRM the states of its listings, when it accepts them. */
  feedback?: FeedbackVerb;
  /** Addresses of photos die after a while: those that the mapping marks are copied into the media store. */
  copiesPhotos?: true;
  /** For formats whose archives may hold photos that no record names. */
  photoSeries?: PhotoSeriesRule<R>;
  /**
   * Feeds that say what changed instead of what there is. Without it every feed is the whole list. `scopes` are those
   * that the format's `scope` slices named.
   */
  coverage?(feed: Readonly<Record<string, unknown>>, scopes: readonly string[]): FeedCoverage;
}
