import type { FACETS } from './parameters';
import type { SearchedListing } from './searched-listing';

type Facet = (typeof FACETS)[number];

interface Count {
  value: string | number | boolean;
  count: number;
}

/** For each field the values of the listings, the most frequent first, then in the order of the list. */
export function facetsOf(listings: readonly SearchedListing[], facets: readonly Facet[]): Record<string, Count[]> {
  return Object.fromEntries(facets.map((facet) => [facet, countsOf(listings, facet)]));
}

function countsOf(listings: readonly SearchedListing[], facet: Facet): Count[] {
  const counts = new Map<Count['value'], Count>();
  for (const { fields, town } of listings) {
    const value = fields[facet];
    if (value === undefined) continue;
    // All spellings of a town are counted together, under the first spelling.
    const key = facet === 'ville' ? (town ?? value) : value;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

export function pinsTextOf(listings: readonly SearchedListing[]): string {
  return `[${listings
    .map(({ pin }) => pin)
    .filter((pin) => pin !== '')
    .join()}]`;
}
