import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  AskOperator,
  createClient,
  Expired,
  Failure,
  memoryStore,
  type Property,
  isMassRemoval,
  Refused,
  type RemovalCounts,
  RetryLater,
  type SavedStore,
  syncListings,
} from '../../../clients/typescript/src/index';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { seeded } from '../../support/seeded';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from '../api/api-under-test';

const run = promisify(execFile);
const PACKAGE = join(__dirname, '../../../clients/typescript');
const EMPTY_HASH = createHash('sha256').digest('hex');
const json = (status: number, body: object, headers: Record<string, string> = {}): Mischief => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

// Real: the client, the API, PostgreSQL. Fake: the ingestor, and a proxy that damages answers.
describe('clients/typescript', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let saved: SavedStore | undefined;
  /** The title of each listing on the site. */
  let shown: Map<string, unknown>;

  beforeAll(async () => {
    api = await startApi();
    proxy = await startMisbehavingProxy(api.url);
  });
  afterAll(async () => {
    await proxy.close();
    await api.close();
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    [saved, shown] = [undefined, new Map()];
    gateway = await addGateway(api.database, { listings: someListings(250) });
  });

  const client = (changed: { base?: string; key?: string } = {}): ReturnType<typeof createClient> =>
    createClient({ base: proxy.url, ...gateway, ...changed });

  const publish = async (list: readonly TestListing[]): Promise<void> => {
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
  };

  const titles = (list: readonly TestListing[]): Map<string, unknown> =>
    new Map(list.map(({ affId, intitule }) => [affId, intitule]));

  /** One run of a site. A kill may end the run at any time; the site then loses everything unsaved. */
  function sync({
    isKilled = () => false,
    confirmRemoval,
  }: {
    isKilled?: () => boolean;
    confirmRemoval?: (counts: RemovalCounts) => boolean;
  } = {}): ReturnType<typeof syncListings> {
    proxy.requests.length = 0;
    const die = (): void => {
      if (isKilled()) throw new Error('killed');
    };
    const kept = saved === undefined ? undefined : (JSON.parse(JSON.stringify(saved)) as SavedStore);
    return syncListings({
      client: client(),
      store: memoryStore(kept, (state) => {
        die();
        saved = JSON.parse(JSON.stringify(state)) as SavedStore;
        die();
      }),
      onListing({ affId, intitule }: Property) {
        die();
        shown.set(affId, intitule);
        die();
      },
      onGone(affId) {
        die();
        shown.delete(affId);
        die();
      },
      ...(confirmRemoval !== undefined && { confirmRemoval }),
    });
  }

  const asked = (): string[] => proxy.requests.map(({ method, path }) => `${method} ${path}`);

  it('imports the list, then makes one request when nothing has changed', async () => {
    expect(await sync()).toMatchObject({ isComplete: true, added: 250, updated: 0, removed: 0 });
    expect(shown).toEqual(titles(someListings(250)));
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ status: 'success', count: 250, added: 250 });

    expect(await sync()).toMatchObject({ isComplete: true, added: 0, updated: 0, removed: 0 });
    expect(asked()).toEqual(['HEAD /v1/manifest']);
  });

  it('makes three requests for a few changes, and stores the hash of every listing', async () => {
    await sync();
    const list = [...someListings(250).slice(1), { affId: 'a,b %', intitule: 'new' }];
    await publish(list);

    expect(await sync()).toMatchObject({ added: 1, removed: 1 });
    expect(asked()).toEqual(['HEAD /v1/manifest', 'GET /v1/changes', 'POST /v1/report']);
    expect(shown).toEqual(titles(list));
    expect(saved?.listings.filter(([, { empreinte }]) => empreinte === '')).toEqual([]);
  });

  it('reports to the site whether the photos of a listing have changed', async () => {
    await sync();
    const store = memoryStore(saved);
    const told: unknown[] = [];
    await store.setDone(null);
    await store.note('L-1', { empreinte: 'old', photos: '' });
    await store.note('L-2', { empreinte: 'old', photos: 'old' });
    await store.forget('L-3');
    const onListing = ({ affId }: Property, about: object): void => void told.push([affId, about]);
    await syncListings({ client: client(), store, onListing, onGone: () => undefined });
    expect(told).toEqual([
      ['L-1', { isNew: false, havePhotosChanged: false }],
      ['L-2', { isNew: false, havePhotosChanged: true }],
      ['L-3', { isNew: true, havePhotosChanged: true }],
    ]);
  });

  it('stops when its time is over, and continues in the next run', async () => {
    const store = memoryStore();
    const options = { client: client(), store, onListing: () => undefined, onGone: () => undefined, timeMs: -1 };
    expect(await syncListings(options)).toMatchObject({ isComplete: false, added: 100 });
    expect(await syncListings(options)).toMatchObject({ isComplete: false, added: 100 });
    expect(await syncListings({ ...options, timeMs: 60_000 })).toMatchObject({ isComplete: true, added: 50 });
  });

  it('ends with the right list after kills and publications at any time', async () => {
    const next = seeded(7);
    let list: TestListing[] = someListings(30);
    await publish(list);
    for (let round = 0; round < 40; round += 1) {
      let steps = next(60);
      await sync({ isKilled: () => (steps -= 1) < 0, confirmRemoval: () => true }).catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'killed') throw error;
      });
      list = list.filter(() => next(10) > 0);
      if (next(10) > 2) list = [...list, { affId: `N${String(round)}`, intitule: 'new' }];
      if (next(2) > 0) await publish(list);
    }
    await publish(list);
    await sync({ confirmRemoval: () => true });
    expect(shown).toEqual(titles(list));
    await sync();
    expect(asked()).toHaveLength(1);
  });

  it.each<[string, Mischief, abstract new (...args: never[]) => Failure, object]>([
    ['a truncated body', 'cut', RetryLater, {}],
    ['a truncated body that looks complete', 'torn', RetryLater, {}],
    ['a connection that breaks', 'drop', RetryLater, { status: 0 }],
    ['an outage', json(500, { status: 'error' }, { 'retry-after': '7' }), RetryLater, { retryAfterSeconds: 7 }],
    ['a bad gateway', { status: 502, body: '<html>' }, RetryLater, { retryAfterSeconds: 60 }],
    ['an HTML page of a web host', { status: 200, body: '<html>parked</html>' }, RetryLater, {}],
    ['a wrong key', json(401, { status: 'error', message: 'no' }), AskOperator, { status: 401, message: 'no' }],
    ['a disabled gateway', json(403, { status: 'error' }), AskOperator, { status: 403 }],
    ['a redirect', { status: 301, headers: { location: 'https://x.example' } }, RetryLater, {}],
    ['a bad request', json(400, { status: 'error' }), Refused, {}],
    ['an expired token', json(400, { status: 'error', detail: { reason: 'expired' } }), Expired, {}],
    ['an empty list without a hash', json(200, { status: 'success', data: [], meta: { total: 0 } }), RetryLater, {}],
    [
      'an empty list with the total of a full list',
      json(200, { status: 'success', data: [], meta: { total: 250, snapshot: 'x', hash: EMPTY_HASH } }),
      RetryLater,
      {},
    ],
    ['an unexpected 304', { status: 304 }, RetryLater, {}],
  ])('throws the right failure for %s, and removes nothing', async (_name, mischief, kind, about) => {
    await sync();
    const before = new Map(shown);
    const { snapshot } = (await client().current())!;
    proxy.mischief = () => mischief;
    for (const call of [
      () => client().manifest(),
      () => client().listings(['L-1', 'L-2'], snapshot),
      () => client().changes(snapshot),
    ]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(kind);
      expect(failure).toMatchObject(about);
    }
    saved = { done: null, listings: saved?.listings ?? [] };
    await expect(sync()).rejects.toBeInstanceOf(kind);
    expect(shown).toEqual(before);
  });

  it.each<[string, (removed: object[]) => { data: object[]; total: number }]>([
    ['no changes with a total of 0', () => ({ data: [], total: 0 })],
    ['fewer changes than the total', (removed) => ({ data: removed.slice(1), total: removed.length })],
    ['no changes with a total above 0', (removed) => ({ data: [], total: removed.length })],
    ['the same change twice', (removed) => ({ data: [removed[0]!, removed[0]!], total: removed.length })],
  ])('falls back to the manifest when the API sends %s', async (_name, lie) => {
    await sync();
    const list = someListings(248);
    await publish(list);
    proxy.mischief = async ({ path }) => {
      if (path !== '/v1/changes') return 'pass';
      const { snapshot } = (await createClient({ base: api.url, ...gateway }).current())!;
      const { data, total } = lie(['L-249', 'L-250'].map((affId) => ({ affId, change: 'removed' })));
      return json(200, { status: 'success', data, meta: { snapshot, total, total_pages: 1 } });
    };
    expect(await sync()).toMatchObject({ isComplete: true, removed: 2 });
    expect(shown).toEqual(titles(list));
    expect(asked()).toContain('GET /v1/manifest');
  });

  it.each([
    [0, 0, false],
    [1, 1, true],
    [2, 3, false],
    [2, 4, false],
    [3, 4, true],
    [5, 10, false],
    [6, 30, false],
    [7, 30, true],
    [50, 250, false],
    [51, 250, true],
  ])('counts %i removals of %i listings as a mass removal: %s', (removed, of, isMass) => {
    expect(isMassRemoval(removed, of)).toBe(isMass);
  });

  it("holds the removal of all listings even when count and hash are right, and keeps the site's listings", async () => {
    await sync();
    await publish(someListings(251));
    const meta = { total: 0, snapshot: 'x', hash: EMPTY_HASH };
    proxy.mischief = ({ path, method }) =>
      path === '/v1/manifest' && method === 'GET'
        ? json(200, { status: 'success', data: [], meta })
        : path === '/v1/changes'
          ? json(400, { status: 'error', detail: { reason: 'expired' } })
          : 'pass';
    const removal = { removed: 250, approved: 0, of: 250, snapshot: 'x' };
    expect(await sync()).toEqual({
      ...{ isComplete: false, held: true, removal },
      ...{ snapshot: '', added: 0, updated: 0, removed: 0 },
    });
    expect(shown).toEqual(titles(someListings(250)));
  });

  it('holds a mass removal until a person confirms its counts; meanwhile it updates listings and adds none', async () => {
    await sync();
    const list = [...someListings(250).slice(60), { affId: 'new', intitule: 'new' }];
    const changed = list.map((one) => (one.affId === 'L-100' ? { ...one, intitule: 'other' } : one));
    await publish(changed);
    const result = await sync({ confirmRemoval: () => false });
    expect(result).toMatchObject({ held: true, added: 0, updated: 1, removed: 0 });
    expect([shown.size, shown.get('L-100')]).toEqual([250, 'other']);
    const asked: RemovalCounts[] = [];
    const confirmRemoval = (counts: RemovalCounts): boolean => asked.push(counts) > 0;
    expect(await sync({ confirmRemoval })).toMatchObject({ isComplete: true, held: false, added: 1, removed: 60 });
    expect(asked).toEqual([result.removal]);
    expect(shown).toEqual(titles(changed));
  });

  it.each([
    [60, true],
    [5, false],
  ])('accepts a mass removal of 60 when operators approved %i of them: %s', async (count, isLetThrough) => {
    await sync();
    await publish(someListings(250).slice(60));
    proxy.mischief = async ({ path, query, headers }) => {
      if (path !== '/v1/changes') return 'pass';
      const honest = await fetch(`${api.url}${path}?${query.toString()}`, { headers: { key: String(headers['key']) } });
      const { data, ...rest } = (await honest.json()) as { data: object[] };
      return json(200, { ...rest, data: data.map((one, at) => ({ ...one, approved: at < count })) });
    };
    expect(await sync()).toMatchObject({ held: !isLetThrough, removed: isLetThrough ? 60 : 0 });
    expect(shown.size).toBe(isLetThrough ? 190 : 250);
  });

  it('refuses a page that lacks a listing, and sends no key over plain HTTP', async () => {
    const { snapshot } = (await client().current())!;
    await expect(client().listings(['L-1', 'gone'], snapshot)).rejects.toBeInstanceOf(RetryLater);
    await expect(client({ key: 'wrong' }).feed()).rejects.toMatchObject({ name: 'AskOperator', status: 401 });
    expect(() => client({ base: 'http://listings.example' })).toThrow('https://');
  });

  it.each([
    ['one listing twice and the other listing missing', ['L-1', 'L-1']],
    ['another listing instead of a requested listing', ['L-1', 'L-3']],
    ['one additional listing', ['L-1', 'L-2', 'L-3']],
    ['all requested listings, one of them twice', ['L-1', 'L-2', 'L-2']],
  ])('refuses a page with %s, and stores none of its listings', async (_name, sent) => {
    const { snapshot } = (await client().current())!;
    const answer = json(200, { status: 'success', data: sent.map((affId) => ({ affId })), meta: { snapshot } });
    proxy.mischief = ({ path }) => (path === '/v1/properties' ? answer : 'pass');
    await expect(client().listings(['L-1', 'L-2'], snapshot)).rejects.toBeInstanceOf(RetryLater);
    await publish(someListings(2));
    await expect(sync()).rejects.toBeInstanceOf(RetryLater);
    expect(shown).toEqual(new Map());
    proxy.mischief = () => 'pass';
    await sync();
    expect(shown).toEqual(titles(someListings(2)));
  });

  it('reads the state of the feed and of a listing', async () => {
    expect(await client().feed()).toMatchObject({ state: 'fresh', total: 250 });
    expect(await client().history('L-7')).toMatchObject({ affId: 'L-7', state: 'listed' });
  });

  it('works as an installed package, in ES modules and in CommonJS, with types', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packed-'));
    try {
      const clone = join(folder, 'clone');
      const { stdout: files } = await run(
        'git',
        ['ls-files', '-co', '--exclude-standard', '.', '../../tsconfig.json'],
        {
          cwd: PACKAGE,
        },
      );
      for (const file of files.trim().split('\n')) {
        await cp(join(PACKAGE, file), join(clone, 'clients/typescript', file), { recursive: true });
      }
      await symlink(join(PACKAGE, '../../node_modules'), join(clone, 'node_modules'));
      await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(clone, 'clients/typescript') });
      const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
      const { stdout: packed } = await run('tar', ['-tzf', join(folder, archive)]);
      for (const file of ['README.md', 'LICENSE', 'dist/esm/index.js', 'dist/cjs/index.js', 'dist/cjs/index.d.ts']) {
        expect(packed.split('\n')).toContain(`package/${file}`);
      }
      const site = join(folder, 'site');
      await mkdir(site);
      await writeFile(join(site, 'package.json'), '{"private":true}');
      await run('npm', ['install', '--silent', '--offline', '--no-audit', join('..', archive)], { cwd: site });
      const { crm, client: slug, key } = gateway;
      for (const [name, program] of [
        ['sync.mjs', IMPORTS + PROGRAM],
        ['sync.cjs', REQUIRES + PROGRAM],
      ] as const) {
        await writeFile(join(site, name), program);
        const { stdout } = await run(process.execPath, [name, api.url, crm, slug, key, `${name}.jsonl`], { cwd: site });
        expect(JSON.parse(stdout)).toMatchObject({ isComplete: true, added: 250, listings: 250 });
      }
      for (const name of ['typed.mts', 'typed.cts']) await writeFile(join(site, name), TYPED);
      const compiler = createRequire(__filename).resolve('@typescript/native-preview/package.json');
      const tsc = join(dirname(compiler), 'bin/tsgo');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
      await run(process.execPath, [tsc, ...options, 'typed.mts', 'typed.cts'], { cwd: site }).catch(
        (error: unknown) => {
          throw new Error((error as { stdout: string }).stdout);
        },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

const IMPORTS = `
import { createClient, syncListings } from '@passerelle/client';
import { openFileStore } from '@passerelle/client/file-store';
`;
const REQUIRES = `
const { createClient, syncListings } = require('@passerelle/client');
const { openFileStore } = require('@passerelle/client/file-store');
`;
const PROGRAM = `
const [base, crm, client, key, file] = process.argv.slice(2);
const listings = new Map();
(async () => {
  const result = await syncListings({
    client: createClient({ base, crm, client, key }),
    store: await openFileStore(file),
    onListing: (listing) => listings.set(listing.affId, listing),
    onGone: (affId) => listings.delete(affId),
  });
  console.log(JSON.stringify({ ...result, listings: listings.size }));
})();
`;

const TYPED = `
import { createClient, type Change, type Property } from '@passerelle/client';
import { type FileStore, openFileStore } from '@passerelle/client/file-store';
const listings: Promise<Property[]> = createClient({ base: '', crm: '', client: '', key: '' }).listings([], '');
const url: Promise<string | undefined> = listings.then(([first]) => first?.photos?.[0]?.url);
const store: Promise<FileStore> = openFileStore('x');
function typed(listing: Property, change: Change): void {
  const price: number | undefined = listing.prix;
  const town: string | undefined = listing.ville;
  const letter: string | undefined = change.property?.dpeClasse;
  const affId: string = change.affId;
  // @ts-expect-error a price is a number
  const wrong: string = listing.prix ?? 0;
  // @ts-expect-error there is no such field
  listing.noField;
  console.log(price, town, letter, affId, wrong);
}
export { store, typed, url };
`;
