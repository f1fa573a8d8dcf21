import type { ServedListings } from '@passerelle/database';

/** Raw records for each query: a row of a snapshot's order, some 500 KB. Fewer cost more statements. */
const RECORDS_AT_A_TIME = 200;

/**
 * The raw records of a snapshot, in order, as the pieces of one JSON array. Each piece is read while the one before is
 * sent, so that at most two are in memory.
 *
 * @throws Error when the snapshot is gone before its end: a short array must not look like a complete one.
 */
export async function* dumpPieces(
  listings: Pick<ServedListings, 'page'>,
  snapshot: { id: number; total: number },
): AsyncGenerator<Buffer, undefined> {
  const load = (offset: number): Promise<Buffer | null> | null => {
    if (offset >= snapshot.total) return null;
    const frame = { before: offset === 0 ? '[' : ',', after: '' };
    const records = listings.page(snapshot.id, 'raw', offset, RECORDS_AT_A_TIME, frame);
    // It is awaited later; until then its failure must not count as unhandled.
    records.catch(() => undefined);
    return records;
  };
  let next = load(0);
  if (next === null) yield Buffer.from('[');
  for (let offset = RECORDS_AT_A_TIME; next !== null; offset += RECORDS_AT_A_TIME) {
    const records = await next;
    if (records === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    next = load(offset);
    yield records;
  }
  yield Buffer.from(']');
}
