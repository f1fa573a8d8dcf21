import type { Frame, ListingFormat, ServedListings, SnapshotOfGateway } from '@passerelle/database';
import type { AnswerMemory } from '../http/answer-memory';

/** Records per query: one row of the stored order, some 500 KB of listings. Fewer records need more statements. */
const RECORDS_AT_A_TIME = 200;
/** Chunks that are read ahead. With fewer, PostgreSQL and this process would wait for each other. */
const MAX_AHEAD = 3;

export type Listings = Pick<ServedListings, 'page'>;

export type ExportedSnapshot = SnapshotOfGateway;

/**
 * Reads up to three chunks ahead, but none while the reader has stopped, so that it holds no database connection.
 * @param frameAt the frame by the number of preceding listings
 * @throws Error when the snapshot is pruned during the export: a short list must not look like a complete one.
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
    // The promise is awaited later; until then its rejection must not count as unhandled.
    records.catch(() => undefined);
    return records;
  };
  const ahead: Promise<Buffer | null>[] = [];
  let offset = 0;
  const readAhead = (most: number): void => {
    for (; ahead.length < most && offset < snapshot.total; offset += RECORDS_AT_A_TIME) ahead.push(load(offset));
  };
  readAhead(1);
  // At first reads only one chunk ahead, because a reader may want only the head of the response.
  for (let most = 1, next = ahead.shift(); next !== undefined; next = ahead.shift(), most = MAX_AHEAD) {
    const records = await next;
    if (records === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    readAhead(most);
    yield records;
  }
}
