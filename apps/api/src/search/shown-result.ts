import type { FACETS } from './parameters';
import type { SearchedListing } from './searched-listing';

type Facet = (typeof FACETS)[number];

/** How often a value occurs. */
interface Count {
  value: string | number | boolean;
  count: number;
}

/** For each field the values that the listings have, the most frequent first, then as they come in the list. */
export function facetsOf(listings: readonly SearchedListing[], facets: readonly Facet[]): Record<string, Count[]> {
  return Object.fromEntries(facets.map((facet) => [facet, countsOf(listings, facet)]));
}

function countsOf(listings: readonly SearchedListing[], facet: Facet): Count[] {
  const counts = new Map<Count['value'], Count>();
  for (const { fields, town } of listings) {
    const value = fields[facet];
    if (value === undefined) continue;
    // A town is found however it is written, and counted alike, under the name of the first.
    const key = facet === 'ville' ? (town ?? value) : value;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Those that have a position, in short: a list in JSON. */
export function pinsTextOf(listings: readonly SearchedListing[]): string {
  return `[${listings
    .map(({ pin }) => pin)
    .filter((pin) => pin !== '')
    .join()}]`;
}
