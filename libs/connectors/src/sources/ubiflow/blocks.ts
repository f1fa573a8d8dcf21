import type { XmlRecord } from '../../formats/xml-records';
import { listOf, textOf } from '../../kit/values';
import { TRANSACTIONS } from './lookups';

/**
 * An advert with its two blocks. Some exporters write what belongs into `bien` and `prestation` on the advert itself: the
 * advert stands in for a block that is not there. Some write the offer into `bien`: what `prestation` does not say is read
 * there, then on the advert.
 */
export function withBlocks(record: XmlRecord): XmlRecord {
  const bien = blockOf(record['bien']) ?? record;
  const prestation = blockOf(record['prestation']) ?? {};
  return { ...record, bien, prestation: { ...record, ...offerIn(bien), ...said(prestation) } };
}

/** The first element of a block, where it holds something. */
function blockOf(value: unknown): XmlRecord | undefined {
  return listOf(value).find((one): one is XmlRecord => typeof one === 'object' && one !== null);
}

/** `type` of a `bien` may be that of the property. */
function offerIn(bien: XmlRecord): XmlRecord {
  const { type, ...others } = said(bien);
  return TRANSACTIONS.find(textOf(type) ?? '') === undefined ? others : { ...others, type };
}

/** Empty elements say nothing. */
function said(block: XmlRecord): XmlRecord {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== ''));
}
