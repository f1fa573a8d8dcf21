import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';

const at = { hidden: compilePath('location.hidden'), hiddenPrice: compilePath('price.hidden') };

/** An unknown status does not hide an estate; a `publish_status` that is not public does. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const published = textOf(record['publish_status']);
  if (published !== undefined && published !== 'public') return `publish_status: ${published}`;
  const word = textOf(record['status']);
  const withdrawn = withdrawalFor(lookUp(STATUSES, word, 'status', context), context);
  return withdrawn === undefined ? undefined : `status: ${withdrawn}`;
}

export function statutOf(record: JsonRecord): Statut | undefined {
  return STATUSES.find(textOf(record['status']) ?? '')?.statut;
}

/** The address is shown only if the record allows it. The record of a unit may have no such flag. */
export function showsAddress(record: JsonRecord): boolean {
  return toFlag(scalarOf(at.hidden(record))) === false;
}

/** `custom_price` is the agency's text in place of the amount. */
export function hidesPrice(record: JsonRecord): boolean {
  return textOf(record['custom_price']) !== undefined || toFlag(scalarOf(at.hiddenPrice(record))) === true;
}
