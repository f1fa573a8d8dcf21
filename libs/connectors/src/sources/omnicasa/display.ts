import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';
import { said } from './said';

/** Each agency names its own; these are the words that the four languages of Belgium have for it. */
const SOLD = /^(?:vendue?s?|verkocht|sold|verkauft|lou[ée]e?s?|verhuurd|rented|let|vermietet)\b/i;
const UNDER_OFFER = /\b(?:options?|optie|compromis|sous offre|onder bod|under offer|r[ée]serv|gereserv)/i;
const LABELS = ['SubStatusName', 'MarqueeName'] as const;

/** Why a property is not to be shown: the list has what is prepared, sold and let as well. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const status = lookUp(STATUSES, textOf(record['Status']), 'Status', context);
  if (status !== undefined && status !== '') return `Status: ${status}`;
  const sold = LABELS.find((name) => SOLD.test(said(record, name) ?? ''));
  return sold === undefined ? undefined : `${sold}: ${said(record, sold) ?? ''}`;
}

/** Whether an agency's own label says that somebody has offered for it. */
export function isUnderOffer(record: JsonRecord): true | undefined {
  return LABELS.some((name) => UNDER_OFFER.test(said(record, name) ?? '')) || undefined;
}

/** Whether the price may be shown: unless the agency says no. */
export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['PublishPrice'])) !== false;
}

/** No member says whether the address may be shown: an operator does. */
export function showsAddress(_record: JsonRecord, { settings }: RecordContext): boolean | 'district' {
  return toFlag(settings['publier-adresse']) === true || 'district';
}
