import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { labelOf, wordOf } from './labels';
import { STATUSES } from './lookups';

/** Returns why a property must be hidden. An unknown status, or one without a label, does not hide it. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const status = wordOf(record['status_id'], 'choices', 'status_id', context);
  const withdrawn = withdrawalFor(lookUp(STATUSES, status, 'status_id', context), context);
  return withdrawn === undefined ? undefined : `status: ${withdrawn}`;
}

export function statutOf(record: JsonRecord, context: RecordContext): Statut | undefined {
  return STATUSES.find(labelOf(context, 'choices', record['status_id']) ?? '')?.statut;
}
