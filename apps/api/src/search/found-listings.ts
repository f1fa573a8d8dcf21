import { folded, FLAG_FIELDS, wordsOf } from '@passerelle/domain';
import { type Area, box, circle, polygon } from './areas';
import { BOUNDS, cornersOf } from './parameters';
import type { SearchQuery } from './search-query';
import type { SnapshotIndex } from './snapshot-index';

type Test = (position: number) => boolean;

/** The result of a search in a snapshot: the positions of all listings found, in the requested order. */
export function findListings(index: SnapshotIndex, query: SearchQuery): readonly number[] {
  const tests = testsOf(index, query);
  const found: number[] = [];
  for (const position of index.inOrder(query.sort)) if (passes(position, tests)) found.push(position);
  return found;
}

/** A loop instead of `every`, whose additional function call per listing takes half of a search's time. */
function passes(position: number, tests: readonly Test[]): boolean {
  for (const test of tests) if (!test(position)) return false;
  return true;
}

/** One test for each filter, the fastest first. */
function testsOf(index: SnapshotIndex, query: SearchQuery): Test[] {
  const words = query.q === undefined ? [] : wordsOf(query.q);
  return [
    ...boundTests(index, query),
    ...valueTests(index, query),
    ...flagTests(index, query),
    ...areaTests(index, query),
    // All words of the text must match.
    ...words.map((word) => index.words.testOf(word)),
  ];
}

const VALUES = ['typeTransaction', 'typeCode', 'codePostal', 'pays', 'dpeClasse', 'loyerPeriode'] as const;

function* valueTests({ listings }: SnapshotIndex, query: SearchQuery): Generator<Test> {
  for (const field of VALUES) {
    const wanted = query[field];
    if (wanted === undefined) continue;
    const values = new Set<string | undefined>(wanted);
    yield (position) => values.has(listings[position]!.fields[field]);
  }
  if (query.ville !== undefined) {
    const towns = new Set<string | undefined>(query.ville.map(folded));
    yield (position) => towns.has(listings[position]!.town);
  }
}

function* boundTests(index: SnapshotIndex, query: SearchQuery): Generator<Test> {
  for (const name of Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]) {
    const { field } = BOUNDS[name];
    const [min, max] = [query[`${name}Min`], query[`${name}Max`]];
    if (min === undefined && max === undefined) continue;
    const values = index.numbers(field);
    // A listing without a value never passes a minimum or a maximum.
    if (min !== undefined) yield (position) => values[position]! >= min;
    if (max !== undefined) yield (position) => values[position]! <= max;
  }
}

function* flagTests({ listings }: SnapshotIndex, query: SearchQuery): Generator<Test> {
  for (const field of FLAG_FIELDS) {
    const wanted = query[field];
    if (wanted !== undefined) yield (position) => listings[position]!.fields[field] === (wanted === 'true');
  }
}

function* areaTests(index: SnapshotIndex, { bbox, around, ...query }: SearchQuery): Generator<Test> {
  const corners = query.polygon === undefined ? null : cornersOf(query.polygon);
  if (bbox !== undefined) yield inArea(index, box(bbox));
  if (around !== undefined) yield inArea(index, circle(around));
  if (corners !== null) yield inArea(index, polygon(corners));
}

function inArea(index: SnapshotIndex, area: Area): Test {
  const [latitudes, longitudes] = [index.numbers('latitude'), index.numbers('longitude')];
  return (position) => {
    const [latitude, longitude] = [latitudes[position]!, longitudes[position]!];
    return !Number.isNaN(latitude) && !Number.isNaN(longitude) && area({ latitude, longitude });
  };
}
