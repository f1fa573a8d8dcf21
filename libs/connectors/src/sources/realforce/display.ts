import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { lookUp } from '../../kit/word-table';
import { labelOf, wordOf } from './labels';
import { STATUSES } from './lookups';

/** Returns why a property must be hidden. An unknown status, or one without a label, does not hide it. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const status = wordOf(record['status_id'], 'choices', 'status_id', context);
  const withdrawn = lookUp(STATUSES, status, 'status_id', context)?.withdrawn;
  return withdrawn === undefined ? undefined : `status: ${withdrawn}`;
}

export function isUnderOffer(record: JsonRecord, context: RecordContext): true | undefined {
  return STATUSES.find(labelOf(context, 'choices', record['status_id']) ?? '')?.isUnderOffer;
}
