import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';
import { said } from './said';

/** Each agency names its own statuses. These are the words for "sold" and "let" in the four languages of Belgium. */
const SOLD =
  /^\P{L}*(?:(?:d[ée]j[àa]|net|reeds|just)\s+)?(?:vendue?s?|verkocht|sold|verkauft|lou[ée]e?s?|verhuurd|rented|let(?!\s+op)|vermietet)(?!\p{L})/iu;
/** Sold under a condition that is not met yet: the property may come back, and is shown as under offer. */
const WITH_RESERVE =
  /voorbehoud|opschortende|suspensive|sous r[ée]serve|unter vorbehalt|aufschiebende|subject to|\bstc\b/i;
const UNDER_OFFER = /\b(?:options?|optie|compromis|sous offre|onder bod|under offer|r[ée]serv|gereserv)/i;
const LABELS = ['SubStatusName', 'MarqueeName'] as const;

/** Returns why a property must be hidden. The list also contains properties in preparation, sold or let. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const status = lookUp(STATUSES, textOf(record['Status']), 'Status', context);
  if (status !== undefined && status !== '') return `Status: ${status}`;
  const labels = LABELS.map((name) => said(record, name) ?? '');
  const sold = LABELS.find((_name, at) => SOLD.test(labels[at] ?? '') && !WITH_RESERVE.test(labels[at] ?? ''));
  return sold === undefined ? undefined : `${sold}: ${said(record, sold) ?? ''}`;
}

/** Whether a label that the agency wrote says that there is an offer. */
export function isUnderOffer(record: JsonRecord): true | undefined {
  return (
    LABELS.map((name) => said(record, name) ?? '').some(
      (label) => UNDER_OFFER.test(label) || (SOLD.test(label) && WITH_RESERVE.test(label)),
    ) || undefined
  );
}

export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['PublishPrice'])) !== false;
}

/** The API does not say whether the address may be shown, so a setting decides; by default only the district. */
export function showsAddress(_record: JsonRecord, { settings }: RecordContext): boolean | 'district' {
  return toFlag(settings['publier-adresse']) === true || 'district';
}
