import type { Frame, ListingFormat, ServedListings } from '@passerelle/database';

/** Records for each query: a row of a snapshot's order, some 500 KB. Fewer cost more statements. */
const RECORDS_AT_A_TIME = 200;

type Listings = Pick<ServedListings, 'page'>;

interface WholeSnapshot {
  id: number;
  total: number;
}

/**
 * The listings of a snapshot, in order, as JSON texts joined by commas, some at a time within a frame. Each piece is read
 * while the one before is sent, so that at most two are in memory.
 *
 * @param frameAt by the number of listings ahead
 * @throws Error when the snapshot is gone before its end: a short list must not look like a complete one.
 */
export async function* listingPieces(
  listings: Listings,
  snapshot: WholeSnapshot,
  format: ListingFormat,
  frameAt: (offset: number) => Frame,
): AsyncGenerator<Buffer, undefined> {
  const load = (offset: number): Promise<Buffer | null> | null => {
    if (offset >= snapshot.total) return null;
    const records = listings.page(snapshot.id, format, offset, RECORDS_AT_A_TIME, frameAt(offset));
    // It is awaited later; until then its failure must not count as unhandled.
    records.catch(() => undefined);
    return records;
  };
  let next = load(0);
  for (let offset = RECORDS_AT_A_TIME; next !== null; offset += RECORDS_AT_A_TIME) {
    const records = await next;
    if (records === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    next = load(offset);
    yield records;
  }
}

/** The raw records of a snapshot, in order, as the pieces of one JSON array. @throws Error as above. */
export async function* dumpPieces(listings: Listings, snapshot: WholeSnapshot): AsyncGenerator<Buffer, undefined> {
  if (snapshot.total === 0) yield Buffer.from('[');
  yield* listingPieces(listings, snapshot, 'raw', (offset) => ({ before: offset === 0 ? '[' : ',', after: '' }));
  yield Buffer.from(']');
}
