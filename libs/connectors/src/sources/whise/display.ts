import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/words';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp, type WordTable } from '../../kit/words';
import { DISPLAY_STATUSES, PURPOSE_STATUSES, type Showing, STATUSES } from './lookups';

const PLACES: readonly (readonly [path: string, table: WordTable<Showing>])[] = [
  ['status.id', STATUSES],
  ['displayStatusId', DISPLAY_STATUSES],
  ['purposeStatus.id', PURPOSE_STATUSES],
];
const READS = PLACES.map(([path, table]) => ({ path, table, valueAt: compilePath(path) }));
const purposeStatusAt = compilePath('purposeStatus.id');

/** Why an estate is not to be shown. A number that nobody knows does not hide it. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  for (const { path, table, valueAt } of READS) {
    const withdrawn = lookUp(table, textOf(valueAt(record)), path, context)?.withdrawn;
    if (withdrawn !== undefined) return `${path}: ${withdrawn}`;
  }
  return undefined;
}

export function isUnderOffer(record: JsonRecord): true | undefined {
  return PURPOSE_STATUSES.find(textOf(purposeStatusAt(record)) ?? '')?.isUnderOffer;
}

/** Whether the agency lets the address be shown: only where it says so. */
export function showsAddress(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['displayAddress'])) === true;
}

/** Whether the price may be shown: unless the agency says no. */
export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['displayPrice'])) !== false;
}
