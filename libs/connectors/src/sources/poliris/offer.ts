import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';

import type { PolirisRow } from '../../formats/poliris-rows';
import { toFlag } from '../../kit/clean/flag';
import { toNumber } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { SEASONAL_PRICES, TRANSACTIONS } from './lookups';

/** The fields that depend on what is offered: rank 11 is a price or a rent, rank 15 a share or an amount. */
export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'prix'
  | 'prixSurDemande'
  | 'loyer'
  | 'loyerPeriode'
  | 'honoraires'
  | 'honorairesUnite'
  | 'bouquet'
  | 'rente'
>;

/** Nothing is sold for less: such a price is a number with its thousands point taken for a decimal one, or a slip. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;

/** Reads what one row offers, and for how much. */
export function readOffer(row: PolirisRow, context: RecordContext): Offer {
  const typeTransaction = transactionOf(row, context);
  const isRent = typeTransaction !== undefined && isRental(typeTransaction);
  const offer: Offer = {};
  if (typeTransaction !== undefined) offer.typeTransaction = typeTransaction;
  const isHidden = toFlag(row[201]) === true;
  if (isRent) Object.assign(offer, isHidden ? {} : rentOf(row, typeTransaction));
  else {
    const prix = amount(row, 11);
    if (prix !== undefined && !isHidden) {
      offer.prix = prix;
      if (typeTransaction === 'vente' && prix < IMPLAUSIBLE_SALE_PRICE)
        context.warn('implausible_value', '11', row[11] ?? '');
    }
    if (typeTransaction === 'viager' && !isHidden) Object.assign(offer, annuityOf(row));
  }
  if (offer.prix === undefined && offer.loyer === undefined) offer.prixSurDemande = true;
  const honoraires = amount(row, 15);
  if (honoraires !== undefined) {
    offer.honoraires = honoraires;
    offer.honorairesUnite = isRent || honoraires > 100 ? 'montant' : 'pourcentage';
  }
  return offer;
}

function transactionOf(row: PolirisRow, context: RecordContext): TypeTransaction | undefined {
  const word = row[3]?.trim() ?? '';
  if (word === '') return undefined;
  const known = TRANSACTIONS.find(word);
  if (known === undefined) context.warn('unknown_word', '3', word.slice(0, 120));
  return known ?? 'autre';
}

function rentOf(row: PolirisRow, typeTransaction: TypeTransaction): Pick<Offer, 'loyer' | 'loyerPeriode'> {
  const loyer = amount(row, 11);
  if (loyer !== undefined) return { loyer };
  if (typeTransaction === 'location-saisonniere') {
    for (const { rank, period } of SEASONAL_PRICES) {
      const price = amount(row, rank);
      if (price === undefined) continue;
      return { loyer: toMonthlyRent(price, period), ...(period === 'mois' ? {} : { loyerPeriode: period }) };
    }
  }
  // Offices and shops are let by the year.
  const yearly = amount(row, 202);
  return yearly === undefined ? {} : { loyer: toMonthlyRent(yearly, 'an'), loyerPeriode: 'an' };
}

function annuityOf(row: PolirisRow): Pick<Offer, 'bouquet' | 'rente'> {
  const bouquet = amount(row, 185);
  const rente = amount(row, 186);
  return { ...(bouquet === undefined ? {} : { bouquet }), ...(rente === undefined ? {} : { rente }) };
}

function amount(row: PolirisRow, rank: number): number | undefined {
  const value = toNumber(row[rank]);
  return value !== undefined && value > 0 ? value : undefined;
}
