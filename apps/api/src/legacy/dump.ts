import type { Database } from '@passerelle/database';

type LoadPage = Database['listings']['page'];

/** Raw records read at a time: more are no faster, and leave more to be collected. Divides a row of the snapshot's order. */
const RECORDS_AT_A_TIME = 50;

/**
 * The raw records of a snapshot, in order, as the pieces of one JSON array. Each piece is asked for while the one before
 * is being sent; never more than two are held.
 *
 * @throws Error when the snapshot is gone before its end: a short array must not look like a complete one.
 */
export async function* dumpPieces(loadPage: LoadPage, snapshot: { id: number; total: number }): AsyncGenerator<string> {
  const load = (offset: number): Promise<string> | null => {
    if (offset >= snapshot.total) return null;
    const records = loadPage(snapshot.id, 'raw', offset, RECORDS_AT_A_TIME);
    // Looked at later, but a failure meanwhile is not unhandled.
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
