import type { SearchedListing } from './searched-listing';

/** What listings can be put in order by. `feed` is the order of the list itself. */
export const SORTS = ['feed', 'prix', '-prix', 'loyer', '-loyer', 'surface', '-surface', 'date', '-date'] as const;
export type Sort = (typeof SORTS)[number];

const KEYS: Readonly<Record<string, (listing: SearchedListing) => number | undefined>> = {
  prix: ({ fields }) => fields.prix,
  loyer: ({ fields }) => fields.loyer,
  surface: ({ fields }) => fields.surfaceHabitable,
  date: ({ dateMs }) => dateMs,
};

/** The listings of one snapshot, which never changes. */
export class SnapshotIndex {
  /** In bytes, about. Listings that it shares with another are counted with both. */
  readonly size: number;
  private readonly orders = new Map<Sort, readonly SearchedListing[]>();

  /** @param listings in the feed's order */
  constructor(readonly listings: readonly SearchedListing[]) {
    const orders = listings.length * SORTS.length * 8;
    this.size = listings.reduce((sum, { size }) => sum + size, orders);
  }

  /** All listings in that order: those without such a value last, those with the same one in the feed's order. */
  inOrder(sort: Sort): readonly SearchedListing[] {
    if (sort === 'feed') return this.listings;
    const known = this.orders.get(sort);
    if (known !== undefined) return known;
    const ordered = this.sorted(sort);
    this.orders.set(sort, ordered);
    return ordered;
  }

  private sorted(sort: Sort): SearchedListing[] {
    const isDescending = sort.startsWith('-');
    const keyOf = KEYS[isDescending ? sort.slice(1) : sort]!;
    const last = isDescending ? -Infinity : Infinity;
    const keyed = this.listings.map((listing) => ({ listing, key: keyOf(listing) ?? last }));
    // The sort is stable. Two keys that are infinite have no difference.
    keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key === isDescending ? 1 : -1));
    return keyed.map(({ listing }) => listing);
  }
}
