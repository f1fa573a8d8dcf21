import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/scalar';
import { AVAILABILITIES } from './lookups';

/** Why a property is not to be shown; undefined for one that is, also with a word that nobody knows. */
export function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  const word = textOf(record['availability']);
  if (word === undefined) return undefined;
  const availability = AVAILABILITIES.find(word);
  if (availability === undefined) context.warn('unknown_word', 'availability', word.slice(0, 120));
  return availability?.withdrawn;
}
