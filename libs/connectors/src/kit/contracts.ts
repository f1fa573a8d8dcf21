import type {
  InboundWebhookRules,
  ConnectorType,
  Link,
  Listing,
  Photo,
  Rejection,
  RejectionCode,
  WarningCode,
} from '@passerelle/domain';
import type { FeedCoverage, Opening, RemapRule } from './feed-shape';
import type { FileLink, FilePhoto, PhotoSeriesRule } from './photo-series';
import type { FeedbackVerb } from './feedback';
import type { LeadVerb } from './lead';
import type { ListedChanges, ListingDetails, SourceClient, SourceConfig, SourceRequest } from './source-client';

export type { ListedChanges, ListingDetails, SourceClient, SourceConfig, SourceRequest } from './source-client';

/** Contracts for connector authors. Those for programs that run feeds are in `engine/contracts.ts`. */

/** A named stream of bytes: the fetched document, or one entry of an archive. */
export interface FeedDocument {
  name: string;
  /** Each call starts at the first byte. Chunk n is valid until chunk n + 2 is requested. */
  open(): AsyncIterable<Buffer>;
  /** Recognizes a record of the current snapshot by its bytes, so that the reader need not parse it. */
  recognize?: (record: Buffer) => RecognizedRecord | undefined;
}

export interface RecognizedRecord {
  hash: string;
  /** The elements outside the records at that time. The record counts as recognized only while they are the same. */
  feed: Readonly<Record<string, unknown>>;
}

/** A slice that a reader cuts from a document. `bytes` may be a view into a larger buffer: copy it to keep it. */
export type Slice =
  /**
   * `line` is 1-based. `recognized` is set if the document recognized the record. A further offer does not count as a
   * record.
   */
  | {
      kind: 'record';
      bytes: Buffer;
      line: number;
      recognized?: RecognizedRecord;
      isFurtherOffer?: true;
      /** The hash of the record's summary, if the summary identifies the record instead of `bytes`. */
      hash?: string;
    }
  /** Bytes outside records that the mapping needs. They come before the records that they concern. */
  | { kind: 'context'; name: string; bytes: Buffer }
  /** Bytes that cannot be a record; they become a rejection. */
  | { kind: 'broken'; bytes: Buffer; line: number; message: string; /** Default `malformed`. */ code?: RejectionCode }
  | { kind: 'declared'; count: number }
  /** The document lists everything of this scope: a listing of the scope that is not in the document is gone. */
  | { kind: 'scope'; scope: string }
  /** The rest of the document is missing: the run goes on, and is incomplete. */
  | { kind: 'incomplete'; message: string }
  /** Unknown elements or objects beside the records; they may be records that are never read. */
  | { kind: 'unknown'; name: string; count: number }
  /** A warning about the document as a whole. */
  | { kind: 'noticed'; code: WarningCode; field: string; message: string };

export interface RecordContext {
  /** The connector's code. */
  crm: string;
  settings: Readonly<Record<string, string>>;
  /** The elements outside the records, by name, parsed by the format's `parseContext`. */
  feed: Readonly<Record<string, unknown>>;
  /** Adds a warning; the record is not rejected. `value` is the word found, `field` the source's name for the field. */
  warn(code: WarningCode, field: string, value: string): void;
}

/** Runs before the records are read. It reads all bytes in every run, so it must be cheap and must not parse. */
export interface DocumentSurvey {
  /** Reads the document from its first byte, and yields to the event loop when that is due. */
  inspect(document: FeedDocument, loopYield: LoopYield): Promise<void>;
  /** The context for the document's records, by name. Every document must have the same names. */
  findings(): Readonly<Record<string, unknown>>;
}

/** Lets timers run during long work. `wait` rejects with the abort reason when the work is aborted. */
export type LoopYield = { isDue(): boolean; wait(): Promise<void> };

/** How bytes become records of type R. R is plain JSON-like data in the CRM's own words; text stays text. */
export interface RecordFormat<R> {
  /** For facts that need the whole document: each document is then read twice, the first time for a survey. */
  survey?(): DocumentSurvey;
  /** @throws BadFeed when the document is not of this format at all (an HTML page, another root element). */
  slice(document: FeedDocument): AsyncIterable<Slice>;
  /** @throws RecordError */
  parse(bytes: Buffer, context: RecordContext): R;
  /** `feed` is the context from the elements that precede this element. */
  parseContext?(name: string, bytes: Buffer, feed: RecordContext['feed']): unknown;
  /** The record as it leaves the gateway in `format=raw`: everything except private and unknown fields. */
  toRaw(record: R, context: RecordContext): Record<string, unknown>;
  /** The record of a stored raw form; by default the raw form itself. @param affId says which of several offers it is */
  fromRaw?(raw: Readonly<Record<string, unknown>>, affId: string, context: RecordContext): R;
}

/** Thrown while one record is parsed or mapped: the record becomes a rejection, the feed goes on. */
export class RecordError extends Error {
  override readonly name = 'RecordError';

  constructor(
    readonly code: Rejection['code'],
    message: string,
    readonly field?: string,
    /** The `affId`, if the record could be read that far. */
    readonly recordId?: string,
  ) {
    super(message);
  }
}

/** The result of a mapping: a listing whose files are not resolved yet. */
export type MappedListing = Omit<Listing, 'photos' | 'plans' | 'documents'> & {
  photos: (Photo | FilePhoto)[];
  plans?: (Link | FileLink)[];
  documents?: (Link | FileLink)[];
};

export type Mapped =
  | {
      kind: 'listing';
      listing: MappedListing;
      /** In feeds of several agencies: the agency of the record. */ scope?: string;
      /**
       * Decides between two records with the same id: the greater value wins; without a revision, the later record
       * wins.
       */ revision?: string;
    }
  | { kind: 'withdrawn'; affId: string; scope?: string; message: string };

export interface WalkedPage {
  request: SourceRequest;
  /** Records in this page. */
  records: number;
  /** Records in all pages so far; a record that two pages share counts once. */
  recordsSoFar: number;
  /** How many records a request must skip so that the next page shares one record with this page. */
  resumeAt: number;
  /**
   * The total that the source declares. Only a hint: it may be cached, late or wrong, and never proves that a full page
   * is the last one.
   */
  declared: number | undefined;
  /** Small members of the page's document outside the records (`@odata.nextLink`, `total_items`), parsed. */
  envelope: Readonly<Record<string, unknown>>;
}

/** One document at one address: http(s), or a file in the inbox. */
export interface DocumentFetch {
  kind: 'document';
  request(source: SourceConfig): SourceRequest;
}

export interface PagedFetch {
  kind: 'pages';
  /** Prepares the walks. It may send secondary requests, for tokens and agencies. */
  prepare(source: SourceConfig, client: SourceClient): Promise<PreparedWalks>;
  /** The next request of a walk, or undefined when this page was the last. */
  next(page: WalkedPage): SourceRequest | undefined;
  /**
   * Changes `next` so that it starts with the last record of `page`. With this overlap a walk proves that no record has
   * moved.
   */
  overlapping?(next: SourceRequest, page: WalkedPage): SourceRequest;
  /** For sources that can list the records after a given key: their pages do not shift while they are read. */
  keyOrder?: KeyOrder;
  /** Advice for operators, added to the error message when the source answers 401 or 403. */
  whenRefused?: string;
  /** Replaces a request by a signed one, for sources that require it. Called for each attempt. */
  sign?(request: SourceRequest, source: SourceConfig, now: Date): SourceRequest;
  /**
   * Builds the document of a page, for records that are spread over several answers. Any error fails the whole page.
   * @throws FeedError
   */
  compose?(answer: PageAnswer, source: SourceConfig, client: SourceClient): Promise<Buffer>;
  /**
   * Builds the document of a saved answer, without requests, if answers are not documents of the format. A file that
   * already is one is returned unchanged.
   * @throws FeedError
   */
  savedAnswer?(body: Buffer, source: SourceConfig): Buffer;
  /** For lists whose records are only summaries: how to request each listing. */
  details?: ListingDetails;
  /** For sources that list what has changed and what was deleted. */
  changes?: ListedChanges;
}

export interface PageAnswer {
  request: SourceRequest;
  body: Buffer;
}

export interface PreparedWalks {
  /** The first request of each walk. Each walk reads a separate list. */
  walks: SourceRequest[];
  /** The context of all records. */
  feed: Record<string, unknown>;
  /**
   * Whether pages keep their records while others are added or removed. If not, one walk through several pages does not
   * prove that the list is complete.
   */
  hasStablePages?: boolean;
}

/**
 * For a CRM whose webhooks name identifiers; the connector requests the record of each. Listings have this identifier
 * as their scope, and an `affId` of their own. If a requested scope is missing from the answer, its listings are gone.
 */
export interface PushedFetch {
  kind: 'pushed';
  webhook: InboundWebhookRules;
  /** Sends the requests that must come first, such as one for a token. */
  prepare(source: SourceConfig, client: SourceClient): Promise<PreparedRequests>;
  /** The request for an identifier that a webhook has named. The answers 404 and 410 mean that the record is gone. */
  record(id: string, prepared: PreparedRequests): SourceRequest;
  /** Turns an answer into the document that the format cuts into records. @throws FeedError */
  document?(answer: Buffer, id: string): Buffer;
  /** The removals since a time, if the source lists them. A run then finds a removal whose webhook was lost. */
  removed?(since: Date, prepared: PreparedRequests, client: SourceClient): Promise<readonly { id: string; at: Date }[]>;
  /** The complete list, if the source has one. A run that reads it finds changes whose webhook was lost. */
  list?: PagedFetch;
  /**
   * How often the complete list is read. Without a list: after how long a listing is requested if no webhook has named
   * it.
   */
  compareEverySeconds: number;
  /** Advice for operators, added to the error message when the source answers 401 or 403. */
  whenRefused?: string;
}

export interface PreparedRequests {
  /** The base URL of the API. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** The context of all records. */
  feed: Record<string, unknown>;
}

/** How to request records in the order of a key that never changes. */
export interface KeyOrder {
  /** A walk's first request, in ascending order of the key; undefined when the request cannot be ordered. */
  first(request: SourceRequest): SourceRequest | undefined;
  keyOf(record: unknown): string | undefined;
  /** `first` is the result of `first()`. `page.declared` may count the whole list, or only the rest of it. */
  next(first: SourceRequest, page: WalkedPage, lastRecord: unknown): SourceRequest | undefined;
}

export interface Quota {
  /** The vendor's host. The quota does not apply to other hosts, such as a proxy. */
  host: string;
  requestsPerSecond: number;
  /** A day is a calendar day in UTC. */
  requestsPerDay: number;
  /** The limit of simultaneous requests of one account; without it only the rate is limited. */
  requestsAtOnce?: number;
  /**
   * The account for which the vendor counts requests; undefined if the source names none. Never stored or logged in
   * plain form.
   */
  account(source: SourceConfig): string | undefined;
}

/** One connector, in one folder. Made with `defineConnector`. */
export interface Connector<R = unknown> {
  /** Lower-case letters, digits and hyphens: the `crm` of gateways. */
  code: string;
  label: string;
  type: Exclude<ConnectorType, 'unknown'>;
  /** Shown to API clients and operators: what the source URL is, which credentials and settings it takes. */
  notes: string;
  /** Raise it when the same record would become another listing or raw record: all records are then mapped again. */
  version: number;
  /** Names of the supported credentials and settings, with one sentence each. `gateway add` refuses others. */
  credentials: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  /** The vendor's limits for one account; a gateway's own settings have priority. */
  quota?: Quota;
  fetch: DocumentFetch | PagedFetch | PushedFetch;
  open: Opening;
  format: RecordFormat<R>;
  /** @throws RecordError */
  map(record: R, context: RecordContext): Mapped;
  /** Without it, listings are mapped again only from the source. */
  remap?: RemapRule;
  lead: LeadVerb;
  feedback?: FeedbackVerb;
  /** The source's photo addresses expire, so photos that the mapping marks are copied into the media store. */
  copiesPhotos?: true;
  /** The format says that a query in a photo's address is the photo's version, so each new query is a change. */
  photoQueryIsVersion?: true;
  /** For formats whose archives may hold photos that no record names. */
  photoSeries?: PhotoSeriesRule<R>;
  /** For feeds that list only changes; without it a feed is the whole list. `scopes` come from the `scope` slices. */
  coverage?(feed: Readonly<Record<string, unknown>>, scopes: readonly string[]): FeedCoverage;
}
