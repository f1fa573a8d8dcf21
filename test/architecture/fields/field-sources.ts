import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '@passerelle/connectors';
import { LISTING_FIELDS } from '@passerelle/domain';
import { type RecordContext, RecordError } from '../../../libs/connectors/src/kit/contracts';
import type { ListingMapping } from '../../../libs/connectors/src/kit/listing-mapping';
import { NUMBERS } from '../../../libs/connectors/src/kit/number-style';
import { isAbsent, type MappedField } from '../../../libs/connectors/src/kit/verbs';
import { feedDocument } from '../../support/connectors/feed-document';
import { surveyed } from '../../support/connectors/read-records';
import { type FeedSurroundings, recordingContext } from '../../support/connectors/recording-context';
import { tracedRecord } from './traced-record';

/** If the mapping reads at most this many paths for a field, the field's page names all of them. */
const TELLING_PATHS = 5;
const SOURCES = join(__dirname, '..', '..', '..', 'libs', 'connectors', 'src', 'sources');

/** The origin of a listing's field, in the feed's own names. */
export interface FieldSource {
  /** Paths in the record. Empty if the mapping does not read the field from the record. */
  paths: string[];
  /** Names of gateway settings, and of values outside the records. */
  beside: string[];
  isAbsent: boolean;
  /** The reason, if the field is absent. */
  absence: string | undefined;
  /** Whether a fixture contains the field. */
  isSeen: boolean;
}

/** Runs the mapping of a connector over its fixtures, and records which paths it reads for each field. */
export async function fieldSources(connector: Connector): Promise<Map<MappedField, FieldSource>> {
  const folder = join(SOURCES, connector.code);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the folders are only known now
  const { MAPPING } = require(join(folder, 'mapping')) as { MAPPING: ListingMapping<unknown> };
  const fields = LISTING_FIELDS.filter(
    (field): field is MappedField => field !== 'passerelleName' && field !== 'mentions',
  );
  const sources = new Map(
    fields.map((field): [MappedField, FieldSource] => {
      const { paths, verb } = MAPPING[field];
      const absence = isAbsent(MAPPING[field]) ? verb.replace(/^absent: /, '') : undefined;
      return [field, { paths: [...paths], beside: [], isAbsent: absence !== undefined, absence, isSeen: false }];
    }),
  );
  for (const { record, context } of await fixtureRecords(connector, join(folder, '__fixtures__'))) {
    for (const [field, source] of sources) follow(MAPPING, field, source, record, context);
  }
  return sources;
}

function follow(
  mapping: ListingMapping<unknown>,
  field: MappedField,
  source: FieldSource,
  record: unknown,
  context: RecordContext,
): void {
  const { verb } = mapping[field];
  const isFollowed =
    /^(computed|together|first|photos|when|beside|setting|currency|features|links|range|periodic)$/.test(verb);
  const note = (list: string[]) => (path: string) => {
    if (isFollowed && path !== NUMBERS && !list.includes(path)) list.push(path);
  };
  const looked: string[] = [];
  const value = mapping[field].read(tracedRecord(record, note(looked)), {
    ...context,
    settings: tracedRecord(context.settings, note(source.beside)),
    feed: tracedRecord(context.feed, note(source.beside)),
  });
  if (value !== undefined) source.isSeen = true;
  const decide = (path: string): boolean =>
    !isDeepStrictEqual(mapping[field].read(withoutPath(record, path), context), value);
  // A function that computes many fields reads more paths than each field needs.
  const isNarrowed = looked.length > TELLING_PATHS || verb === 'together';
  for (const path of isNarrowed ? looked.filter(decide) : looked) note(source.paths)(path);
}

/** A copy of the record without the path. In a list, the path is removed from every element. */
function withoutPath(record: unknown, path: string): unknown {
  const copy = structuredClone(record);
  const keys = path.replace(/\.\*$/, '').split('.');
  const cut = (value: unknown, at: number, isRow: boolean): void => {
    if (Array.isArray(value) && !isRow) for (const element of value) cut(element, at, false);
    else if (typeof value === 'object' && value !== null) {
      const key = keys[at] ?? '';
      if (at === keys.length - 1) Reflect.set(value, key, isRow ? '' : undefined);
      else cut(Reflect.get(value, key), at + 1, false);
    }
  };
  cut(copy, 0, Array.isArray(copy));
  return copy;
}

async function fixtureRecords(
  connector: Connector,
  folder: string,
): Promise<{ record: unknown; context: RecordContext }[]> {
  const records: { record: unknown; context: RecordContext }[] = [];
  for (const name of readdirSync(folder).filter((file) => !/\.(expected|context)\.json$/.test(file))) {
    const beside = join(folder, `${name}.context.json`);
    const surroundings = existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as FeedSurroundings) : {};
    const { context, setFeed } = recordingContext(connector.code, surroundings);
    const bytes = readFileSync(join(folder, name));
    for (const [found, value] of Object.entries(await surveyed(connector, bytes))) setFeed(found, value);
    for await (const slice of connector.format.slice(feedDocument(bytes))) {
      if (slice.kind === 'context') {
        const parse = connector.format.parseContext;
        setFeed(
          slice.name,
          slice.name.startsWith('#') ? slice.bytes.toString('latin1') : parse?.(slice.name, slice.bytes, context.feed),
        );
      } else if (slice.kind === 'record') {
        const record = parsed(connector, slice.bytes, context);
        if (record !== undefined) records.push({ record, context: { ...context, feed: { ...context.feed } } });
      }
    }
  }
  return records;
}

function parsed(connector: Connector, bytes: Buffer, context: RecordContext): unknown {
  try {
    return connector.format.parse(bytes, context);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}
