import { termOf, folded, FLAG_FIELDS, type Term, wordsOf } from '@passerelle/domain';
import { type Area, box, circle, polygon } from './areas';
import { BOUNDS, cornersOf } from './parameters';
import { coordinatesOf } from './pin';
import type { SearchedListing } from './searched-listing';
import type { SearchQuery } from './search-query';
import type { SnapshotIndex } from './snapshot-index';

type Test = (listing: SearchedListing) => boolean;

/** What a search finds in a snapshot: all of it, in the order that is asked for. */
export function findListings(index: SnapshotIndex, query: SearchQuery): readonly SearchedListing[] {
  const ordered = index.inOrder(query.sort);
  const tests = testsOf(query);
  return tests.length === 0 ? ordered : ordered.filter((listing) => tests.every((test) => test(listing)));
}

/** One for each filter, those first that take the least time. */
function testsOf(query: SearchQuery): Test[] {
  const tests = [...valueTests(query), ...boundTests(query), ...flagTests(query), ...areaTests(query)];
  if (query.q !== undefined) tests.push(textTest(query.q));
  return tests;
}

const VALUES = ['typeTransaction', 'typeCode', 'codePostal', 'pays', 'dpeClasse', 'loyerPeriode'] as const;

function* valueTests(query: SearchQuery): Generator<Test> {
  for (const field of VALUES) {
    const wanted = query[field];
    if (wanted === undefined) continue;
    const values = new Set<string | undefined>(wanted);
    yield ({ fields }) => values.has(fields[field]);
  }
  if (query.ville !== undefined) {
    const towns = new Set<string | undefined>(query.ville.map(folded));
    yield ({ town }) => towns.has(town);
  }
}

function* boundTests(query: SearchQuery): Generator<Test> {
  for (const name of Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]) {
    const { field } = BOUNDS[name];
    const [min, max] = [query[`${name}Min`], query[`${name}Max`]];
    // Nothing is at least, and nothing at most, what is not there.
    if (min !== undefined) yield ({ fields }) => (fields[field] ?? NaN) >= min;
    if (max !== undefined) yield ({ fields }) => (fields[field] ?? NaN) <= max;
  }
}

function* flagTests(query: SearchQuery): Generator<Test> {
  for (const field of FLAG_FIELDS) {
    const wanted = query[field];
    if (wanted !== undefined) yield ({ fields }) => fields[field] === (wanted === 'true');
  }
}

function* areaTests({ bbox, around, ...query }: SearchQuery): Generator<Test> {
  const corners = query.polygon === undefined ? null : cornersOf(query.polygon);
  if (bbox !== undefined) yield inArea(box(bbox));
  if (around !== undefined) yield inArea(circle(around));
  if (corners !== null) yield inArea(polygon(corners));
}

function inArea(area: Area): Test {
  return ({ fields }) => {
    const position = coordinatesOf(fields);
    return position !== null && area(position);
  };
}

/**
 * All words of the text have to be found, each in a text of the listing, in the singular of that text's language, or in its
 * reference.
 */
function textTest(text: string): Test {
  const words = wordsOf(text);
  const byLanguages = new Map<string, readonly (readonly Term[])[]>();
  return (listing) => {
    const { languages } = listing;
    let wanted = byLanguages.get(languages);
    if (wanted === undefined) {
      const all = [null, ...languages.split(',').filter((language) => language !== '')];
      wanted = words.map((word) => all.map((language) => termOf(word, language)));
      byLanguages.set(languages, wanted);
    }
    return wanted.every((terms) => terms.some((term) => listing.has(term)));
  };
}
