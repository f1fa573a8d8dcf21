import { PassThrough } from 'node:stream';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Connector, tryFeed } from '@passerelle/connectors';
import type { PagedFetch, PushedFetch } from '../../../libs/connectors/src/kit/contracts';
import { describeConnector } from '../../support/connectors/describe-connector';
import { readRecords } from '../../support/connectors/read-records';
import { startFeedServer } from '../../support/feed-server';
import { promptForKind } from '../../../tools/new-connector/prompt';
import { connectorFiles } from '../../../tools/new-connector/files';
import { simulatorFiles } from '../../../tools/new-connector/simulator';
import { CONNECTOR_KINDS } from '../../../tools/new-connector/kinds';

const ROOT = join(__dirname, '..', '..', '..');
// A copy of the repository's structure: new folders in `sources/` beside the kit and the formats, and simulators beside
// their server.
const tree = mkdtempSync(join(tmpdir(), 'new-connector-'));
const root = join(tree, 'libs', 'connectors', 'src');
for (const name of [
  ...['libs/connectors/src/kit', 'libs/connectors/src/formats', 'tools/simulator/answers.ts'],
  ...['tools/simulator/misbehaviour.ts', 'test/simulated/apis/api-server.ts', 'test/simulated/simulated-source.ts'],
]) {
  mkdirSync(dirname(join(tree, name)), { recursive: true });
  symlinkSync(join(ROOT, name), join(tree, name));
}

afterAll(() => {
  rmSync(tree, { recursive: true });
});

function write(files: Readonly<Record<string, string>>, folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Loads the connector from a file that the test has just written. */
function load(path: string): { connector: Connector } {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- nothing can be imported that is not there yet
  return require(path) as { connector: Connector };
}

describe.each(CONNECTOR_KINDS)('new connector of type %s', (kind) => {
  const folder = join(root, 'sources', `new-${kind}`);
  write(connectorFiles(`new-${kind}`, kind), folder);
  const { connector } = load(join(folder, 'connector.ts'));

  describeConnector(connector, { fixturesDir: join(folder, '__fixtures__') });

  it('states its code, type and version', () => {
    const type = kind === 'details' || kind === 'pushed' ? 'api' : kind;
    expect(connector).toMatchObject({ code: `new-${kind}`, type, version: 1 });
  });
});

describe.each(['api', 'details', 'pushed'] as const)('simulator of a new connector of type %s', (kind) => {
  const files = simulatorFiles(`new-${kind}`, kind);
  write(files, tree);

  it('is one file with a spec', () => {
    expect(Object.keys(files)).toEqual([`test/simulated/apis/new-${kind}.ts`, `test/simulated/new-${kind}.spec.ts`]);
  });

  load(join(tree, 'test', 'simulated', `new-${kind}.spec.ts`));
});

it.each(['xml', 'zip', 'custom'] as const)('a document of type %s needs no simulator', (kind) => {
  expect(simulatorFiles('new', kind)).toEqual({});
});

it.each(['xml', 'api'] as const)(
  'a new connector of type %s accepts custom names for its root and record',
  async (kind) => {
    const folder = join(root, 'sources', `named-${kind}`);
    const files = connectorFiles(`named-${kind}`, kind, { root: 'ads', record: 'ad' });
    write(files, folder);
    const { connector } = load(join(folder, 'connector.ts'));
    const feed = files[`__fixtures__/feed.${kind === 'xml' ? 'xml' : 'json'}`] ?? '';
    const { records } = await readRecords(connector, Buffer.from(feed));
    expect(records.map((record) => 'listing' in record && record.listing.affId)).toEqual(['1001', '1002', '1003']);
    expect(JSON.stringify(files)).not.toContain('<listing>');
  },
);

it('a new connector of type api reads all pages with its token', async () => {
  const { connector } = load(join(root, 'sources', 'new-api', 'connector.ts'));
  const ids = Array.from({ length: 250 }, (_, index) => String(index + 1));
  const server = await startFeedServer(({ url = '' }) => {
    const query = new URL(url, 'http://crm').searchParams;
    const [page, size] = ['page', 'per_page'].map((name) => Number(query.get(name))) as [number, number];
    const listings = ids.slice((page - 1) * size, page * size).map((id) => ({ id }));
    return { body: JSON.stringify({ total: ids.length, listings }) };
  });
  const trial = await tryFeed(connector, {
    ...{ url: server.url, isFile: false, inboxDir: '.', allowPrivate: new Set([server.hostAndPort]) },
    ...{ settings: {}, credentials: { token: 't' } },
  });
  await server.close();
  expect(trial.listings.map(({ listing }) => listing.affId)).toEqual(ids);
  expect(trial.incomplete).toBeNull();
  // Compare the set of tokens, because the reader may repeat requests until the pages form one consistent list.
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t']));
});

it('a new connector of type details requests each listing separately, and rejects the answer for another listing', async () => {
  const { connector } = load(join(root, 'sources', 'new-details', 'connector.ts'));
  const ids = ['1', '2', 'a/b'];
  const server = await startFeedServer(({ url = '' }) => {
    const id = decodeURIComponent(/feed\.xml\/(.+)$/.exec(url)?.[1] ?? '');
    const summaries = ids.map((one) => ({ id: one, updated: '2026-03-01 10:00:00' }));
    return {
      body: JSON.stringify(id === '' ? { total: ids.length, listings: summaries } : { id, city: `Town ${id}` }),
    };
  });
  const trial = await tryFeed(connector, {
    ...{ url: server.url, isFile: false, inboxDir: '.', allowPrivate: new Set([server.hostAndPort]) },
    ...{ settings: {}, credentials: { token: 't' } },
  });
  await server.close();
  expect(trial.listings.map(({ listing }) => [listing.affId, listing.ville, listing.dateModification])).toEqual(
    ids.map((id) => [id, `Town ${id}`, '2026-03-01T10:00:00']),
  );
  const { record } = (connector.fetch as PagedFetch).details!;
  expect(() => record(Buffer.from('{"id":"1"}'), Buffer.from('{"id":"2"}'))).toThrow('another listing');
  expect(() => record(Buffer.from('{"id":"1"}'), Buffer.from('<html>'))).toThrow('not a listing');
});

it('a new connector of type pushed reads the listing that a webhook names as a feed of one listing', async () => {
  const { connector } = load(join(root, 'sources', 'new-pushed', 'connector.ts'));
  const { webhook, list, ...fetch } = connector.fetch as PushedFetch;
  const source = { url: 'https://crm.example/listings', credentials: { token: 't' }, settings: {} };
  const client = {} as Parameters<PushedFetch['prepare']>[1];
  expect(fetch.record('a/b', await fetch.prepare(source, client))).toEqual({
    url: 'https://crm.example/listings/a%2Fb',
    headers: { authorization: 'Bearer t' },
  });
  const { records } = await readRecords(connector, fetch.document!(Buffer.from('{"id":"7"}'), '7'));
  expect(records).toMatchObject([{ listing: { affId: '7' }, scope: '7' }]);
  expect(() => fetch.document!(Buffer.from('<html>'), '7')).toThrow('not a listing');
  expect([webhook.ids, list?.kind]).toEqual([['id'], 'pages']);
});

describe('type of a new connector', () => {
  const asked = (answer: string, isTTY = true): Promise<string> =>
    promptForKind(Object.assign(new PassThrough().end(`${answer}\n`), { isTTY }), new PassThrough());

  it.each([
    ['4', 'details'],
    ['pushed', 'pushed'],
    ['', 'xml'],
  ])('comes from the answer to a question: "%s" is %s', async (answer, kind) => {
    expect(await asked(answer)).toBe(kind);
  });

  it('cannot be "7" or "soap", and is xml when there is no terminal for the question', async () => {
    await expect(asked('7')).rejects.toThrow('not one of the shapes');
    await expect(asked('soap')).rejects.toThrow('not one of the shapes');
    expect(await asked('4', false)).toBe('xml');
  });
});
