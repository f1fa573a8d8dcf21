import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';
import type { PolirisRow } from '../../formats/poliris-rows';
import { toFlag } from '../../kit/clean/fold-word';
import { range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readPriceOf, rentFor } from '../../kit/price';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { FEES_PAID_BY, SEASONAL_PRICES, TRANSACTIONS } from './lookups';

/** Rank 11 is a price or a rent, rank 15 a share or an amount. */
export type Offer = Fees & {
  [
    K in
      | 'typeTransaction'
      | 'prix'
      | 'prixSurDemande'
      | 'prixHorsHonoraires'
      | 'loyer'
      | 'loyerPeriode'
      | 'loyerSource'
      | 'loyerBase'
      | 'loyerHorsCharges'
      | 'loyerChargesComprises'
      | 'prixMention'
      | 'prixPlage'
      | 'bouquet'
      | 'rente'
  ]?: Listing[K] | undefined;
};

/** The price range of a house model. */
const prices = range(v.money('308'), v.money('309'));

const AMOUNT_RANKS = [11, 202, ...SEASONAL_PRICES.map(({ rank }) => rank)];

export function readOffer(row: PolirisRow, context: RecordContext): Offer {
  const typeTransaction = transactionOf(row, context);
  const isRent = typeTransaction !== undefined && isRental(typeTransaction);
  const isHidden = toFlag(row[201]) === true;
  // If the price is hidden, its parts are omitted too, because they would reveal it.
  const prices: Offer = isHidden
    ? {}
    : isRent
      ? rentOf(row, typeTransaction, context)
      : saleOf(row, typeTransaction, context);
  return {
    typeTransaction,
    ...prices,
    prixSurDemande: isOnRequest(isRent ? prices.loyer : prices.prix, row, isHidden, context) ? true : undefined,
    ...feesOf(row, isRent, context),
  };
}

function isOnRequest(amount: number | undefined, row: PolirisRow, isHidden: boolean, context: RecordContext): boolean {
  if (amount !== undefined) return false;
  return isHidden || !AMOUNT_RANKS.some((rank) => isDoubtful(row[rank], context));
}

function transactionOf(row: PolirisRow, context: RecordContext): TypeTransaction | undefined {
  const word = row[3]?.trim() ?? '';
  return word === '' ? undefined : (lookUp(TRANSACTIONS, word, '3', context) ?? 'autre');
}

function saleOf(row: PolirisRow, typeTransaction: TypeTransaction | undefined, context: RecordContext): Offer {
  const amount = (rank: number): number | undefined => readPrice(row[rank], String(rank), context);
  return {
    prix: readPriceOf(typeTransaction, row[11], '11', context),
    prixHorsHonoraires: amount(303),
    prixPlage: prices.read(row, context),
    prixMention: toFlag(row[245]) === true ? 'Prix hors taxes' : undefined,
    loyer: wallsRent(row, typeTransaction, context),
    ...(typeTransaction === 'viager' && { bouquet: amount(185), rente: amount(186) }),
  };
}

/**
 * Rank 12, the monthly rent that the buyer of a business or of a lease goes on paying. Beside another sale its meaning
 * is unknown: it may be an income.
 */
function wallsRent(
  row: PolirisRow,
  typeTransaction: TypeTransaction | undefined,
  context: RecordContext,
): number | undefined {
  const rent = readPrice(row[12], '12', context);
  if (rent === undefined || typeTransaction === 'fonds-de-commerce' || typeTransaction === 'cession-de-bail')
    return rent;
  context.warn('implausible_value', '12', String(row[12]).slice(0, 120));
  return undefined;
}

function rentOf(row: PolirisRow, typeTransaction: TypeTransaction, context: RecordContext): Offer {
  const rent = monthlyRent(row, typeTransaction, context);
  // Ranks 13 (charges included) and 14 (without VAT) describe rank 11, the monthly rent; 207 and 208 the yearly one.
  const isYearly = rent.loyerPeriode === 'an';
  const isKnown = rent.loyer !== undefined && (isYearly || rent.loyerPeriode === undefined);
  const isWithCharges = toFlag(row[isYearly ? 207 : 13]);
  return {
    ...rent,
    loyerBase: readPrice(row[331], '331', context),
    loyerChargesComprises: isKnown && isWithCharges === true ? rent.loyer : undefined,
    loyerHorsCharges: isKnown && isWithCharges === false ? rent.loyer : undefined,
    prixMention: toFlag(row[isYearly ? 208 : 14]) === true ? 'Loyer HT' : undefined,
  };
}

function monthlyRent(row: PolirisRow, typeTransaction: TypeTransaction, context: RecordContext): Offer {
  const loyer = readPrice(row[11], '11', context);
  if (loyer !== undefined) return { loyer };
  if (typeTransaction === 'location-saisonniere') {
    for (const { rank, period } of SEASONAL_PRICES) {
      const price = readPrice(row[rank], String(rank), context);
      if (price !== undefined) return rentFor(period, price);
    }
  }
  // Offices and shops have a yearly rent, in rank 202.
  const yearly = readPrice(row[202], '202', context);
  return yearly === undefined ? {} : rentFor('an', yearly);
}

type Fees = { [K in 'honoraires' | 'honorairesUnite' | 'honorairesCharge']?: Listing[K] | undefined };

const paidBy = v.oneOf(FEES_PAID_BY, '302');
const MOST_PERCENT = 100;

/**
 * Rank 15 is a percentage of a price, or an amount in addition to a rent. Older files have ranks 256 and 257 instead of
 * 302.
 */
function feesOf(row: PolirisRow, isRent: boolean, context: RecordContext): Fees {
  const honoraires = readPrice(row[15], '15', context) ?? (isRent ? undefined : readPrice(row[257], '257', context));
  const isAmount = isRent || (honoraires ?? 0) > MOST_PERCENT;
  return {
    honoraires,
    honorairesUnite: honoraires === undefined ? undefined : isAmount ? 'montant' : 'pourcentage',
    honorairesCharge: paidBy.read(row, context) ?? (isRent ? undefined : paidByFlag(row)),
  };
}

function paidByFlag(row: PolirisRow): Fees['honorairesCharge'] {
  const isPaidByBuyer = toFlag(row[256]);
  return isPaidByBuyer === undefined ? undefined : isPaidByBuyer ? 'acquereur' : 'vendeur';
}
