import type { Answer } from '../../support/answer';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  rawOf,
  type SeededGateway,
  someListings,
  startApi,
} from './api-under-test';
import { until } from '../../support/waiting';

// Real: HTTP, PostgreSQL and its notifications. Fake: the ingestor, which the tests replace.
let api: ApiUnderTest;
let gateway: SeededGateway;
const LISTINGS = someListings(120);

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: LISTINGS });
});
afterAll(() => api.close());

const list = (query = '', from = gateway) => api.get(`/v1/properties?${from.query}${query}`, from.headers);

describe('GET /v1/properties', () => {
  it('serves the first 50 normalized listings in the feed order by default', async () => {
    const answer = await list();

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: LISTINGS.slice(0, 50),
      meta: { page: 1, per_page: 50, total: 120, total_pages: 3, crm: gateway.crm, client: gateway.client },
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-cache': 'HIT',
      'x-listings-api-version': '1',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-length': String(Buffer.byteLength(answer.text)),
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['&page=3', LISTINGS.slice(100), { page: 3, per_page: 50, total_pages: 3 }],
    ['&page=2&per_page=7', LISTINGS.slice(7, 14), { page: 2, per_page: 7, total_pages: 18 }],
    ['&per_page=200', LISTINGS, { page: 1, per_page: 200, total_pages: 1 }],
    ['&per_page=1&page=120', LISTINGS.slice(119), { page: 120, per_page: 1, total_pages: 120 }],
    ['&format=normalized', LISTINGS.slice(0, 50), { page: 1, per_page: 50, total_pages: 3 }],
    ['&format=raw', LISTINGS.slice(0, 50).map(rawOf), { page: 1, per_page: 50, total_pages: 3 }],
  ])('serves %s', async (query, data, meta) => {
    const answer = await list(query);

    expect(answer.body.data).toEqual(data);
    expect(answer.body.meta).toEqual({ ...meta, total: 120, crm: gateway.crm, client: gateway.client });
  });

  it.each(['&page=4', '&page=9007199254740991', '&page=9007199254740991&per_page=200'])(
    'serves an empty page past the end: %s',
    async (query) => {
      const answer = await list(query);

      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual([]);
      expect(answer.body.meta.total).toBe(120);
    },
  );

  it('reports 0 pages for a gateway whose feed is empty', async () => {
    const empty = await addGateway(api.database, { listings: [] });
    const answer = await list('', empty);

    expect(answer.body.data).toEqual([]);
    expect(answer.body.meta).toMatchObject({ total: 0, total_pages: 0 });
  });

  it('gives the same answer from PostgreSQL and from memory, except for the request id', async () => {
    const query = '&page=2&per_page=11';
    const [first, second] = [await list(query), await list(query)];

    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect({ ...second.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    expect(Object.keys(second.headers).sort()).toEqual(Object.keys(first.headers).sort());
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const path = `/v1/properties?${gateway.query}`;
    const head = await api.send('HEAD', path, { headers: { ...gateway.headers, 'x-request-id': 'same' } });
    const get = await api.get(path, { ...gateway.headers, 'x-request-id': 'same' });

    expect(head.status).toBe(200);
    // Ignore headers of the connection, which the test's client closes after a HEAD.
    const lasting = ({ headers }: Answer) =>
      Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
    expect(lasting(head)).toEqual(lasting(get));
  });

  it('ignores unknown parameters, even repeated ones', async () => {
    expect((await list('&utm=1&utm=2&__proto__=x&constructor=y')).status).toBe(200);
  });

  it('serves a new snapshot as soon as it is published, and takes each page from one snapshot', async () => {
    const other = await addGateway(api.database, { listings: someListings(3) });
    expect((await list('', other)).body.data).toHaveLength(3);

    await publishListings(api.database, other.id, someListings(5));

    await until(async () => (await list('', other)).body.data.length === 5);
    expect((await list('', other)).body.meta.total).toBe(5);
  });

  it('serves different pages to fifty readers at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => list(`&per_page=3&page=${(index % 40) + 1}`)),
    );

    answers.forEach((answer, index) => {
      const start = (index % 40) * 3;
      expect(answer.body.data).toEqual(LISTINGS.slice(start, start + 3));
    });
    expect(new Set(answers.map((answer) => answer.body.request_id)).size).toBe(50);
  });
});

describe('X-Cache', () => {
  const askedRuns = async (id: number): Promise<string[]> => {
    const rows = await api.testDatabase.query<{ trigger: string }>(
      `SELECT trigger FROM run WHERE gateway_id = $1 AND state = 'queued' ORDER BY id`,
      [id],
    );
    return rows.map(({ trigger }) => trigger);
  };

  it('is MISS when the last confirmation is older than the time to live, and one refresh is requested', async () => {
    const stale = await addGateway(api.database, { listings: someListings(2) });
    await api.testDatabase.query(`UPDATE gateway SET confirmed_at = now() - interval '3601 seconds' WHERE id = $1`, [
      stale.id,
    ]);

    await until(async () => (await list('', stale)).headers['x-cache'] === 'MISS');
    const answers = await Promise.all([
      list('', stale),
      api.get(`/v1/properties/L-1?${stale.query}`, stale.headers),
      api.get(`/?variable1=${stale.crm}&variable2=${stale.client}`, stale.headers),
    ]);

    expect(answers.map(({ status, headers }) => [status, headers['x-cache']])).toEqual(Array(3).fill([200, 'MISS']));
    await until(async () => (await askedRuns(stale.id)).length > 0);
    expect(await askedRuns(stale.id)).toEqual(['stale-read']);
  });

  it('changes to MISS for cached pages too', async () => {
    const ageing = await addGateway(api.database, { listings: someListings(2) });
    await api.testDatabase.query(`UPDATE gateway SET confirmed_at = now() - interval '3596 seconds' WHERE id = $1`, [
      ageing.id,
    ]);
    const cacheState = async () => (await list('', ageing)).headers['x-cache'];
    expect(await cacheState()).toBe('HIT');

    // A late notification of the gateway may drop the cached state. The API then reads the state again, so the loop
    // skips time again. Real time alone would need four seconds, which is longer than this loop waits.
    await until(async () => {
      await cacheState();
      api.clock.skip(4_500);
      return (await cacheState()) === 'MISS';
    });
  });
});

describe('gateway without a snapshot', () => {
  it('answers 500 with Retry-After instead of an empty list, and requests a first import', async () => {
    const fresh = await addGateway(api.database);
    const answers = await Promise.all([
      list('', fresh),
      api.get(`/v1/properties/L-1?${fresh.query}`, fresh.headers),
      api.get(`/?variable1=${fresh.crm}&variable2=${fresh.client}`, fresh.headers),
    ]);

    for (const { status, headers, body } of answers) {
      expect(status).toBe(500);
      expect(body.code).toBe('INTERNAL_ERROR');
      expect(headers['retry-after']).toBe('30');
    }
    const runs = await api.database.runHistory.list({ gatewayId: fresh.id, limit: 9 });
    expect(runs.map(({ trigger, state }) => [trigger, state])).toEqual([['first-read', 'queued']]);
  });

  it('makes the first reader wait, and answers as soon as the import is published', async () => {
    const patient = await startApi({}, { firstReadWaitMs: 60_000 });
    try {
      const fresh = await addGateway(patient.database);
      const answer = patient.get(`/v1/properties?${fresh.query}`, fresh.headers);
      await until(async () => (await patient.database.runHistory.list({ gatewayId: fresh.id, limit: 1 })).length === 1);
      await publishListings(patient.database, fresh.id, someListings(4));

      expect((await answer).body.meta.total).toBe(4);
    } finally {
      await patient.close();
    }
  });
});
