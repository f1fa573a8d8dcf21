import type { Frame, ListingFormat, ServedListings, SnapshotOfGateway } from '@passerelle/database';
import type { AnswerMemory } from '../http/answer-memory';

/** Records for each query: a row of a snapshot's order, some 500 KB. Fewer cost more statements. */
const RECORDS_AT_A_TIME = 200;
/** Pieces that are read ahead: with fewer, PostgreSQL waits while we read what it has sent, and we wait for what it reads. */
const MOST_AHEAD = 3;

export type Listings = Pick<ServedListings, 'page'>;

export type WholeSnapshot = SnapshotOfGateway;

/**
 * The listings of a snapshot, in order, as JSON texts joined by commas, some at a time within a frame. Three pieces are read
 * while the one before is sent, and none while a reader has stopped: it costs its pieces and no connection.
 *
 * @param frameAt by the number of listings ahead
 * @param memory what the pieces are made in
 * @throws Error when the snapshot is gone before its end: a short list must not look like a complete one.
 */
export async function* listingPieces(
  listings: Listings,
  snapshot: WholeSnapshot,
  format: ListingFormat,
  frameAt: (offset: number) => Frame,
  memory?: AnswerMemory,
): AsyncGenerator<Buffer, undefined> {
  const allocate = memory && ((bytes: number) => memory.take(bytes));
  const load = (at: number): Promise<Buffer | null> => {
    const records = listings.page(snapshot, format, at, RECORDS_AT_A_TIME, { frame: frameAt(at), allocate });
    // It is awaited later; until then its failure must not count as unhandled.
    records.catch(() => undefined);
    return records;
  };
  const ahead: Promise<Buffer | null>[] = [];
  let offset = 0;
  const readAhead = (most: number): void => {
    for (; ahead.length < most && offset < snapshot.total; offset += RECORDS_AT_A_TIME) ahead.push(load(offset));
  };
  readAhead(1);
  // Only one beside the first, for a reader that wants no more than the head of the answer.
  for (let most = 1, next = ahead.shift(); next !== undefined; next = ahead.shift(), most = MOST_AHEAD) {
    const records = await next;
    if (records === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    readAhead(most);
    yield records;
  }
}
