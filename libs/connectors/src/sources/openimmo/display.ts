import type { Statut } from '@passerelle/domain';
import { transferIn } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { keepsSold } from '../../kit/status';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { attributeOf } from './attributes';
import { ACTIONS, type SaleStatus, SALE_STATUSES } from './lookups';
import { isEndedOffer, isLetOnly } from './marketing';

const at = {
  action: compilePath('verwaltung_techn.aktion'),
  saleStatus: compilePath('zustand_angaben.verkaufstatus'),
};
const SALE_STATUS = 'zustand_angaben.verkaufstatus';

/** Returns why an object must be hidden. An empty `aktion` adds or replaces an object. */
export function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  const { isDeletion, unknownUmfang } = transferIn(context);
  if (unknownUmfang !== undefined) context.warn('unknown_word', 'uebertragung.umfang', unknownUmfang);
  if (isDeletion === true) return 'the transfer deletes its objects (modus DELETE)';
  const action = actionOf(record, context);
  if (action === 'delete') return 'the agency deletes the object (aktionart DELETE)';
  if (isEndedOffer(record)) return 'the object has no such offer';
  const status = lookUp(SALE_STATUSES, saleWordOf(record), SALE_STATUS, context);
  if (showsSold(context)) return undefined;
  if (action === 'reference') return 'sold or let: kept by the agency as a reference (aktionart REFERENZ)';
  return status === 'over' ? `sold or let (verkaufstatus ${saleWordOf(record)?.toUpperCase() ?? ''})` : undefined;
}

/** VERKAUFT is written for rentals, too. */
export function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  const status: SaleStatus | undefined = SALE_STATUSES.find(saleWordOf(record) ?? '');
  const silent = { ...context, warn: () => undefined };
  if (status === 'over' || actionOf(record, silent) === 'reference') return isLetOnly(record) ? 'loue' : 'vendu';
  return status === 'reserved' ? 'sous-offre' : undefined;
}

/** The older setting of this connector still works. */
function showsSold(context: RecordContext): boolean {
  return context.settings['keep-sold'] === undefined
    ? toFlag(context.settings['montrer-vendus']) === true
    : keepsSold(context);
}

function actionOf(record: XmlRecord, context: RecordContext): 'show' | 'delete' | 'reference' | undefined {
  const action = at.action(record);
  const word = textOf(attributeOf(action, 'aktionart')) ?? textOf(action);
  return word === undefined ? 'show' : lookUp(ACTIONS, word, 'verwaltung_techn.aktion', context);
}

function saleWordOf(record: XmlRecord): string | undefined {
  const status = at.saleStatus(record);
  return textOf(attributeOf(status, 'stand')) ?? textOf(status);
}
