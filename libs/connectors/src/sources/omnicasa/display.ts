import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { GOALS, STATUSES } from './lookups';
import { said } from './said';
import { keepsSold, soldOrLet, withdrawalFor } from '../../kit/status';

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
  const withdrawn = withdrawalFor(status, context);
  if (withdrawn !== undefined) return `Status: ${withdrawn}`;
  const sold = keepsSold(context) ? undefined : soldLabelOf(record);
  return sold === undefined ? undefined : `${sold}: ${said(record, sold) ?? ''}`;
}

/** The label that says that the property is sold or let. */
function soldLabelOf(record: JsonRecord): (typeof LABELS)[number] | undefined {
  return LABELS.find((name) => {
    const label = said(record, name) ?? '';
    return SOLD.test(label) && !WITH_RESERVE.test(label);
  });
}

/** The status, else the labels that the agency wrote. */
export function statutOf(record: JsonRecord): Statut | undefined {
  const status = STATUSES.find(textOf(record['Status']) ?? '')?.statut;
  if (status !== undefined) return status;
  const goal = GOALS.find(textOf(record['Goal']) ?? '');
  if (soldLabelOf(record) !== undefined) return soldOrLet(goal);
  const labels = LABELS.map((name) => said(record, name) ?? '');
  if (labels.some((label) => /\bcompromis/i.test(label) || (SOLD.test(label) && WITH_RESERVE.test(label))))
    return goal === 'location' ? 'sous-offre' : 'sous-compromis';
  return labels.some((label) => UNDER_OFFER.test(label)) ? 'sous-offre' : undefined;
}

export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['PublishPrice'])) !== false;
}

/** The API does not say whether the address may be shown, so a setting decides; by default only the district. */
export function showsAddress(_record: JsonRecord, { settings }: RecordContext): boolean | 'district' {
  return toFlag(settings['publier-adresse']) === true || 'district';
}
