import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandOnPath } from '../../support/command-on-path';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from '../api/api-under-test';

const run = promisify(execFile);
const CLIENT = join(__dirname, '../../../clients/php/Passerelle.php');

/** Calls one method and prints its result. */
const DRIVER = `<?php
declare(strict_types=1);
error_reporting(E_ALL);
set_error_handler(function ($n, $text) { throw new ErrorException($text); });
require ${JSON.stringify(CLIENT)};
[$base, $crm, $client, $key, $method, $arguments] = array_slice($argv, 1);
try {
    $api = new Passerelle\\Client($base, $crm, $client, $key, 'Test/1.0; https://site.example');
    $arguments = json_decode($arguments, true);
    if ($method === 'removal') {
        [$have, $since, $confirmed] = $arguments;
        $arguments = [$have, $api->manifest(), $since, fn(array $counts): bool => $counts['removed'] === $confirmed];
    }
    $result = $api->$method(...$arguments);
    echo json_encode(['result' => $result, 'requests' => $api->requests]);
} catch (Passerelle\\Failure $failure) {
    $retryAfter = $failure instanceof Passerelle\\RetryLater ? ['retryAfter' => $failure->retryAfter] : [];
    echo json_encode(['failure' => get_class($failure), 'code' => $failure->getCode(), 'message' => $failure->getMessage()] + $retryAfter);
}
`;

interface Outcome {
  result: unknown;
  requests: number;
  failure?: string;
  code?: number;
  message?: string;
  retryAfter?: number;
}

interface PhpManifest {
  snapshot: string;
  etag: string;
  lines: [affId: string, empreinte: string, photos: string][];
}

const EMPTY_HASH = createHash('sha256').digest('hex');
const json = (status: number, body: object, headers: Record<string, string> = {}): Mischief => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

// Real: PHP and the client, the API, PostgreSQL. Fake: the ingestor, and a proxy that damages answers.
(commandOnPath('php') ? describe : describe.skip)('clients/php/Passerelle.php', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let folder: string;

  beforeAll(async () => {
    api = await startApi();
    proxy = await startMisbehavingProxy(api.url);
    folder = await mkdtemp(join(tmpdir(), 'php-client-'));
    await writeFile(join(folder, 'driver.php'), DRIVER);
  });
  afterAll(async () => {
    await proxy.close();
    await api.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    gateway = await addGateway(api.database, { listings: someListings(250) });
  });

  async function call(
    method: string,
    args: unknown[] = [],
    { base = proxy.url, key = gateway.key } = {},
  ): Promise<Outcome> {
    const { crm, client } = gateway;
    proxy.requests.length = 0;
    const program = join(folder, 'driver.php');
    const { stdout } = await run('php', [program, base, crm, client, key, method, JSON.stringify(args)], {
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout) as Outcome;
  }

  const manifest = async (etag = ''): Promise<PhpManifest> => (await call('manifest', [etag])).result as PhpManifest;

  it('returns a checked manifest, or null when nothing has changed', async () => {
    const first = await manifest();
    expect(first.lines).toHaveLength(250);
    expect(first.lines[0]).toEqual(['L-1', expect.stringMatching(/^[0-9a-f]{16}$/), '']);
    expect(proxy.requests[0]?.headers).toMatchObject({
      'accept-encoding': expect.stringContaining('gzip'),
      'user-agent': 'Test/1.0; https://site.example',
    });

    expect((await call('manifest', [first.etag])).result).toBeNull();
    await publishListings(api.database, gateway.id, someListings(251));
    await untilServed(api.testDatabase, gateway, [api.url]);
    expect((await manifest(first.etag)).lines).toHaveLength(251);
  });

  it('holds a mass removal, even when count and hash are right, until it is approved or a person confirms it', async () => {
    const since = (await manifest()).snapshot;
    const have = someListings(250).map(({ affId }) => affId);
    const ids = ['12', ...have.slice(0, 59)];
    await publishListings(api.database, gateway.id, someListings(250).slice(59));
    await untilServed(api.testDatabase, gateway, [api.url]);
    const removalOf = async (confirmed: number): Promise<unknown> =>
      (await call('removal', [['12', ...have], since, confirmed])).result;
    const counts = { removed: 60, of: 251, snapshot: (await manifest()).snapshot };
    expect(await removalOf(59)).toEqual({ ...counts, held: true, ids: [], approved: 0 });
    expect(await removalOf(60)).toEqual({ ...counts, held: false, ids, approved: 0 });
    proxy.mischief = async ({ path, query, headers }) => {
      if (path !== '/v1/changes') return 'pass';
      const honest = await fetch(`${api.url}${path}?${query.toString()}`, { headers: { key: String(headers['key']) } });
      const { data, ...rest } = (await honest.json()) as { data: object[] };
      return json(200, { ...rest, data: data.map((one) => ({ ...one, approved: true })) });
    };
    expect(await removalOf(-1)).toEqual({ ...counts, held: false, ids, approved: 59 });
    proxy.mischief = ({ path }) =>
      path === '/v1/manifest'
        ? json(200, { status: 'success', data: [], meta: { total: 0, snapshot: since, hash: EMPTY_HASH } })
        : 'pass';
    expect(await removalOf(-1)).toMatchObject({ held: true, ids: [], removed: 251, of: 251 });
  });

  it('returns all listings from one snapshot, whatever was published since', async () => {
    const strange = ['a,b', 'c d%', 'é/ü?&=#+', '12'].map((affId) => ({ affId, intitule: affId }));
    await publishListings(api.database, gateway.id, strange);
    await untilServed(api.testDatabase, gateway, [api.url]);
    const { snapshot, lines } = await manifest();
    await publishListings(api.database, gateway.id, someListings(3));
    await untilServed(api.testDatabase, gateway, [api.url]);

    const { result } = await call('listings', [lines.map(([affId]) => affId), snapshot]);
    expect(result).toEqual(strange);
  });

  it('requests a hundred listings at a time', async () => {
    const { snapshot, lines } = await manifest();
    const { result, requests } = await call('listings', [lines.map(([affId]) => affId), snapshot]);
    expect([(result as unknown[]).length, requests]).toEqual([250, 3]);
  });

  it('returns the changes since a snapshot, or null when there are too many', async () => {
    const { snapshot } = await manifest();
    await publishListings(api.database, gateway.id, someListings(248).slice(1).concat({ affId: 'new' }));
    await untilServed(api.testDatabase, gateway, [api.url]);

    const { result } = await call('changes', [snapshot]);
    const { changes } = result as { changes: { affId: string; change: string }[] };
    const removed = changes.filter(({ change }) => change === 'removed').map(({ affId }) => affId);
    expect(removed.sort()).toEqual(['L-1', 'L-249', 'L-250']);
    expect(changes.at(-1)).toMatchObject({ affId: 'new', change: 'added', property: { affId: 'new' } });
    expect(changes).toHaveLength(4);
    expect((await call('changes', [snapshot, '', 3])).result).toBeNull();
  });

  it('refuses changes of another list, and changes whose number differs from the reported one', async () => {
    const { snapshot } = await manifest();
    const list = someListings(248);
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
    const { snapshot: next } = await manifest();
    const removed = (affId: string): object => ({ affId, change: 'removed' });
    const lie = (data: object[], total: number): Mischief =>
      json(200, { status: 'success', data, meta: { snapshot: next, total, total_pages: 1 } });
    for (const [data, total] of [
      [[], 2],
      [[removed('L-249')], 2],
      [[removed('L-249'), removed('L-249')], 2],
    ] as const) {
      proxy.mischief = () => lie([...data], total);
      expect(await call('changes', [snapshot, next])).toMatchObject({ failure: 'Passerelle\\RetryLater' });
    }
    proxy.mischief = () => lie([], 0);
    expect(await call('changes', [snapshot, next])).toMatchObject({ result: null });
    expect(await call('changes', [next, next])).toMatchObject({ result: { snapshot: next, changes: [] } });
  });

  it('reads the state of the feed and of a listing, and sends reports', async () => {
    expect((await call('feed')).result).toMatchObject({ state: 'fresh', total: 250 });
    expect((await call('history', ['L-7'])).result).toMatchObject({ affId: 'L-7', state: 'listed' });
    expect(await call('report', [{ status: 'success', count: 250, plugin: 'test 1' }])).toEqual({
      result: null,
      requests: 1,
    });
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ count: 250, plugin: 'test 1' });
  });

  it.each<[string, Mischief, Partial<Outcome>]>([
    ['a truncated body', 'cut', { failure: 'Passerelle\\RetryLater' }],
    ['a truncated body that looks complete', 'torn', { failure: 'Passerelle\\RetryLater' }],
    ['a connection that breaks', 'drop', { failure: 'Passerelle\\RetryLater', code: 0 }],
    [
      'an outage',
      json(500, { status: 'error' }, { 'retry-after': '7' }),
      { failure: 'Passerelle\\RetryLater', retryAfter: 7 },
    ],
    [
      'an exceeded rate limit',
      json(429, { status: 'error' }, { 'retry-after': '3' }),
      { failure: 'Passerelle\\RetryLater', retryAfter: 3 },
    ],
    ['a bad gateway', { status: 502, body: '<html>' }, { failure: 'Passerelle\\RetryLater', retryAfter: 60 }],
    ['an HTML page of a web host', { status: 200, body: '<html>parked</html>' }, { failure: 'Passerelle\\RetryLater' }],
    [
      'a wrong key',
      json(401, { status: 'error', message: 'no' }),
      { failure: 'Passerelle\\AskOperator', code: 401, message: 'no' },
    ],
    ['a disabled gateway', json(403, { status: 'error' }), { failure: 'Passerelle\\AskOperator', code: 403 }],
    [
      'a redirect to another address',
      { status: 301, headers: { location: 'https://x.example' } },
      { failure: 'Passerelle\\AskOperator' },
    ],
    ['a bad request', json(400, { status: 'error', detail: { parameter: 'crm' } }), { failure: 'Passerelle\\Refused' }],
    [
      'an expired token',
      json(400, { status: 'error', detail: { reason: 'expired' } }),
      { failure: 'Passerelle\\Expired' },
    ],
    [
      'an empty list without a hash',
      json(200, { status: 'success', data: [], meta: { total: 0 } }),
      { failure: 'Passerelle\\RetryLater' },
    ],
    [
      'an empty list with the total of a full list',
      json(200, { status: 'success', data: [], meta: { total: 250, snapshot: 'x', hash: EMPTY_HASH } }),
      { failure: 'Passerelle\\RetryLater' },
    ],
    [
      'an answer with an unexpected structure',
      json(200, { status: 'success', data: ['x', 1, null], meta: [] }),
      { failure: 'Passerelle\\RetryLater' },
    ],
    ['an answer without data', json(200, { status: 'success' }), { failure: 'Passerelle\\RetryLater' }],
    ['an unexpected 304', { status: 304 }, { failure: 'Passerelle\\RetryLater' }],
  ])('throws the right failure for %s, and returns no data', async (_name, mischief, expected) => {
    const { snapshot } = await manifest();
    proxy.mischief = () => mischief;
    for (const [method, args] of [
      ['manifest', []],
      ['listings', [['L-1', 'L-2'], snapshot]],
      ['changes', [snapshot]],
    ] as const) {
      expect({ method, ...(await call(method, [...args])) }).toMatchObject({ method, ...expected });
    }
  });

  it('refuses a page that lacks a requested listing', async () => {
    const { snapshot } = await manifest();
    expect(await call('listings', [['L-1', 'gone'], snapshot])).toMatchObject({ failure: 'Passerelle\\RetryLater' });
  });

  it('throws Expired for an unknown token, and AskOperator for a wrong key', async () => {
    expect(await call('listings', [['L-1'], 'unknown'])).toMatchObject({ failure: 'Passerelle\\Expired', code: 400 });
    expect(await call('feed', [], { key: 'wrong' })).toMatchObject({ failure: 'Passerelle\\AskOperator', code: 401 });
  });

  it('sends no key over plain HTTP to another machine', async () => {
    expect(await call('feed', [], { base: 'http://listings.example' })).toMatchObject({
      failure: 'Passerelle\\AskOperator',
      message: expect.stringContaining('https://'),
    });
  });
});
