import type { Frame, ListingFormat, ServedListings, SnapshotOfGateway } from '@passerelle/database';
import type { AnswerMemory } from '../http/answer-memory';

/** Records per query: a row of a snapshot's order, some 500 KB. With fewer, there are more statements. */
const RECORDS_AT_A_TIME = 200;
/** Chunks that are read ahead: with fewer, PostgreSQL and this process wait for each other. */
const MAX_AHEAD = 3;

export type Listings = Pick<ServedListings, 'page'>;

export type ExportedSnapshot = SnapshotOfGateway;

/**
 * The listings of a snapshot, in order, as JSON texts joined by commas, in chunks within a frame. Three chunks are read while the
 * previous one is sent, and none while a reader has stopped: such a reader costs its chunks but no connection.
 *
 * @param frameAt the frame by the number of preceding listings
 * @param memory for the chunks
 * @throws Error when the snapshot is pruned before its end: a short list must not look like a complete one.
 */
export async function* exportChunks(
  listings: Listings,
  snapshot: ExportedSnapshot,
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
  // Only one besides the first, for a reader that only wants the head of the response.
  for (let most = 1, next = ahead.shift(); next !== undefined; next = ahead.shift(), most = MAX_AHEAD) {
    const records = await next;
    if (records === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    readAhead(most);
    yield records;
  }
}
