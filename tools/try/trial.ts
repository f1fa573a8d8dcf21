import { type Connector, maskUrl, openFeed, type RecordOutcome } from '@passerelle/connectors';
import {
  FeedError,
  type Listing,
  LISTING_FIELDS,
  type ListingField,
  type Rejection,
  type Warning,
} from '@passerelle/domain';
import type { TriedSource } from './source';

/** What a connector made of one feed. */
export interface FeedTrial {
  connector: string;
  source: string;
  /** Why the feed could not be read to its end; null when it could. */
  error: string | null;
  /** Why the feed is not whole; null when it is. */
  incomplete: string | null;
  bytes: number;
  records: number;
  ms: number;
  listings: { listing: Listing; raw: Record<string, unknown> }[];
  rejections: Rejection[];
  warnings: Warning[];
  /** In how many listings each field says something. */
  fill: Partial<Record<ListingField, number>>;
}

export interface TriedFeed extends TriedSource {
  settings: Record<string, string>;
  credentials: Record<string, string>;
}

const MAX_BYTES = 4 * 1024 ** 3;
const TIMEOUT_MS = 30 * 60_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Reads a feed with the engine that runs use, as if for the first time, and keeps what came of it. */
export async function tryFeed(connector: Connector, feed: TriedFeed): Promise<FeedTrial> {
  const startedMs = performance.now();
  const { url, settings, credentials } = feed;
  const reading = openFeed(feed.isFile ? readingOneFile(connector) : connector, {
    source: { url, settings, credentials },
    previous: {},
    isKnown: () => false,
    outbound: {
      ...{ allowPrivate: feed.allowPrivate, inboxDir: feed.inboxDir },
      ...{ maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, idleTimeoutMs: IDLE_TIMEOUT_MS },
    },
    signal: new AbortController().signal,
  });
  const read: ReadListing[] = [];
  const rejections: Rejection[] = [];
  let error: string | null = null;
  try {
    for await (const outcome of reading.outcomes) keep(outcome, read, rejections);
  } catch (thrown) {
    if (!(thrown instanceof FeedError)) throw thrown;
    error = thrown.message;
  }
  const { fetchedBytes: bytes, records, warnings } = reading.progress();
  const { listings, duplicates } = settleDuplicates(read);
  const incomplete = error === null ? reading.summary().incomplete : null;
  const [ms, source] = [Math.round(performance.now() - startedMs), maskUrl(url, Object.values(credentials))];
  return {
    ...{ connector: connector.code, source, error, incomplete, bytes, records, ms },
    ...{ listings, rejections, warnings: [...duplicates, ...warnings], fill: fillOf(listings) },
  };
}

/** A page that somebody kept of an API is read like the page of an API. */
function readingOneFile(connector: Connector): Connector {
  return { ...connector, fetch: { kind: 'document', request: ({ url }) => ({ url }) } };
}

interface ReadListing {
  listing: Listing;
  raw: Record<string, unknown>;
  revision: string | undefined;
}

function keep(outcome: RecordOutcome, listings: ReadListing[], rejections: Rejection[]): void {
  if (outcome.kind === 'listing') {
    const listing = JSON.parse(outcome.normalized) as Listing;
    const raw = JSON.parse(outcome.raw) as Record<string, unknown>;
    listings.push({ listing, raw, revision: outcome.revision });
  } else if (outcome.kind !== 'unchanged') rejections.push(outcome.rejection);
}

/** Of two records with one id the later counts, or the newer one where both say how new they are: as in a run. */
function settleDuplicates(read: readonly ReadListing[]): Pick<FeedTrial, 'listings'> & { duplicates: Warning[] } {
  const byId = new Map<string, ReadListing>();
  const ids: string[] = [];
  for (const one of read) {
    const { affId } = one.listing;
    const earlier = byId.get(affId);
    if (earlier !== undefined) ids.push(affId);
    const isOlder = earlier?.revision !== undefined && one.revision !== undefined && one.revision < earlier.revision;
    if (isOlder) continue;
    // At its own place in the feed.
    byId.delete(affId);
    byId.set(affId, one);
  }
  const examples = [...new Set(ids)].slice(0, 3);
  return {
    listings: [...byId.values()].map(({ listing, raw }) => ({ listing, raw })),
    duplicates:
      ids.length === 0 ? [] : [{ code: 'duplicate_id', field: 'affId', value: '', count: ids.length, examples }],
  };
}

function fillOf(listings: FeedTrial['listings']): FeedTrial['fill'] {
  const counts = LISTING_FIELDS.map((field): [ListingField, number] => [
    field,
    listings.filter(({ listing }) => (field === 'photos' ? listing.photos.length > 0 : listing[field] !== undefined))
      .length,
  ]);
  return Object.fromEntries(counts);
}
