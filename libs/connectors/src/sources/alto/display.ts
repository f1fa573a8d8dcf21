import type { Statut } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/values';
import { type Showing, withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { LETTING, SELLING } from './lookups';
import { isForRent } from './offer';

function showingOf(record: XmlRecord, context: RecordContext): Showing | undefined {
  const table = isForRent(record) ? LETTING : SELLING;
  return lookUp(table, textOf(record['web_status']), 'web_status', context);
}

/** Returns why a property must be hidden, or undefined if it may be shown. An unknown status does not hide it. */
export function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  const withdrawn = withdrawalFor(showingOf(record, context), context);
  return withdrawn === undefined ? undefined : `web_status: ${withdrawn}`;
}

export function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  return showingOf(record, { ...context, warn: () => undefined })?.statut;
}

/** The API does not say whether an address may be shown, so a setting decides; by default only the district. */
export function showsAddress(_record: XmlRecord, context: RecordContext): true | 'district' {
  return toFlag(context.settings['publier-adresse']) === true ? true : 'district';
}
