import type { XmlRecord } from '../../formats/xml-records';

/**
 * An advert with its two blocks. Some exporters write what belongs into `bien` and `prestation` on the advert itself: the
 * advert stands in for a block that is not there.
 */
export function withBlocks(record: XmlRecord): XmlRecord {
  const [hasBien, hasPrestation] = [isBlock(record['bien']), isBlock(record['prestation'])];
  if (hasBien && hasPrestation) return record;
  return { ...record, ...(hasBien ? {} : { bien: record }), ...(hasPrestation ? {} : { prestation: record }) };
}

function isBlock(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isBlock) : typeof value === 'object' && value !== null;
}
