import { isRental, type Listing, type RentPeriod } from '@passerelle/domain';

export interface Price {
  kind: 'sale' | 'rent';
  /** In `prixCurrency`. A rent is per month. */
  amount: number | undefined;
}

/** The amount that an advert shows: the price of a sale, the monthly rent of a rental. */
export function priceOf({ typeTransaction, prix, loyer }: Listing): Price {
  const isRent = typeTransaction === undefined ? prix === undefined && loyer !== undefined : isRental(typeTransaction);
  return isRent ? { kind: 'rent', amount: loyer } : { kind: 'sale', amount: prix };
}

/** The rent as the source says it, where the format has a word for its period; else the rent per month. */
export function rentIn(
  { loyer, loyerSource }: Listing,
  periods: readonly RentPeriod[],
): { amount: number; period: RentPeriod } | undefined {
  if (loyer === undefined) return undefined;
  const period = loyerSource?.periode;
  return loyerSource !== undefined && period !== undefined && periods.includes(period)
    ? { amount: loyerSource.montant, period }
    : { amount: loyer, period: 'mois' };
}
