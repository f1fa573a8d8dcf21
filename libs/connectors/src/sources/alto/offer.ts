import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { PERIODS, QUALIFIERS } from './lookups';

/** English figures: `1,350` is more than a thousand. */
export const FIGURES = { comma: 'thousands' } as const;

/** The fields that depend on what is offered. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixMention' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

const at = {
  price: compilePath('price'),
  display: compilePath('price.@display'),
  rent: compilePath('price.@rent'),
  qualifier: compilePath('price.@qualifier'),
  commercial: compilePath('commercial.transaction'),
};
/** `@database`: sales, lettings, commercial of three kinds, new homes. */
const LETTINGS: ReadonlySet<string> = new Set(['2', '41']);
const AUCTION = '4';
const ON_APPLICATION = '1';

/** What its database is for; commercial property says itself whether it is to let. */
export function isForRent(record: XmlRecord): boolean {
  const transaction = textOf(at.commercial(record));
  if (transaction !== undefined) return /^(?:rental|let|lease)/i.test(transaction);
  return LETTINGS.has(textOf(record['@database']) ?? '');
}

/** Whether the amount may not be shown. */
export function isHidden(record: XmlRecord): boolean {
  return toFlag(scalarOf(at.display(record))) === false || textOf(record['rm_qualifier']) === ON_APPLICATION;
}

export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const offer: Offer = { typeTransaction: transactionOf(record) };
  const amount = scalarOf(at.price(record));
  if (isHidden(record)) offer.prixSurDemande = true;
  else if (offer.typeTransaction === 'location') addRent(offer, amount, record, context);
  else {
    const price = readSalePrice(amount, 'price', context, FIGURES);
    if (price !== undefined) offer.prix = price;
    else if (!isDoubtful(amount, context, FIGURES)) offer.prixSurDemande = true;
  }
  const mention =
    textOf(at.qualifier(record)) ?? lookUp(QUALIFIERS, textOf(record['rm_qualifier']), 'rm_qualifier', context);
  return { ...offer, ...(mention !== undefined && mention !== '' && { prixMention: mention }) };
}

function transactionOf(record: XmlRecord): 'location' | 'enchere' | 'vente' {
  if (isForRent(record)) return 'location';
  return textOf(record['web_status']) === AUCTION ? 'enchere' : 'vente';
}

/** A rent whose period is named, and not known, is left out. */
function addRent(offer: Offer, amount: unknown, record: XmlRecord, context: RecordContext): void {
  const rent = readPrice(amount, 'price', context, FIGURES);
  const word = textOf(at.rent(record));
  const period = word === undefined ? 'mois' : lookUp(PERIODS, word, 'price.@rent', context, 'implausible_value');
  if (rent !== undefined && period !== undefined) Object.assign(offer, rentFor(period, rent));
  else if (rent === undefined && !isDoubtful(amount, context, FIGURES)) offer.prixSurDemande = true;
}
