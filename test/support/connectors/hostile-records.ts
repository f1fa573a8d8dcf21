import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connector } from '../../../libs/connectors/src/kit/contracts';
import { feedDocument } from './feed-document';
import { surveyed } from './read-records';
import type { FeedSurroundings } from './recording-context';
import { parseContext } from '../../../libs/connectors/src/engine/feed-pass';
import { RecordReader } from '../../../libs/connectors/src/engine/map/record-reader';
import { loadConnector } from '../../../libs/connectors/src/engine/registry';

/** A pattern that fills a text, and the end of the text. */
export interface Payload {
  unit: string;
  end: string;
}

/**
 * Repeated blanks, digits, separators, brackets, markup, entities, diacritics and letters, which can make a parser or
 * pattern backtrack.
 */
export const PAYLOADS: readonly Payload[] = [
  ...[' ', '\t', '\n', ' \n', '\r\n', '\u00a0', '\u2003', '\u200b', ' - ', '\n\n\n\n'],
  ...['0', '9', '1 ', '1.', '1,', "1'", '12/', '1-', '00:', '+1'],
  ...[
    '/',
    '//',
    '\\',
    '-',
    '_',
    '.',
    ',',
    ';',
    ':',
    '|',
    '#',
    '!#',
    '^',
    '~',
    '=',
    '%',
    '%20',
    '?a=1&',
    '@',
    'a@',
    'a.',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '<<',
    '<a',
    '<a ',
    '<!',
    '<!-',
    '<!--',
    '<?',
    '</',
    '<a href="',
    "<a='",
    '<script>',
    '<br>',
    '<p>x</p>',
  ],
  ...['&', '&lt;', '&lt;!', '&amp;', '&amp;lt;', '&#60;', '&#x3c;!', '&eacute;', '&x', '"', "'", '"!#"'],
  ...[
    '\u0301',
    '\u0301\u0323',
    'a\u0301\u0323\u0301',
    '\u00e9',
    'Ã©',
    'â‚¬',
    '\u{1f3e0}',
    '\ufffd',
    '\u00ad',
    '\u1100\u1161',
  ],
  ...[
    'a',
    'A ',
    'http://',
    'https://a.example/',
    'www.',
    'kWh',
    ' kwh',
    'EUR ',
    'no ',
    'nophoto-',
    'T3 ',
    'balcon',
    'terra ',
  ],
].flatMap((unit) => [
  { unit, end: '' },
  { unit, end: 'x' },
]);

/** A text of about `length` UTF-16 units that repeats the payload. */
export function textOf({ unit, end }: Payload, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)) + end;
}

/** The position of a text in a record's bytes. */
export interface Leaf {
  start: number;
  end: number;
  /** The path of the leaf. The mapping reads all leaves of one name in the same way. */
  name: string;
  kind: 'xml' | 'cdata' | 'json' | 'cell';
}

/** One record of a fixture, with all data that its mapping needs. */
export interface FixtureRecord {
  name: string;
  bytes: Buffer;
  leaves: readonly Leaf[];
  /** Maps the record and returns the CPU time in ms. */
  map: (bytes: Buffer) => number;
}

/**
 * The source folder, because the build contains no fixtures; jest and `npm run bench` run in the root of the project.
 */
const SOURCES = join(process.cwd(), 'libs/connectors/src/sources');

/** The records of all fixtures of a connector. */
export async function fixtureRecords(code: string): Promise<FixtureRecord[]> {
  const folder = join(SOURCES, code, '__fixtures__');
  const files = readdirSync(folder).filter((name) => !/\.(?:expected|context)\.json$/.test(name));
  const records = await Promise.all(files.map((file) => recordsOf(loadConnector(code), folder, file)));
  return records.flat();
}

async function recordsOf(connector: Connector, folder: string, file: string): Promise<FixtureRecord[]> {
  const bytes = readFileSync(join(folder, file));
  const beside = join(folder, `${file}.context.json`);
  const { settings = {}, feed = {} } = (
    existsSync(beside) ? JSON.parse(readFileSync(beside, 'utf8')) : {}
  ) as FeedSurroundings;
  const context = { ...feed, ...(await surveyed(connector, bytes)) };
  const records: FixtureRecord[] = [];
  for await (const slice of connector.format.slice(feedDocument(bytes))) {
    if (slice.kind === 'context') context[slice.name] = parseContext({ connector, reader: { feed: context } }, slice);
    if (slice.kind !== 'record') continue;
    const record = Buffer.from(slice.bytes);
    const reader = readerOf(connector, settings, { ...context });
    const name = `${connector.code}/${file} ${records.length + 1}`;
    records.push({ name, bytes: record, leaves: leavesOf(record), map: (changed) => cpuMsOf(reader, changed) });
  }
  return records;
}

function readerOf(
  connector: Connector,
  settings: Readonly<Record<string, string>>,
  feed: Record<string, unknown>,
): RecordReader {
  const hasher = { setContext: () => undefined, hashOf: () => '' };
  const warnings = { note: () => undefined, settle: () => undefined };
  const reader = new RecordReader(connector, settings, hasher, () => false, warnings);
  for (const [name, value] of Object.entries(feed)) reader.setContext(name, value);
  return reader;
}

function cpuMsOf(reader: RecordReader, bytes: Buffer): number {
  const before = process.cpuUsage();
  reader.map({ bytes, line: 1 }, 1, '', { note: () => undefined, settle: () => undefined });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const XML_LEAF = /<([\w:.-]+)(?: [^<>]*)?>([^<>]*)<\//g;
const XML_ATTRIBUTE = /\b([\w:.-]+)="([^"<>]*)"/g;
const CDATA = /<!\[CDATA\[([^\]]*)\]\]>/g;
const JSON_VALUE = /"(\w*)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.]*)/g;
const CELL = /[^\^~|#;!\t"\r\n]+/g;

function leavesOf(record: Buffer): Leaf[] {
  // One unit for each byte.
  const text = record.toString('latin1');
  const leaf = (kind: Leaf['kind'], at: number, length: number, name: string): Leaf => ({
    ...{ kind, name, start: at, end: at + length },
  });
  if (text.startsWith('<')) {
    return [
      ...[...text.matchAll(XML_LEAF)].map(({ 0: all, 1: name = '', 2: inner = '', index }) =>
        leaf('xml', index + all.length - inner.length - 2, inner.length, name),
      ),
      ...[...text.matchAll(XML_ATTRIBUTE)].map(({ 0: all, 1: name = '', 2: inner = '', index }) =>
        leaf('xml', index + all.length - inner.length - 1, inner.length, `@${name}`),
      ),
      ...[...text.matchAll(CDATA)].map(({ 1: inner = '', index }) =>
        leaf('cdata', index + 9, inner.length, `cdata ${index}`),
      ),
    ];
  }
  if (text.startsWith('{')) {
    return [...text.matchAll(JSON_VALUE)].map(({ 0: all, 1: name = '', 2: value = '', index }) =>
      leaf('json', index + all.length - value.length, value.length, name),
    );
  }
  return [...text.matchAll(CELL)].map(({ 0: cell, index }, place) => leaf('cell', index, cell.length, String(place)));
}

/** The record with each given leaf replaced by a text, escaped for the leaf's format. */
export function withText(record: Buffer, leaves: readonly Leaf[], text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, kind } of leaves.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(record.subarray(from, start), Buffer.from(written(text, kind)));
    from = end;
  }
  return Buffer.concat([...parts, record.subarray(from)]);
}

function written(text: string, kind: Leaf['kind']): string {
  switch (kind) {
    case 'xml':
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    case 'cdata':
      return text.replaceAll(']]>', '');
    case 'json':
      return JSON.stringify(text);
    case 'cell':
      return text;
  }
}

/** The growth of a record's mapping time with the length of a text. */
export interface Growth {
  /** The CPU time for the shorter text and for a text four times as long, in ms. */
  smallMs: number;
  largeMs: number;
}

const MOST_TIMES = 6;
const TRIES = 4;

/**
 * Compares the CPU times for a text and for a text four times as long. If the growth looks super-linear, measures both
 * again and uses the shortest times, because the compiler and the garbage collector take time too. Then repeats the
 * comparison with texts four times as long, because exceeding a CPU cache costs time at one size only.
 * @param floorMs shorter times are not compared
 * @returns undefined if the growth is linear, or the time is below the floor
 */
export function superLinear(
  record: FixtureRecord,
  leaves: readonly Leaf[],
  payload: Payload,
  { length, floorMs }: { length: number; floorMs: number },
): Growth | undefined {
  const growth = growthFrom(record, leaves, payload, { length, floorMs });
  return growth && growthFrom(record, leaves, payload, { length: 4 * length, floorMs });
}

function growthFrom(
  { bytes, map }: FixtureRecord,
  leaves: readonly Leaf[],
  payload: Payload,
  { length, floorMs }: { length: number; floorMs: number },
): Growth | undefined {
  const large = withText(bytes, leaves, textOf(payload, length));
  let largeMs = map(large);
  if (largeMs <= floorMs) return undefined;
  const small = withText(bytes, leaves, textOf(payload, length / 4));
  let smallMs = map(small);
  for (let tries = 1; largeMs > floorMs && largeMs > MOST_TIMES * smallMs; tries += 1) {
    if (tries === TRIES) return { smallMs, largeMs };
    largeMs = Math.min(largeMs, map(large));
    smallMs = Math.min(smallMs, map(small));
  }
  return undefined;
}
