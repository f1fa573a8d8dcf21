import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';
import { said } from './said';

/** Each agency names its own; these are the words that the four languages of Belgium have for it. */
const SOLD =
  /^\P{L}*(?:(?:d[ée]j[àa]|net|reeds|just)\s+)?(?:vendue?s?|verkocht|sold|verkauft|lou[ée]e?s?|verhuurd|rented|let(?!\s+op)|vermietet)(?!\p{L})/iu;
/** Sold, but for a condition that is not met yet: it may come back, and is shown as under offer. */
const WITH_RESERVE =
  /voorbehoud|opschortende|suspensive|sous r[ée]serve|unter vorbehalt|aufschiebende|subject to|\bstc\b/i;
const UNDER_OFFER = /\b(?:options?|optie|compromis|sous offre|onder bod|under offer|r[ée]serv|gereserv)/i;
const LABELS = ['SubStatusName', 'MarqueeName'] as const;

/** Why a property is not to be shown: the list has what is prepared, sold and let as well. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const status = lookUp(STATUSES, textOf(record['Status']), 'Status', context);
  if (status !== undefined && status !== '') return `Status: ${status}`;
  const labels = LABELS.map((name) => said(record, name) ?? '');
  const sold = LABELS.find((_name, at) => SOLD.test(labels[at] ?? '') && !WITH_RESERVE.test(labels[at] ?? ''));
  return sold === undefined ? undefined : `${sold}: ${said(record, sold) ?? ''}`;
}

/** Whether an agency's own label says that somebody has offered for it. */
export function isUnderOffer(record: JsonRecord): true | undefined {
  return (
    LABELS.map((name) => said(record, name) ?? '').some(
      (label) => UNDER_OFFER.test(label) || (SOLD.test(label) && WITH_RESERVE.test(label)),
    ) || undefined
  );
}

/** Whether the price may be shown: unless the agency says no. */
export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['PublishPrice'])) !== false;
}

/** No member says whether the address may be shown: an operator does. */
export function showsAddress(_record: JsonRecord, { settings }: RecordContext): boolean | 'district' {
  return toFlag(settings['publier-adresse']) === true || 'district';
}
