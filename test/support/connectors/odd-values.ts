import type { Connector } from '../../../libs/connectors/src/kit/contracts';
import { feedDocument } from './feed-document';
import { IS_FULL_SIZE } from '../full-size';
import { listingProblems } from './listing-problems';
import { readRecord } from './read-records';
import { type FeedSurroundings, recordingContext } from './recording-context';

/**
 * Values that an API may send in any field: no value, a value of another type, markup, control characters, doubly
 * encoded texts, a URL with a user name.
 */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, '', 'three', -7, 0, 1e308, '1e999', {}, [], [null], { a: 1 }],
  ...['BÃ©ziers', '\ufffd', '\u0000', '<b>x</b>', '<script>x', 'https://user:pw@photos.example.org/x.jpg'],
];
/** An identifier stays unchanged, so these problems of identifiers are allowed. */
const KEPT = /^affId holds (?:markup|control characters)$/;

type Path = readonly (string | number)[];

/**
 * Maps the records of a JSON feed with one member at a time replaced by odd values: all at full size, otherwise three,
 * which differ per member.
 * @returns one sentence for each value that readers must not get and for each crash of the mapping, without duplicates
 */
export async function oddValueProblems<R>(
  connector: Connector<R>,
  feed: Buffer,
  surroundings: FeedSurroundings,
): Promise<string[]> {
  const problems = new Set<string>();
  let count = 0;
  for await (const slice of connector.format.slice(feedDocument(feed))) {
    if (slice.kind !== 'record' || slice.isFurtherOffer === true) continue;
    const record: unknown = JSON.parse(slice.bytes.toString());
    for (const path of pathsOf(record)) {
      const tried = IS_FULL_SIZE
        ? ODD_VALUES
        : [0, 6, 12].map((more) => ODD_VALUES[(count + more) % ODD_VALUES.length]);
      count += 1;
      for (const odd of tried) {
        const where = `${path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')} = ${JSON.stringify(odd)}`;
        for (const problem of problemsOf(connector, textWith(record, path, odd), surroundings)) {
          problems.add(`${where}: ${problem}`);
        }
      }
    }
  }
  return [...problems];
}

function problemsOf<R>(connector: Connector<R>, record: string, surroundings: FeedSurroundings): string[] {
  const { context } = recordingContext(connector.code, surroundings);
  let result;
  try {
    result = readRecord(connector, Buffer.from(record), context);
  } catch (error) {
    return [`the mapping fell over: ${String(error)}`];
  }
  if (!('listing' in result)) return [];
  const { listing } = result;
  // Ignore control characters, because the engine removes them from all texts after the mapping.
  const problems = listingProblems(listing).filter((one) => !KEPT.test(one) && !one.endsWith('control characters'));
  const shown = listing.photos.some(({ url }) => url.includes('user:pw')) ? ['a photo shows a password'] : [];
  return [...problems, ...shown];
}

/** The paths of all members of a record, at any depth. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const below = Object.entries(value).flatMap(([key, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? below : [path, ...below];
}

/**
 * The JSON of a record with another value at one path. Changes the record temporarily, because copying it for each
 * value would take longer than the mapping.
 */
function textWith(record: unknown, path: Path, value: unknown): string {
  let place = record as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  const before = place[last];
  place[last] = value;
  const text = JSON.stringify(record);
  place[last] = before;
  return text;
}
