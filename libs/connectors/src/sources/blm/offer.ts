import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';

import type { BlmRow } from '../../formats/blm-rows';
import { toInteger } from '../../kit/clean/count';
import { toFlag } from '../../kit/clean/flag';
import { type NumberStyle, toNumber } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/scalar';
import { RENT_FREQUENCIES, TRANSACTIONS } from './lookups';

/** The fields that depend on what is offered: PRICE is a price or a rent. */
export type Offer = Pick<Listing, 'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode'>;

/** English figures: `1,350` is more than a thousand. */
export const FIGURES: NumberStyle = { comma: 'thousands' };
const ON_REQUEST = 1;
const SHORT_TERM = 2;
/** Nothing is sold for less. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;

/** Reads what one row offers, and for how much. */
export function readOffer(row: BlmRow, context: RecordContext): Offer {
  const typeTransaction = transactionOf(row, context);
  const offer: Offer = typeTransaction === undefined ? {} : { typeTransaction };
  const price = toNumber(row['PRICE'], FIGURES);
  if (price === undefined || price <= 0 || isOnRequest(row)) return { ...offer, prixSurDemande: true };
  if (typeTransaction !== undefined && isRental(typeTransaction)) return { ...offer, ...rentOf(row, price, context) };
  if (typeTransaction === 'vente' && price < IMPLAUSIBLE_SALE_PRICE)
    context.warn('implausible_value', 'PRICE', row['PRICE'] ?? '');
  return { ...offer, prix: price };
}

/** PRICE_QUALIFIER 1: price on application, whatever PRICE says. */
function isOnRequest(row: BlmRow): boolean {
  const qualifier = textOf(row['PRICE_QUALIFIER']);
  return qualifier !== undefined && (toInteger(qualifier) === ON_REQUEST || /^p\.?o\.?a\.?$/i.test(qualifier));
}

function transactionOf(row: BlmRow, context: RecordContext): TypeTransaction | undefined {
  const word = textOf(row['TRANS_TYPE_ID']);
  if (word === undefined) return undefined;
  const known = TRANSACTIONS.find(word);
  if (known === undefined) context.warn('unknown_word', 'TRANS_TYPE_ID', word.slice(0, 120));
  if (known === 'location') return toInteger(row['LET_TYPE_ID']) === SHORT_TERM ? 'location-saisonniere' : known;
  if (known === 'vente') return toFlag(row['BUSINESS_FOR_SALE_FLAG']) === true ? 'fonds-de-commerce' : known;
  return 'autre';
}

function rentOf(row: BlmRow, price: number, context: RecordContext): Offer {
  const word = textOf(row['LET_RENT_FREQUENCY']) ?? '1';
  const period = RENT_FREQUENCIES.find(word);
  if (period === undefined) {
    // A rent for nobody knows how long is none.
    context.warn('unknown_word', 'LET_RENT_FREQUENCY', word.slice(0, 120));
    return { prixSurDemande: true };
  }
  return { loyer: toMonthlyRent(price, period), ...(period === 'mois' ? {} : { loyerPeriode: period }) };
}
