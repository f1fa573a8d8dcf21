import type { Listing, TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { shownSides } from './display';
import { ON_APPLICATION, PERIODS, QUALIFIERS } from './lookups';

export const FIGURES = { comma: 'thousands' } as const;

export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixMention' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

const at = {
  price: compilePath('selling.price'),
  priceQualifier: compilePath('selling.qualifier'),
  disposal: compilePath('selling.disposal'),
  rent: compilePath('letting.rent'),
  rentQualifier: compilePath('letting.qualifier'),
  frequency: compilePath('letting.rentFrequency'),
};

/** A property for sale and to let keeps both amounts, and counts as a sale. */
export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const sides = shownSides(record);
  const offer: Offer = {};
  const mentions: (string | undefined)[] = [];
  if (sides.includes('letting')) {
    offer.typeTransaction = 'location';
    mentions.push(addRent(offer, record, context));
  }
  if (sides.includes('selling')) {
    offer.typeTransaction = saleOf(record);
    mentions.unshift(addPrice(offer, record, context));
  }
  const mention = inOneLine(mentions);
  return { ...offer, ...(mention !== undefined && { prixMention: mention }) };
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
  else if (isHidden || !isDoubtful(at.price(record), context, FIGURES)) offer.prixSurDemande = true;
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
