import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/values';
import { SHOWN_STATUSES, SHOWN_STEPS, WITHDRAWN_STATUSES, WITHDRAWN_STEPS } from './lookups';

/** Returns why a property must be hidden, or undefined if it may be shown. An unknown number does not hide it. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  return (
    reasonOf(record, 'status', WITHDRAWN_STATUSES, SHOWN_STATUSES, context) ??
    reasonOf(record, 'step', WITHDRAWN_STEPS, SHOWN_STEPS, context)
  );
}

function reasonOf(
  record: JsonRecord,
  field: string,
  withdrawn: Readonly<Record<string, string>>,
  shown: ReadonlySet<string>,
  context: RecordContext,
): string | undefined {
  const word = textOf(record[field]);
  if (word === undefined || shown.has(word)) return undefined;
  const reason = withdrawn[word];
  if (reason === undefined) context.warn('unknown_word', field, word.slice(0, 120));
  return reason;
}
