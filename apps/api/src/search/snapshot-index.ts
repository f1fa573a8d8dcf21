import type { SearchedListing } from './searched-listing';
import { WordAnswers } from './word-answers';

/** Orders for listings. `feed` is the order of the list itself. */
export const SORTS = ['feed', 'prix', '-prix', 'loyer', '-loyer', 'surface', '-surface', 'date', '-date'] as const;
export type Sort = (typeof SORTS)[number];

const KEYS: Readonly<Record<string, (listing: SearchedListing) => number | undefined>> = {
  prix: ({ fields }) => fields.prix,
  loyer: ({ fields }) => fields.loyer,
  surface: ({ fields }) => fields.surfaceHabitable,
  date: ({ dateMs }) => dateMs,
};

const NUMBERS = [
  ...(['prix', 'loyer', 'surfaceHabitable', 'surfaceTerrain', 'nbrePieces', 'nbreChambres'] as const),
  ...(['latitude', 'longitude'] as const),
];
export type NumberField = (typeof NUMBERS)[number];

/** The memory of a listing in this index, when every field has been used. */
const BYTES_EACH =
  NUMBERS.length * Float64Array.BYTES_PER_ELEMENT +
  SORTS.length * Int32Array.BYTES_PER_ELEMENT +
  WordAnswers.bytesOfListing;

/** The listings of one snapshot, which never changes. Derived data is made at its first use. */
export class SnapshotIndex {
  /** The approximate size in bytes. Listings shared with another index are counted in both. */
  readonly size: number;
  readonly words: WordAnswers;
  private readonly orders = new Map<Sort, Int32Array>();
  private readonly columns = new Map<NumberField, Float64Array>();

  /** @param listings in the feed's order: a listing's index is its position */
  constructor(readonly listings: readonly SearchedListing[]) {
    this.size = listings.reduce((sum, { size }) => sum + size, listings.length * BYTES_EACH);
    this.words = new WordAnswers(listings);
  }

  /** The values of a field, by listing position; NaN if unknown. */
  numbers(field: NumberField): Float64Array {
    return madeOnce(this.columns, field, () => Float64Array.from(this.listings, ({ fields }) => fields[field] ?? NaN));
  }

  /** All positions, sorted: listings without a value come last, equal listings in the feed's order. */
  inOrder(sort: Sort): Int32Array {
    return madeOnce(this.orders, sort, () => this.sorted(sort));
  }

  private sorted(sort: Sort): Int32Array {
    const positions = Int32Array.from(this.listings.keys());
    if (sort === 'feed') return positions;
    const isDescending = sort.startsWith('-');
    const keyOf = KEYS[isDescending ? sort.slice(1) : sort]!;
    const last = isDescending ? -Infinity : Infinity;
    const keys = this.listings.map((listing) => keyOf(listing) ?? last);
    // The difference of two infinite keys is not a number.
    return positions.sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a]! < keys[b]! === isDescending ? 1 : -1));
  }
}

function madeOnce<Name, Made>(all: Map<Name, Made>, name: Name, make: () => Made): Made {
  const made = all.get(name) ?? make();
  all.set(name, made);
  return made;
}
