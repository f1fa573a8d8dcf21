import { type Listing, type TypeCode, TYPES_CODE, TYPES_TRANSACTION, type TypeTransaction } from '@passerelle/domain';

/** The filters of a visitor; null for no preference. */
export interface Filters {
  transaction: TypeTransaction | null;
  type: TypeCode | null;
  ville: string | null;
  /** In the currency of the listing. */
  prixMin: number | null;
  prixMax: number | null;
}

/** Reads the query of an address. An invalid value does not filter. */
export function readFilters(query: URLSearchParams): Filters {
  const town = query.get('ville')?.trim() ?? '';
  return {
    transaction: TYPES_TRANSACTION.find((word) => word === query.get('transaction')) ?? null,
    type: TYPES_CODE.find((word) => word === query.get('type')) ?? null,
    ville: town === '' ? null : town,
    prixMin: amountOf(query.get('prix_min')),
    prixMax: amountOf(query.get('prix_max')),
  };
}

/** The query that says the same. */
export function queryOf({ transaction, type, ville, prixMin, prixMax }: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ transaction, type, ville, prix_min: prixMin, prix_max: prixMax })) {
    if (value !== null) query.set(name, String(value));
  }
  return query;
}

/** The listings that fit, in their order. One without a price fits no limit of price. */
export function filterListings(listings: readonly Listing[], filters: Filters): Listing[] {
  const { transaction, type, ville, prixMin, prixMax } = filters;
  return listings.filter((listing) => {
    const price = amountAsked(listing);
    return (
      (transaction === null || listing.typeTransaction === transaction) &&
      (type === null || listing.typeCode === type) &&
      (ville === null || listing.ville === ville) &&
      (prixMin === null || (price !== null && price >= prixMin)) &&
      (prixMax === null || (price !== null && price <= prixMax))
    );
  });
}

/** The price or the monthly rent; null when the listing has neither. */
function amountAsked({ prix, loyer }: Listing): number | null {
  return prix ?? loyer ?? null;
}

/** Each value that occurs, most frequent first, with how often it does. */
export function countedValues<Value extends string>(
  listings: readonly Listing[],
  valueOf: (listing: Listing) => Value | undefined,
): { value: Value; count: number }[] {
  const counts = new Map<Value, number>();
  for (const listing of listings) {
    const value = valueOf(listing);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count);
}

/** Also as French people write it: `250 000`. */
function amountOf(text: string | null): number | null {
  const digits = (text ?? '').replace(/[\s\u00a0\u202f€]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}
