import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { PERIODS, QUALIFIERS } from './lookups';

export const FIGURES = { comma: 'thousands' } as const;

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
/** Commercial property, for sale or to let. */
const COMMERCIAL: ReadonlySet<string> = new Set(['5', '6', '7', '118']);
/** States of a letting, which a sale cannot have. */
const LET_STATES: ReadonlySet<string> = new Set(['100', '101', '102', '103', '104']);
/**
 * The values of `@database` that mean lettings. The others mean sales, new homes, or three kinds of commercial
 * property.
 */
const LETTINGS: ReadonlySet<string> = new Set(['2', '41']);
const AUCTION = '4';
const OTHERS: ReadonlySet<string> = new Set(['1', '5', '6', '7', '15', '118']);
const ON_APPLICATION = '1';
const IS_ON_APPLICATION = /^\W*(?:p\W*o\W*a|price on (?:application|request)|on application)\W*$/i;

/**
 * For commercial property, `commercial.transaction` decides, else the state or the period of a rent. Otherwise the
 * database decides; if it is unknown, a price with the period of a rent is a rent.
 */
export function isForRent(record: XmlRecord): boolean {
  const transaction = textOf(at.commercial(record));
  if (transaction !== undefined) return /^(?:(?:to|for) )?(?:rent|let|lease)/i.test(transaction);
  const database = textOf(record['@database']) ?? '';
  if (COMMERCIAL.has(database)) return LET_STATES.has(textOf(record['web_status']) ?? '') || hasPeriod(record);
  return LETTINGS.has(database) || (!OTHERS.has(database) && hasPeriod(record));
}

function hasPeriod(record: XmlRecord): boolean {
  return PERIODS.find(textOf(at.rent(record)) ?? '') !== undefined;
}

export function isHidden(record: XmlRecord): boolean {
  return (
    toFlag(scalarOf(at.display(record))) === false ||
    textOf(record['rm_qualifier']) === ON_APPLICATION ||
    IS_ON_APPLICATION.test(textOf(at.qualifier(record)) ?? '')
  );
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
    plainLine(textOf(at.qualifier(record))) ??
    lookUp(QUALIFIERS, textOf(record['rm_qualifier']), 'rm_qualifier', context);
  // A qualifier that is a period belongs to the rent, and is not a price note.
  const isSaid =
    mention !== undefined && mention !== '' && !IS_ON_APPLICATION.test(mention) && PERIODS.find(mention) === undefined;
  return { ...offer, ...(isSaid && { prixMention: mention }) };
}

function transactionOf(record: XmlRecord): 'location' | 'enchere' | 'vente' {
  if (isForRent(record)) return 'location';
  return textOf(record['web_status']) === AUCTION ? 'enchere' : 'vente';
}

/** Some agencies write the period into the qualifier: 300 a week is not 300 a month. */
function periodInQualifier(record: XmlRecord): string | undefined {
  const word = textOf(at.qualifier(record));
  return word !== undefined && PERIODS.find(word) !== undefined ? word : undefined;
}

/** A rent with an unknown period is omitted. */
function addRent(offer: Offer, amount: unknown, record: XmlRecord, context: RecordContext): void {
  const rent = readPrice(amount, 'price', context, FIGURES);
  const word = textOf(at.rent(record)) ?? periodInQualifier(record);
  const period = word === undefined ? 'mois' : lookUp(PERIODS, word, 'price.@rent', context, 'implausible_value');
  if (rent !== undefined && period !== undefined) Object.assign(offer, rentFor(period, rent));
  else if (rent === undefined && !isDoubtful(amount, context, FIGURES)) offer.prixSurDemande = true;
}
