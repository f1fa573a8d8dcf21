import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { RETENTION } from '@passerelle/domain';
import type { Answer } from '../../support/answer';
import { shortHash } from '../../support/published-lists';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from './api-under-test';

// Real: PostgreSQL, and the API. Fake: the ingestor, which is a function. Every answer is checked against
// openapi.json.
let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  gateway = await addGateway(api.database, { listings: someListings(10) });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  api.get(`${path}${path.includes('?') ? '&' : '?'}${gateway.query}`, { ...gateway.headers, ...headers });
const token = async () => (await get('/v1/manifest')).headers['x-snapshot'] ?? '';
const publish = async (listings: readonly TestListing[]) => {
  await publishListings(api.database, gateway.id, listings);
  await untilServed(api.testDatabase, gateway, [api.url]);
};
const idsOf = (answer: Answer) => answer.body.data.map(({ affId }: TestListing) => affId);

describe('headers of lists', () => {
  it('name the snapshot, its size, and the times of its publication and confirmation', async () => {
    for (const path of ['/v1/properties', '/v1/properties/L-1', '/v1/manifest']) {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        'x-snapshot': expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        'x-snapshot-total': '10',
        'x-confirmed-at': expect.stringMatching(/^\d{4}-.*Z$/),
        'last-modified': expect.stringMatching(/ GMT$/),
        'cache-control': 'private, no-cache',
        etag: expect.stringMatching(/^W\/".+"$/),
      });
    }
  });
});

describe('snapshot parameter', () => {
  it('selects the snapshot of its token, whatever has been published since', async () => {
    const pinned = await token();
    await publish(someListings(3));
    const pages = await Promise.all(
      [1, 2].map((page) => get(`/v1/properties?per_page=5&page=${page}&snapshot=${pinned}`)),
    );
    expect(pages.flatMap(idsOf)).toEqual(someListings(10).map(({ affId }) => affId));
    expect(pages[0]?.headers).toMatchObject({ 'x-cache': 'MISS', 'x-snapshot': pinned, 'x-snapshot-total': '10' });
    const one = await get(`/v1/properties/L-9?snapshot=${pinned}`);
    expect([one.status, one.headers['x-cache']]).toEqual([200, 'MISS']);
    expect((await get('/v1/properties/L-9')).status).toBe(404);
  });

  it('is in all links, so that they lead to pages of the same snapshot', async () => {
    const pinned = await token();
    const links = (page: number) =>
      get(`/v1/properties?per_page=4&page=${page}`).then(({ headers }) => headers['link']);
    const to = (page: number, relation: string) =>
      `</v1/properties?${gateway.query}&page=${page}&per_page=4&format=normalized&snapshot=${pinned}>; rel="${relation}"`;
    expect(await links(2)).toBe([to(1, 'first'), to(1, 'prev'), to(3, 'next'), to(3, 'last')].join(', '));
    expect(await links(3)).toBe([to(1, 'first'), to(2, 'prev'), to(3, 'last')].join(', '));
    expect(await links(9)).toBe([to(1, 'first'), to(3, 'prev'), to(3, 'last')].join(', '));
  });

  it.each(['nonsense', '', 'a\u0000b'])('refuses the token "%s" and names the current token', async (unknown) => {
    const answer = await get(`/v1/properties?snapshot=${encodeURIComponent(unknown)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toEqual({ parameter: 'snapshot', reason: 'expired', current: await token() });
  });

  it("refuses another gateway's token, and a token whose listings are no longer kept", async () => {
    const old = await token();
    const stranger = await addGateway(api.database, { listings: someListings(1) });
    const foreign = (await api.get(`/v1/properties?${stranger.query}`, stranger.headers)).headers['x-snapshot'];
    expect((await get(`/v1/properties?snapshot=${foreign}`)).body.detail.reason).toBe('expired');
    for (let count = 1; count <= RETENTION.snapshots.count; count += 1) await publish(someListings(count));
    await api.testDatabase.query('UPDATE snapshot SET published_at = published_at - make_interval(hours => $1)', [
      RETENTION.snapshots.hours + 1,
    ]);
    expect(await api.database.snapshots.prune(gateway.id)).toBe(1);
    expect((await get(`/v1/manifest?snapshot=${old}`)).body.detail.reason).toBe('expired');
  });
});

describe('conditional and compressed answers', () => {
  it.each(['/v1/properties?per_page=3', '/v1/properties/L-2', '/v1/manifest', '/v1/properties?ids=L-1,L-2'])(
    'are 304 when the reader has the current ETag: %s',
    async (path) => {
      for (const encoding of ['identity', 'gzip']) {
        const first = await get(path);
        const again = await get(path, { 'if-none-match': first.headers['etag'] ?? '', 'accept-encoding': encoding });
        expect([again.status, again.text]).toEqual([304, '']);
        for (const name of ['etag', 'x-snapshot', 'x-cache', 'cache-control', 'last-modified', 'x-snapshot-total']) {
          expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
        }
      }
      await publish(someListings(10, { prix: 1 }));
      expect((await get(path, { 'if-none-match': 'W/"x"' })).status).toBe(200);
    },
  );

  it('are 200 again after the list has changed', async () => {
    const { headers } = await get('/v1/manifest');
    await publish(someListings(4));
    expect((await get('/v1/manifest', { 'if-none-match': headers['etag'] ?? '' })).status).toBe(200);
  });

  it('have no body for HEAD', async () => {
    for (const path of ['/v1/properties', '/v1/manifest', `/v1/changes?since=${await token()}`, '/v1/feed']) {
      const url = `${path}${path.includes('?') ? '&' : '?'}${gateway.query}`;
      const answer = await api.send('HEAD', url, { headers: gateway.headers });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });

  it.each(['/v1/properties', '/v1/manifest', '/v1/properties/L-1', '/openapi.json', '/?v0'])(
    'are one gzip member on request: %s',
    async (path) => {
      await publish(someListings(40, { commentaires: 'Belle propriété près de la forêt. '.repeat(40) }));
      const { crm, client } = gateway;
      const query = path === '/?v0' ? `/?variable1=${crm}&variable2=${client}` : `${path}?${gateway.query}`;
      const plain = await api.get(query, { ...gateway.headers, 'x-request-id': 'same' });
      for (let round = 0; round < 3; round += 1) {
        const headers = { ...gateway.headers, 'accept-encoding': 'gzip', 'x-request-id': 'same' };
        const response = await request(api.url + query, { headers });
        const bytes = Buffer.from(await response.body.arrayBuffer());
        expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
        expect(bytes.length).toBeLessThan(plain.text.length);
        expect(gunzipSync(bytes).toString()).toBe(plain.text);
      }
    },
  );
});

describe('ids parameter', () => {
  it("finds the existing listings in the snapshot's order, and counts them", async () => {
    const answer = await get('/v1/properties?ids=L-7,nobody,L-2,L-7');
    expect(idsOf(answer)).toEqual(['L-2', 'L-7']);
    const { crm, client } = gateway;
    expect(answer.body.meta).toEqual({ page: 1, per_page: 200, total: 2, total_pages: 1, crm, client });
  });

  it('finds listings in a pinned snapshot and in the raw format', async () => {
    const pinned = await token();
    await publish(someListings(1));
    expect(idsOf(await get(`/v1/properties?ids=L-3&snapshot=${pinned}&format=raw`))).toEqual(['L-3']);
    expect(idsOf(await get('/v1/properties?ids=L-3'))).toEqual([]);
  });

  it('accepts identifiers with commas, percent signs and spaces, each encoded once, or the whole list encoded again', async () => {
    const odd = ['a,b', '100%', 'é à', 'x+y', '%2C'];
    await publish(odd.map((affId) => ({ affId })));
    const list = odd.map(encodeURIComponent).join(',');
    expect(idsOf(await get(`/v1/properties?ids=${list}`))).toEqual(odd);
    expect(idsOf(await get(`/v1/properties?ids=${encodeURIComponent(list)}`))).toEqual(odd);
    expect(idsOf(await get('/v1/properties?ids=100%25'))).toEqual(['100%']);
  });

  it.each([
    ['ids', 'ids='],
    ['ids', `ids=${Array.from({ length: 201 }, (_, n) => n).join()}`],
    ['ids', 'ids=a&ids=b'],
    ['page', 'ids=a&page=1'],
    ['per_page', 'ids=a&per_page=5'],
  ])('causes an error that names %s when the request is invalid', async (parameter, query) => {
    const answer = await get(`/v1/properties?${query}`);
    expect([answer.status, answer.body.detail.parameter]).toEqual([400, parameter]);
  });
});

describe('GET /v1/manifest', () => {
  it('has one line per listing, and a hash over all lines', async () => {
    const answer = await get('/v1/manifest');
    const lines = someListings(10).map((listing) => ({
      affId: listing.affId,
      empreinte: shortHash(JSON.stringify(listing)),
    }));
    expect(answer.body.data).toEqual(lines);
    const hash = createHash('sha256');
    for (const { affId, empreinte } of lines) hash.update(`${affId}\t${empreinte}\t\n`);
    expect(answer.body.meta).toEqual({
      ...{ snapshot: answer.headers['x-snapshot'], total: 10, hash: hash.digest('hex') },
      confirmed_at: answer.headers['x-confirmed-at'],
      published_at: expect.stringMatching(/Z$/),
    });
  });

  it('has the hash of an empty text for an empty list', async () => {
    await publish([]);
    const { body } = await get('/v1/manifest');
    expect([body.data, body.meta.total, body.meta.hash]).toEqual([[], 0, createHash('sha256').digest('hex')]);
  });
});

describe('GET /v1/changes', () => {
  it('lists removed, added and changed listings, page by page', async () => {
    const since = await token();
    await publish([...someListings(8), { affId: 'new', affNum: 'N' }]);
    const until = await token();
    const answer = await get(`/v1/changes?since=${since}&per_page=3`);
    expect(answer.body.meta).toMatchObject({ since, snapshot: until, removed: 2, added: 1, changed: 0, total: 3 });
    const at = expect.any(String) as string;
    expect(answer.body.data).toEqual([
      { affId: 'L-10', affNum: 'REF 10', change: 'removed', at, reason: 'absent', approved: false },
      { affId: 'L-9', affNum: 'REF 9', change: 'removed', at, reason: 'absent', approved: false },
      {
        ...{ affId: 'new', affNum: 'N', change: 'added', at, approved: false },
        ...{
          empreinte: shortHash(JSON.stringify({ affId: 'new', affNum: 'N' })),
          property: { affId: 'new', affNum: 'N' },
        },
      },
    ]);
    expect((await get(`/v1/changes?since=${since}&per_page=2&page=2`)).body.data).toMatchObject([{ affId: 'new' }]);
    expect((await get(`/v1/changes?since=${since}&page=9`)).body.data).toEqual([]);
  });

  it('is empty for a reader that has the current snapshot', async () => {
    const since = await token();
    const answer = await get(`/v1/changes?since=${since}`);
    expect([answer.body.data, answer.body.meta.total]).toEqual([[], 0]);
  });

  it('refuses an unknown token, and a token that is newer than the target snapshot', async () => {
    const old = await token();
    await publish(someListings(2));
    const current = await token();
    expect((await get('/v1/changes?since=nonsense')).body.detail).toEqual({
      ...{ parameter: 'since', reason: 'expired', current },
    });
    const backwards = await get(`/v1/changes?since=${current}&snapshot=${old}`);
    expect([backwards.status, backwards.body.detail.parameter]).toEqual([400, 'since']);
    expect((await get('/v1/changes')).body.detail.parameter).toBe('since');
  });
});

describe('GET /v1/feed', () => {
  const feed = async () => (await get('/v1/feed')).body.data;
  const told = () => new Promise((resolve) => setTimeout(resolve, 100));

  it('reports fresh while the last confirmation is recent, then stale', async () => {
    expect(await feed()).toMatchObject({ state: 'fresh', reason: null, total: 10, snapshot: await token() });
    await api.testDatabase.query(`UPDATE gateway SET confirmed_at = now() - interval '2 hours' WHERE id = $1`, [
      gateway.id,
    ]);
    // A confirmation sends no notification, so the API may read it up to five seconds later.
    const deadline = Date.now() + 30_000;
    while ((await feed()).state === 'fresh' && Date.now() < deadline) await told();
    expect(await feed()).toMatchObject({ state: 'stale', reason: { code: 'not_confirmed' } });
  });

  it("reports that the source fails, and the site's report, without internal details", async () => {
    await api.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops' });
    const fence = (await api.database.leases.acquire(gateway.id, 'test', 60)) ?? 0;
    const run = await api.database.runs.claim(gateway.id, fence);
    const reason = 'https://user:secret@crm.example answered 401';
    const figures = {
      fetchedBytes: 0,
      records: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      rejected: 0,
      warnings: 0,
    };
    await api.database.runs.end(run!, { state: 'failed', reason, reasonCode: 'fix-access', figures });
    await api.database.schedule.noteFailure(gateway.id, () => 1000);
    const report = { crm: gateway.crm, client: gateway.client, status: 'success', count: 10, plugin: 'P/1' };
    await api.send('POST', '/v1/report', { headers: gateway.headers, body: report });
    const answer = await get('/v1/feed');
    expect(answer.body.data).toMatchObject({
      ...{ state: 'failing', since: expect.any(String), reason: { code: 'fix-access' } },
      last_run: { state: 'failed' },
      consumer: { status: 'success', count: 10, plugin: 'P/1' },
    });
    expect(answer.text).not.toMatch(/secret|crm\.example/);
  });

  it('shows the reason and the end of a pause, but not the operator', async () => {
    const { pauses } = api.database;
    const scope = { gatewayId: gateway.id, crm: null, host: null };
    const before = (await feed()).state;
    expect(await feed()).toMatchObject({ paused: null, next_run_at: expect.any(String) });
    await pauses.set(scope, { until: null, reason: 'They move.', by: 'zoe@agence' });
    const answer = await get('/v1/feed');
    expect(answer.body.data).toMatchObject({ state: before, next_run_at: null });
    expect(answer.body.data.paused).toEqual({ since: expect.any(String), until: null, reason: 'They move.' });
    expect(answer.text).not.toContain('zoe@agence');
    await pauses.set(scope, { until: new Date('2099-01-01T00:00:00Z'), reason: null, by: 'zoe@agence' });
    const until = expect.stringMatching(/^2099-01-01T00:00:00/) as unknown;
    expect(await feed()).toMatchObject({ paused: { until, reason: null }, next_run_at: until });
    await pauses.end(scope);
    expect((await feed()).paused).toBeNull();
  });

  it('reports a failed first import immediately to the first reader', async () => {
    gateway = await addGateway(api.database);
    await api.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops' });
    const fence = (await api.database.leases.acquire(gateway.id, 'test', 60)) ?? 0;
    const run = await api.database.runs.claim(gateway.id, fence);
    const figures = {
      fetchedBytes: 0,
      records: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      rejected: 0,
      warnings: 0,
    };
    await api.database.runs.end(run!, { state: 'failed', reason: 'no', reasonCode: 'retry', figures });
    await api.database.schedule.noteFailure(gateway.id, () => 1000);
    const answer = await get('/v1/properties');
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.body.detail).toMatchObject({ state: 'failing', reason: { code: 'retry' }, retry_after_seconds: 30 });
    expect(answer.headers['retry-after']).toBe('30');
    expect((await get('/v1/feed')).body.data.state).toBe('failing');
  });

  it('reports the state "never" before the first import', async () => {
    gateway = await addGateway(api.database);
    expect(await feed()).toMatchObject({ state: 'never', snapshot: null, total: null, confirmed_at: null });
  });
});

describe('GET /v1/properties/{id}/history', () => {
  it('shows the position of a listing, or why it was removed', async () => {
    expect((await get('/v1/properties/L-3/history')).body.data).toMatchObject({
      ...{ id: 'L-3', affId: 'L-3', state: 'listed', position: 3, total: 10 },
      changes: [{ change: 'added' }],
    });
    await publish(someListings(2));
    expect((await get(`/v1/properties/${encodeURIComponent('REF 3')}/history`)).body.data).toMatchObject({
      ...{ affId: 'L-3', state: 'removed', explanation: 'The feed no longer has it.' },
      changes: [{ change: 'removed', reason: 'absent', approved: false }, { change: 'added' }],
    });
    expect((await get('/v1/properties/a%00b/history')).body.data).toMatchObject({ state: 'unknown', changes: [] });
  });
});
