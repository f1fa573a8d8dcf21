import {
  FeedError,
  type Listing,
  LISTING_FIELDS,
  type ListingField,
  maskUrl,
  type Rejection,
  type Warning,
} from '@passerelle/domain';
import type { Connector, FeedDocument, SourceConfig } from '../kit/contracts';
import type { FeedRequest, OutboundPolicy, RecordOutcome } from './contracts';
import { MappingThreads } from './map/threads/mapping-threads';
import { openFeed } from './read-feed';

/** The source of a feed that is tried and not published. */
export interface TriedSource {
  url: string;
  /** Whether the source is a single document, even if the connector otherwise reads an API. */
  isFile: boolean;
  inboxDir: string;
  allowPrivate: ReadonlySet<string>;
}

export interface FeedTrial {
  connector: string;
  source: string;
  /** Why the feed could not be read to its end; null when it could. */
  error: string | null;
  incomplete: string | null;
  /** Whether reading stopped early, because there were enough listings. */
  isCut: boolean;
  bytes: number;
  records: number;
  ms: number;
  /** The number of listings; `listings` holds the selected ones. */
  count: number;
  listings: ShownListing[];
  rejections: Rejection[];
  warnings: Warning[];
  /** The count of each element next to the records that no connector code reads. */
  unknownElements: Readonly<Record<string, number>>;
  /** The number of listings in which each field has a value. */
  fill: Partial<Record<ListingField, number>>;
}

export interface ShownListing {
  listing: Listing;
  raw: Record<string, unknown>;
}

/** Decides which listings are kept in full; `ahead` is the number of listings before this one. */
export type ListingChoice = (listing: Listing, ahead: number) => boolean;

export interface TriedFeed extends TriedSource {
  /** Waits until a request to a host may be sent; without it each is sent immediately. */
  admit?: OutboundPolicy['admit'];
  settings: Record<string, string>;
  credentials: Record<string, string>;
}

/** Limits for a feed trial, because an operator waits for it. */
export interface TrialLimits {
  maxBytes: number;
  timeoutMs: number;
  /** The maximum number of listings and rejections together. */
  most: number;
}

const MOST_EXAMPLES = 3;
const WHOLE: TrialLimits = { maxBytes: 4 * 1024 ** 3, timeoutMs: 30 * 60_000, most: Infinity };
const IDLE_TIMEOUT_MS = 60_000;
/** Short, because the user who tries a file has just saved it, and sees when it is incomplete. */
const SETTLE_MS = 500;

/** Reads a feed with the engine that runs use, as if for the first time, and returns the result. */
export async function tryFeed(
  connector: Connector,
  feed: TriedFeed,
  isShown: ListingChoice = () => true,
  { most, ...limits }: TrialLimits = WHOLE,
): Promise<FeedTrial> {
  const startedMs = performance.now();
  const { url, settings, credentials, admit } = feed;
  // Only records that are large or slow get a thread.
  const threads = new MappingThreads({ most: 0, recordsAhead: Infinity });
  const asked: SourceConfig = { url, settings, credentials };
  const request: FeedRequest = {
    source: asked,
    previous: {},
    isKnown: () => false,
    outbound: {
      ...{ allowPrivate: feed.allowPrivate, inboxDir: feed.inboxDir },
      ...{ ...limits, idleTimeoutMs: Math.min(IDLE_TIMEOUT_MS, limits.timeoutMs), settleMs: SETTLE_MS },
      ...(admit !== undefined && { admit }),
    },
    signal: new AbortController().signal,
  };
  const reading = openFeed(feed.isFile ? readingOneFile(connector, asked) : connector, request, threads);
  const listings = new TriedListings(isShown);
  const rejections: Rejection[] = [];
  let error: string | null = null;
  let isCut = false;
  try {
    for await (const outcome of reading.outcomes) {
      if (outcome.kind === 'listing') listings.add(outcome);
      else if (outcome.kind !== 'unchanged') rejections.push(outcome.rejection);
      if (listings.count + rejections.length < most) continue;
      isCut = true;
      break;
    }
  } catch (thrown) {
    if (!(thrown instanceof FeedError)) throw thrown;
    error = thrown.message;
  } finally {
    await threads.close();
  }
  const { fetchedBytes: bytes, records, warnings } = reading.progress();
  const { incomplete = null, unknownElements = {} } = error === null && !isCut ? reading.summary() : {};
  const [ms, source] = [Math.round(performance.now() - startedMs), maskUrl(url, Object.values(credentials))];
  return {
    ...{ connector: connector.code, source, error, incomplete, isCut, bytes, records, ms },
    ...{ count: listings.count, listings: listings.shown(), rejections, fill: listings.fill() },
    ...{ warnings: [...listings.warnings(), ...warnings], unknownElements },
  };
}

/** Whether a trial found no list: the document cannot be read, or none of its records can be used. */
export function isFailed({ error, count, rejections, unknownElements }: FeedTrial): boolean {
  if (error !== null) return true;
  if (count > 0) return false;
  const isWithdrawn = rejections.some(({ code }) => code === 'withdrawn');
  return !isWithdrawn && (rejections.length > 0 || Object.keys(unknownElements).length > 0);
}

/** The connector, changed to read one file: a saved page of an API is read like a page from the API. */
function readingOneFile(connector: Connector, source: SourceConfig): Connector {
  const { fetch, format } = connector;
  const pages = fetch.kind === 'pushed' ? fetch.list : fetch.kind === 'pages' ? fetch : undefined;
  const slice: typeof format.slice = (document) =>
    format.slice(
      pages?.savedAnswer === undefined
        ? document
        : rebuilt(document, (body) => pages.savedAnswer?.(body, source) ?? body),
    );
  return { ...connector, format: { ...format, slice }, fetch: { kind: 'document', request: ({ url }) => ({ url }) } };
}

function rebuilt(document: FeedDocument, toDocument: (body: Buffer) => Buffer): FeedDocument {
  return {
    ...document,
    async *open() {
      const chunks: Buffer[] = [];
      for await (const chunk of document.open()) chunks.push(Buffer.from(chunk));
      yield toDocument(Buffer.concat(chunks));
    },
  };
}

/** Listings by identifier. Most are only counted, because a feed may be larger than the memory. */
class TriedListings {
  private readonly byId = new Map<
    string,
    { revision: string | undefined; filled: string; shown: ShownListing | null }
  >();
  /** Lists of filled fields, shared between records, because most records fill the same fields. */
  private readonly fillings = new Map<string, string>();
  private readonly duplicateIds = new Set<string>();
  private duplicates = 0;

  constructor(private readonly isShown: ListingChoice) {}

  get count(): number {
    return this.byId.size;
  }

  /**
   * As in a run, a later record replaces an earlier one with the same id, unless both have a date and the earlier one
   * is newer.
   */
  add({ normalized, raw, revision }: Extract<RecordOutcome, { kind: 'listing' }>): void {
    const listing = JSON.parse(normalized.toString()) as Listing;
    const { affId } = listing;
    const earlier = this.byId.get(affId);
    if (earlier !== undefined) {
      this.duplicates += 1;
      if (this.duplicateIds.size < MOST_EXAMPLES) this.duplicateIds.add(affId);
      if (earlier.revision !== undefined && revision !== undefined && revision < earlier.revision) return;
      // Deleted first, so that the listing takes the position of the later record.
      this.byId.delete(affId);
    }
    const isShown = this.isShown(listing, this.byId.size);
    const shown = isShown ? { listing, raw: JSON.parse(raw.toString()) as Record<string, unknown> } : null;
    this.byId.set(affId, { revision, filled: this.fillingOf(listing), shown });
  }

  shown(): ShownListing[] {
    return [...this.byId.values()].flatMap(({ shown }) => shown ?? []);
  }

  fill(): FeedTrial['fill'] {
    const counts = new Map(LISTING_FIELDS.map((field) => [field, 0]));
    for (const { filled } of this.byId.values()) {
      for (const field of filled.split(' ') as ListingField[]) counts.set(field, (counts.get(field) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
  }

  warnings(): Warning[] {
    if (this.duplicates === 0) return [];
    const examples = [...this.duplicateIds];
    return [{ code: 'duplicate_id', field: 'affId', value: '', count: this.duplicates, examples }];
  }

  private fillingOf(listing: Listing): string {
    const filled = LISTING_FIELDS.filter((field) =>
      field === 'photos' ? listing.photos.length > 0 : listing[field] !== undefined,
    ).join(' ');
    const known = this.fillings.get(filled) ?? filled;
    this.fillings.set(known, known);
    return known;
  }
}
