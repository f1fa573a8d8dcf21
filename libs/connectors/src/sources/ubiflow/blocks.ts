import type { XmlRecord } from '../../formats/xml-records';
import { listOf, textOf } from '../../kit/values';
import { TRANSACTIONS } from './lookups';

/** Exporters move members: `bien` or the advert has what `prestation` lacks; the advert replaces a missing `bien`. */
export function withBlocks(record: XmlRecord): XmlRecord {
  const bien = blockOf(record['bien']) ?? record;
  const prestation = blockOf(record['prestation']) ?? {};
  return { ...record, bien, prestation: { ...record, ...offerIn(bien), ...said(prestation) } };
}

function blockOf(value: unknown): XmlRecord | undefined {
  return listOf(value).find((one): one is XmlRecord => typeof one === 'object' && one !== null);
}

/** `type` of a `bien` may be the property type: it is kept only if it names an offer. */
function offerIn(bien: XmlRecord): XmlRecord {
  const { type, ...others } = said(bien);
  return TRANSACTIONS.find(textOf(type) ?? '') === undefined ? others : { ...others, type };
}

/** Removes empty elements, which have no meaning. */
function said(block: XmlRecord): XmlRecord {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== ''));
}
