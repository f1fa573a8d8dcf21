import { isRental, type Listing, type RentPeriod, type TypeTransaction } from '@passerelle/domain';
import type { NumberStyle } from './clean/number';
import type { RecordContext } from './contracts';
import { isDoubtful, readPrice, readPriceOf, rentFor } from './price';
import { type Together, together } from './together';
import { compilePath } from './values';
import type { Verb } from './verbs';

/** The offer and its price. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

/** For a feed with a single amount, where the transaction decides whether it is a price or a rent. */
export interface OfferSource<R> {
  transaction: Verb<R, TypeTransaction>;
  /** The path of the amount. */
  price: string;
  /** The period of a rent, as `v.unit` reads it; by default the month. A rent whose period is unknown is left out. */
  period?: Verb<R, RentPeriod>;
  style?: NumberStyle;
  isHidden?(record: R, context: RecordContext): boolean;
}

/**
 * Reads the amount as a price or as a rent, depending on the transaction: `...offer({ … }).fields('typeTransaction',
 * 'prix', …)`.
 */
export function offer<R>(source: OfferSource<R>): Together<R, Offer> {
  const { transaction, period, price, style } = source;
  const amountAt = compilePath(price);
  return together((record, context) => {
    const result: Offer = {};
    const isHidden = source.isHidden?.(record, context) === true;
    const typeTransaction = transaction.read(record, context);
    if (typeTransaction !== undefined) result.typeTransaction = typeTransaction;
    if (!isHidden) {
      if (typeTransaction !== undefined && isRental(typeTransaction)) {
        const rent = readPrice(amountAt(record), price, context, style);
        // A rent whose period is unknown is left out, but it is not on request.
        if (rent !== undefined) return { ...result, ...rentOf(rent, record, context) };
      } else {
        const prix = readPriceOf(typeTransaction, amountAt(record), price, context, style);
        if (prix !== undefined) result.prix = prix;
      }
    }
    const isNone = result.prix === undefined;
    if (isNone && (isHidden || !isDoubtful(amountAt(record), context, style))) result.prixSurDemande = true;
    return result;
  });

  function rentOf(amount: number, record: R, context: RecordContext): Offer {
    const paidFor = period === undefined ? 'mois' : period.read(record, context);
    return paidFor === undefined ? {} : rentFor(paidFor, amount);
  }
}
