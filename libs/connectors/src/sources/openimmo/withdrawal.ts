import { transferIn } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/flag';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { textOf } from '../../kit/scalar';
import { attributeOf } from './attributes';
import { ACTIONS } from './lookups';

const at = {
  action: compilePath('verwaltung_techn.aktion'),
  saleStatus: compilePath('zustand_angaben.verkaufstatus'),
};

/** Why an object is not to be shown, in words; undefined for one that is. An empty `aktion` adds or replaces. */
export function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  const { isDeletion, unknownUmfang } = transferIn(context);
  if (unknownUmfang !== undefined) context.warn('unknown_word', 'uebertragung.umfang', unknownUmfang);
  if (isDeletion === true) return 'the transfer deletes its objects (modus DELETE)';
  const action = at.action(record);
  const word = textOf(attributeOf(action, 'aktionart')) ?? textOf(action);
  const meaning = word === undefined ? 'show' : ACTIONS.find(word);
  if (meaning === 'delete') return 'the agency deletes the object (aktionart DELETE)';
  if (meaning === 'reference') return 'sold or let: kept by the agency as a reference (aktionart REFERENZ)';
  if (meaning === undefined) context.warn('unknown_word', 'verwaltung_techn.aktion', word?.slice(0, 120) ?? '');
  return isSold(record) && toFlag(context.settings['montrer-vendus']) === false
    ? 'sold (verkaufstatus VERKAUFT)'
    : undefined;
}

function isSold(record: XmlRecord): boolean {
  const status = at.saleStatus(record);
  return (textOf(attributeOf(status, 'stand')) ?? textOf(status))?.toUpperCase() === 'VERKAUFT';
}
