import type { Listing, ListingField } from './listing';

/** The fields whose fill rate the publish gate watches. A field's position in this list is its bit in a fill mask. */
export const WATCHED_FIELDS = [
  'affNum',
  'intitule',
  'commentaires',
  'typeTransaction',
  'typeCode',
  'price',
  'surfaceHabitable',
  'nbrePieces',
  'nbreChambres',
  'ville',
  'codePostal',
  'photos',
  'agenceNom',
  'negoEmail',
  'legible',
] as const satisfies readonly (ListingField | 'price' | 'legible')[];
export type WatchedField = (typeof WATCHED_FIELDS)[number];

export type FillCounts = Record<WatchedField, number>;

/** Counts `autre` as not filled. `price` means a sale price or a rent; `legible` means no trace of a wrong encoding. */
export function fillMask(listing: Listing): number {
  let mask = 0;
  for (let bit = 0; bit < WATCHED_FIELDS.length; bit += 1) {
    if (isFilled(listing, WATCHED_FIELDS[bit] as WatchedField)) mask |= 1 << bit;
  }
  return mask;
}

function isFilled(listing: Listing, field: WatchedField): boolean {
  switch (field) {
    case 'price':
      return listing.prix !== undefined || listing.loyer !== undefined;
    case 'legible':
      return ![listing.intitule, listing.commentaires, listing.ville].some(isGarbled);
    case 'photos':
      return listing.photos.length > 0;
    case 'typeTransaction':
    case 'typeCode':
      return listing[field] !== undefined && listing[field] !== 'autre';
    default:
      return listing[field] !== undefined;
  }
}

/** Matches U+FFFD, and UTF-8 (`Ã©`), DOS (`caf‚`) or old Macintosh text (`cafŽ`) decoded with a Windows code page. */
const GARBLED =
  /\uFFFD|[ÃÂÅ][\u0080-\u009f\u00a1-\u00bfŒŽœžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™Šš]|â€|(?<=\p{Ll})[‚ƒˆ‡ŠŽ‰](?=\p{Ll}|[\s,.]|$)/u;

/** A cheap first test: every garbled text contains one of these characters, and few other texts do. */
const MAYBE_GARBLED = /[\uFFFDÃÂÅ‚ƒˆ‡ŠŽ‰]|â€/;

function isGarbled(text: string | undefined): boolean {
  return text !== undefined && MAYBE_GARBLED.test(text) && GARBLED.test(text);
}

export function hasWatchedField(mask: number, field: WatchedField): boolean {
  return (mask & (1 << WATCHED_FIELDS.indexOf(field))) !== 0;
}

export function emptyFillCounts(): FillCounts {
  return countFills([]);
}

/** @param masks one per listing */
export function countFills(masks: Iterable<number>): FillCounts {
  // Many listings share a few masks, so count the masks first.
  const listings = new Map<number, number>();
  for (const mask of masks) listings.set(mask, (listings.get(mask) ?? 0) + 1);
  const counts = WATCHED_FIELDS.map((field, bit) => {
    let count = 0;
    for (const [mask, having] of listings) if (mask & (1 << bit)) count += having;
    return [field, count];
  });
  return Object.fromEntries(counts) as FillCounts;
}
