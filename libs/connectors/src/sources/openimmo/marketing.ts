import type { TypeTransaction } from '@passerelle/domain';
import { transferIn } from '../../formats/openimmo-transfers';
import { isFurtherOffer, offerOf } from '../../formats/several-offers';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { trueAttributes } from './attributes';
import { MARKETING } from './lookups';
import { isHolidayHome, isInvestment } from './property-type';

const at = {
  marketing: compilePath('objektkategorie.vermarktungsart'),
  usage: compilePath('objektkategorie.nutzungsart'),
  auction: compilePath('versteigerung.zwangsversteigerung'),
};

/** The two offers of an object for sale and for rent; none for every other object. */
function bothOffers(record: XmlRecord): readonly TypeTransaction[] {
  const ways = marketingWords(record).map((word) => MARKETING.find(word));
  return ways.includes('sale') && ways.includes('rent') ? [saleType(record), rentType(record)] : [];
}

/** Whether this copy of the record is for an offer that the object does not have. */
export function isEndedOffer(record: XmlRecord): boolean {
  const offer = isFurtherOffer(record) ? offerOf(record) : undefined;
  return offer !== undefined && !bothOffers(record).includes(offer);
}

/**
 * An object for sale and for rent comes once for each. A partial transfer also ends rentals that an object
 * had before: absence does not end them.
 */
export function offersOf(record: XmlRecord, context: RecordContext): readonly TypeTransaction[] {
  const both = bothOffers(record);
  if (both.length > 0) return both;
  return transferIn(context).isPartial === true ? ['autre', rentType(record)] : [];
}

const MARKETING_ELEMENT = 'vermarktungsart';
const SAYS_SALE = /KAUF(?!\s{0,3}=\s{0,3}["'](?:0|f|n|["']))/i;
const SAYS_RENT = /(?:MIETE|PACHT|LEASING)(?!_|\s{0,3}=\s{0,3}["'](?:0|f|n|["']))/i;

export function mayBeSeveral(bytes: Buffer, context: RecordContext): boolean {
  if (transferIn(context).isPartial === true) return true;
  const at = bytes.indexOf(MARKETING_ELEMENT);
  if (at === -1) return false;
  const text = bytes.toString('latin1', at + MARKETING_ELEMENT.length, at + 300);
  return SAYS_SALE.test(text) && SAYS_RENT.test(text);
}

export function isLetOnly(record: XmlRecord): boolean {
  const ways = marketingWords(record).map((word) => MARKETING.find(word));
  return ways.includes('rent') && !ways.includes('sale');
}

/** The attributes of `vermarktungsart` that are true; some exports write a word instead. */
export function marketingWords(record: XmlRecord): string[] {
  const element = at.marketing(record);
  const attributes = trueAttributes(element);
  if (attributes.length > 0) return attributes;
  return textOf(element)?.split(/[\s,;]+/) ?? [];
}

export function saleType(record: XmlRecord): TypeTransaction {
  if (toFlag(scalarOf(at.auction(record))) === true) return 'enchere';
  return isInvestment(record) || trueAttributes(at.usage(record)).includes('ANLAGE') ? 'investissement' : 'vente';
}

export function rentType(record: XmlRecord): TypeTransaction {
  return isHolidayHome(record) ? 'location-saisonniere' : 'location';
}
