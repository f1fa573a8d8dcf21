import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';

import type { PolirisRow } from '../../formats/poliris-rows';
import { toFlag } from '../../kit/clean/flag';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { readPrice, readSalePrice } from '../../kit/price';
import { type Fees, feesOf } from './fees';
import { SEASONAL_PRICES, TRANSACTIONS } from './lookups';

/** The fields that depend on what is offered: rank 11 is a price or a rent, rank 15 a share or an amount. */
export type Offer = Fees & {
  [
    K in
      | 'typeTransaction'
      | 'prix'
      | 'prixSurDemande'
      | 'prixHorsHonoraires'
      | 'loyer'
      | 'loyerPeriode'
      | 'loyerBase'
      | 'bouquet'
      | 'rente'
  ]?: Listing[K] | undefined;
};

/** Reads what one row offers, and for how much. */
export function readOffer(row: PolirisRow, context: RecordContext): Offer {
  const typeTransaction = transactionOf(row, context);
  const isRent = typeTransaction !== undefined && isRental(typeTransaction);
  const isHidden = toFlag(row[201]) === true;
  // A hidden price must not show in the amounts that it is made of.
  const prices: Offer = isHidden
    ? {}
    : isRent
      ? rentOf(row, typeTransaction, context)
      : saleOf(row, typeTransaction, context);
  return {
    typeTransaction,
    ...prices,
    prixSurDemande: prices.prix === undefined && prices.loyer === undefined ? true : undefined,
    ...feesOf(row, isRent, context),
  };
}

function transactionOf(row: PolirisRow, context: RecordContext): TypeTransaction | undefined {
  const word = row[3]?.trim() ?? '';
  if (word === '') return undefined;
  const known = TRANSACTIONS.find(word);
  if (known === undefined) context.warn('unknown_word', '3', word.slice(0, 120));
  return known ?? 'autre';
}

function saleOf(row: PolirisRow, typeTransaction: TypeTransaction | undefined, context: RecordContext): Offer {
  // What nobody knows may cost little.
  const isSale = typeTransaction !== undefined && typeTransaction !== 'autre';
  const amount = (rank: number): number | undefined => readPrice(row[rank], String(rank), context);
  return {
    prix: (isSale ? readSalePrice : readPrice)(row[11], '11', context),
    prixHorsHonoraires: amount(303),
    ...(typeTransaction === 'viager' && { bouquet: amount(185), rente: amount(186) }),
  };
}

function rentOf(row: PolirisRow, typeTransaction: TypeTransaction, context: RecordContext): Offer {
  return { ...monthlyRent(row, typeTransaction, context), loyerBase: readPrice(row[331], '331', context) };
}

function monthlyRent(row: PolirisRow, typeTransaction: TypeTransaction, context: RecordContext): Offer {
  const loyer = readPrice(row[11], '11', context);
  if (loyer !== undefined) return { loyer };
  if (typeTransaction === 'location-saisonniere') {
    for (const { rank, period } of SEASONAL_PRICES) {
      const price = readPrice(row[rank], String(rank), context);
      if (price === undefined) continue;
      return { loyer: toMonthlyRent(price, period), ...(period === 'mois' ? {} : { loyerPeriode: period }) };
    }
  }
  // Offices and shops are let by the year.
  const yearly = readPrice(row[202], '202', context);
  return yearly === undefined ? {} : { loyer: toMonthlyRent(yearly, 'an'), loyerPeriode: 'an' };
}
