import type { ServedListings } from '@passerelle/database';

/** Raw records for each query: more are no faster and leave more garbage. A divisor of the rows of a snapshot's order. */
const RECORDS_AT_A_TIME = 50;

/**
 * The raw records of a snapshot, in order, as the pieces of one JSON array. Each piece is read while the one before is
 * sent, so that at most two are in memory.
 *
 * @throws Error when the snapshot is gone before its end: a short array must not look like a complete one.
 */
export async function* dumpPieces(
  listings: Pick<ServedListings, 'page'>,
  snapshot: { id: number; total: number },
): AsyncGenerator<string> {
  const load = (offset: number): Promise<string> | null => {
    if (offset >= snapshot.total) return null;
    const records = listings.page(snapshot.id, 'raw', offset, RECORDS_AT_A_TIME);
    // It is awaited later; until then its failure must not count as unhandled.
    records.catch(() => undefined);
    return records;
  };
  let next = load(0);
  if (next === null) yield '[';
  for (let offset = RECORDS_AT_A_TIME; next !== null; offset += RECORDS_AT_A_TIME) {
    const records = await next;
    if (records === '') throw new Error(`snapshot ${snapshot.id} is no longer there`);
    next = load(offset);
    yield (offset === RECORDS_AT_A_TIME ? '[' : ',') + records;
  }
  yield ']';
}
