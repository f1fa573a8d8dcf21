import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feedDocument } from '../../../../../test/support/connectors/feed-document';
import { aLineConnector, lineFormat } from '../../../../../test/support/connectors/fake-connectors';
import { type FeedSurroundings, surveyed } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { type Connector, RecordError } from '../../kit/contracts';
import type { PhotoIntake } from '../contracts';
import { withAddressesOnly } from '../photos/photo-files';
import { loadRegistry } from '../registry';
import { finishListing } from './finished-listing';
import { digest, mappingKeyOf, mappingOf } from './record-hash';
import { canRemap, type StoredListing, StoredRecords } from './stored-records';
import { TextBlocks } from './text-blocks';

/**
 * By connector: `since`, the records of its fixtures that only the source can map, and a digest of the members of their
 * raw records. If the mapping now needs more, the last two change: raise `since` to the new version. If only a fixture is
 * new, write the new values here.
 */
const SUFFICIENT: Readonly<Record<string, string>> = {
  alto: '8 1 a213997f',
  apimo: '15 0 be3900a5',
  blm: '17 0 e87d30bd',
  idealista: '7 5 60f66426',
  idx: '14 0 99db6279',
  immobiliare: '10 32 d692d6dd',
  inmovilla: '6 0 74e393c3',
  is24: '5 2 b59c624f',
  kyero: '11 0 a33124e5',
  netty: '7 0 13b50556',
  omnicasa: '6 1 647a921e',
  onoffice: '5 1 e1249ebd',
  poliris: '14 0 2f5c38be',
  propstack: '5 1 4023c101',
  realforce: '8 0 783cfb6d',
  realworks: '8 29 31fb4bdd',
  reapit: '6 6 c9d7336d',
  reso: '15 0 4748edca',
  skarabee: '6 2 96fedb23',
  swissretsjson: '4 3 2745e145',
  ubiflow: '14 0 b367ccb2',
  whise: '12 0 89cfc1f1',
};
const SOURCES = join(__dirname, '../../sources');
/** Fixtures have no archive, so no file was ever stored. */
const NO_PHOTOS: PhotoIntake = {
  key: 'https://photos.example',
  store: (wanted) =>
    Promise.resolve(
      wanted.map(({ name, folder }) => ({
        ...{ name, folder, sizeBytes: null, crc32: null },
        outcome: { kind: 'missing' as const },
      })),
    ),
};

/** Maps every record of a connector's fixtures like a run, and again from what a run would have stored. */
async function mapTwice(connector: Connector) {
  const result = { same: 0, left: 0, differing: [] as string[], members: new Set<string>() };
  const folder = join(SOURCES, connector.code, '__fixtures__');
  for (const name of readdirSync(folder).filter((one) => !/\.(?:expected|context)\.json$/.test(one))) {
    const bytes = readFileSync(join(folder, name));
    const file = join(folder, `${name}.context.json`);
    const surroundings = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as FeedSurroundings;
    const { context, setFeed } = recordingContext(connector.code, surroundings);
    for (const [key, value] of Object.entries(await surveyed(connector, bytes))) setFeed(key, value);
    for await (const slice of connector.format.slice(feedDocument(bytes))) {
      if (slice.kind === 'context')
        setFeed(slice.name, connector.format.parseContext?.(slice.name, slice.bytes, context.feed));
      if (slice.kind !== 'record') continue;
      const stored = storedListing(connector, slice.bytes, context);
      if (stored === undefined) continue;
      for (const member of membersOf(JSON.parse(stored.raw))) result.members.add(member);
      const { remap } = connector;
      const names = remap !== undefined && 'since' in remap ? (remap.beside ?? []) : [];
      const beside = Object.fromEntries(names.map((key) => [key, context.feed[key]]));
      const kept = JSON.parse(JSON.stringify(beside)) as Record<string, unknown>;
      const again = await new StoredRecords(connector, context.settings, kept, NO_PHOTOS).map(stored, '');
      const isSame = again?.normalized.toString() === stored.normalized && again.raw.toString() === stored.raw;
      if (again === null) result.left += 1;
      else if (isSame) result.same += 1;
      else result.differing.push(`${name}: ${stored.affId}`);
    }
  }
  return result;
}

/** The names of all members of a record, with those above them. */
function membersOf(value: unknown, above = ''): string[] {
  if (typeof value !== 'object' || value === null) return [above];
  const entries = Array.isArray(value) ? value.map((one: unknown) => ['', one] as const) : Object.entries(value);
  return entries.flatMap(([name, member]) => membersOf(member, `${above}.${name}`));
}

function storedListing(
  connector: Connector,
  bytes: Buffer,
  context: Parameters<Connector['map']>[1],
): StoredListing | undefined {
  try {
    const record = connector.format.parse(bytes, context);
    const raw = connector.format.toRaw(record, context);
    const mapped = connector.map(record, context);
    if (mapped.kind !== 'listing') return undefined;
    const listing = withAddressesOnly(mapped.listing, () => undefined);
    const finished = finishListing(listing, raw, connector.code, new TextBlocks());
    const texts = { normalized: finished.normalized.toString(), raw: finished.raw.toString() };
    return { affId: finished.affId, scope: mapped.scope ?? '', ...texts };
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

describe('StoredRecords and the fixtures of every connector', () => {
  it('map a record from its stored raw form to the same texts as from the source, or leave it to the source', async () => {
    const differing: Record<string, string[]> = {};
    const sufficient: Record<string, string> = {};
    const useless: string[] = [];
    const undeclared: string[] = [];
    for (const connector of (await loadRegistry()).list()) {
      if (connector.remap === undefined) undeclared.push(connector.code);
      if (connector.remap === undefined || 'not' in connector.remap) continue;
      const twice = await mapTwice(connector);
      if (twice.differing.length > 0) differing[connector.code] = twice.differing;
      if (twice.same === 0) useless.push(connector.code);
      const digestOfMembers = digest([...twice.members].sort().join('\n')).slice(0, 8);
      sufficient[connector.code] = `${String(connector.remap.since)} ${String(twice.left)} ${digestOfMembers}`;
    }
    expect({ differing, useless, undeclared }).toEqual({ differing: {}, useless: [], undeclared: [] });
    expect(sufficient).toEqual(SUFFICIENT);
  }, 60_000);
});

describe('StoredRecords', () => {
  const stored: StoredListing = {
    ...{ affId: '1', scope: '' },
    normalized: '{"affId":"1","passerelleName":"lines","ville":"Lyon","photos":[]}',
    raw: '{"affId":"1","passerelleName":"lines","town":"Lyon"}',
  };
  const mapWith = async (map: Connector['map'], one = stored): Promise<string | undefined> => {
    const connector = aLineConnector({
      map,
      format: { ...lineFormat, toRaw: (record) => Object.fromEntries(Object.entries(record)) },
    });
    return (await new StoredRecords(connector, {}, {}, NO_PHOTOS).map(one, 'hash'))?.normalized.toString();
  };
  const listing = (more: object): ReturnType<Connector['map']> => ({
    kind: 'listing',
    listing: { affId: '1', passerelleName: 'lines', ville: 'Lyon', photos: [], ...more },
  });

  it('maps a listing with a new field', async () => {
    expect(await mapWith(() => listing({ pays: 'FR' }))).toContain('"pays":"FR"');
  });

  it.each<[string, Connector['map'], StoredListing]>([
    ['throws', () => assertNever(), stored],
    ['withdraws the record', () => ({ kind: 'withdrawn', affId: '1', message: 'sold' }), stored],
    ['gives another identifier', () => listing({ affId: '2' }), stored],
    ['gives another agency', () => ({ ...listing({}), scope: 'other' }), stored],
    ['loses a field', () => listing({ ville: undefined }), stored],
    [
      'loses a photo',
      () => listing({}),
      { ...stored, normalized: stored.normalized.replace('[]', '[{"url":"https://a.example/1.jpg"}]') },
    ],
    [
      'replaces a stored photo by an address',
      () => listing({ photos: [{ url: 'https://a.example/1.jpg', empreinte: 'a' }] }),
      { ...stored, normalized: stored.normalized.replace('[]', '[{"url":"https://photos.example/media/1.jpg"}]') },
    ],
  ])('leaves a record to the source when its mapping %s', async (_what, map, one) => {
    expect(await mapWith(map, one)).toBeUndefined();
  });
});

function assertNever(): never {
  throw new TypeError('cannot read a member of undefined');
}

describe('canRemap', () => {
  const source = { url: 'https://a.example', credentials: {}, settings: {} };
  const connector = { ...aLineConnector(), version: 7, remap: { since: 5 } };
  const memory = (mappedAs: string) => ({
    ...{ mappedAs, mappingKey: mappingKeyOf(connector, source, '', mappedAs), beside: {} },
  });

  it('is true for a mapping whose raw records have everything', () => {
    expect(canRemap(connector, source, memory('5.1'))).toBe(true);
  });

  it('is true after a change of the addresses to which enquiries and letters go', () => {
    const settings = { 'lead-email': 'crm@a.example', 'digest-email': 'agency@a.example' };
    expect(canRemap(connector, { ...source, settings }, memory('6.1'))).toBe(true);
  });

  it.each([
    ['an earlier mapping', connector, source, memory('4.1')],
    ['the same mapping', connector, source, memory(mappingOf(connector))],
    ['other settings', connector, { ...source, settings: { pays: 'FR' } }, memory('6.1')],
    ['elements beside the records that are not kept', connector, source, { ...memory('6.1'), beside: undefined }],
    ['a connector that says no', { ...connector, remap: { not: 'a reason' } }, source, memory('6.1')],
    ['no memory', connector, source, {}],
  ])('is false for %s', (_what, one, from, known) => {
    expect(canRemap(one, from, known as never)).toBe(false);
  });
});
