import type { Listing, TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { shownSides, sideOf } from './display';
import { ON_APPLICATION, PERIODS, QUALIFIERS } from './lookups';

export const FIGURES = { comma: 'thousands' } as const;

export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixPlage' | 'prixMention' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

const at = {
  price: compilePath('selling.price'),
  highestPrice: compilePath('selling.priceTo'),
  priceQualifier: compilePath('selling.qualifier'),
  disposal: compilePath('selling.disposal'),
  rent: compilePath('letting.rent'),
  rentQualifier: compilePath('letting.qualifier'),
  frequency: compilePath('letting.rentFrequency'),
};

/** A property for sale and to let comes once for each, if both sides may be shown. */
export function offersOf(record: JsonRecord): readonly TypeTransaction[] {
  const sides = shownSides(record);
  return sides.length > 1 ? [saleOf(record), 'location'] : [];
}

const BOTH = ['"selling"', '"letting"'] as const;

export function mayBeSeveral(bytes: Buffer): boolean {
  return BOTH.every((name) => bytes.includes(name));
}

export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const side = sideOf(record);
  if (side === undefined) return {};
  const offer: Offer = { typeTransaction: side === 'selling' ? saleOf(record) : 'location' };
  const mention = (side === 'selling' ? addPrice : addRent)(offer, record, context);
  return { ...offer, ...(mention !== undefined && mention !== '' && { prixMention: mention }) };
}

function saleOf(record: JsonRecord): TypeTransaction {
  return /^auction$/i.test(textOf(at.disposal(record)) ?? '') ? 'enchere' : 'vente';
}

/** @returns the qualifier in words. */
function addPrice(offer: Offer, record: JsonRecord, context: RecordContext): string | undefined {
  const qualifier = textOf(at.priceQualifier(record));
  const isHidden = ON_APPLICATION.find(qualifier ?? '') === true;
  const price = isHidden ? undefined : readSalePrice(at.price(record), 'selling.price', context, FIGURES);
  if (price !== undefined) offer.prix = price;
  const highest = isHidden ? undefined : readSalePrice(at.highestPrice(record), 'selling.priceTo', context, FIGURES);
  if (highest !== undefined) offer.prixPlage = { ...(price !== undefined && { min: price }), max: highest };
  if (highest !== undefined && price !== undefined && highest <= price) {
    delete offer.prixPlage;
    if (highest < price) context.warn('implausible_value', 'selling.priceTo', `${highest} below ${price}`);
  }
  if (price !== undefined || offer.prixPlage !== undefined) return qualifierIn(qualifier, context);
  if (isHidden || ![at.price, at.highestPrice].some((one) => isDoubtful(one(record), context, FIGURES)))
    offer.prixSurDemande = true;
  return qualifierIn(qualifier, context);
}

function qualifierIn(qualifier: string | undefined, context: RecordContext): string | undefined {
  return lookUp(QUALIFIERS, qualifier, 'selling.qualifier', context);
}

function addRent(offer: Offer, record: JsonRecord, context: RecordContext): string | undefined {
  const qualifier = textOf(at.rentQualifier(record));
  const isHidden = ON_APPLICATION.find(qualifier ?? '') === true;
  const rent = isHidden ? undefined : readPrice(at.rent(record), 'letting.rent', context, FIGURES);
  const word = textOf(at.frequency(record));
  const period =
    word === undefined ? 'mois' : lookUp(PERIODS, word, 'letting.rentFrequency', context, 'implausible_value');
  if (rent !== undefined && period !== undefined) Object.assign(offer, rentFor(period, rent));
  else if (isHidden || (rent === undefined && !isDoubtful(at.rent(record), context, FIGURES)))
    offer.prixSurDemande = true;
  return lookUp(QUALIFIERS, qualifier, 'letting.qualifier', context);
}
