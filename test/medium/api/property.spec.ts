import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

const IDS = [
  'A1',
  'a b',
  'a/b',
  '../status',
  '100%',
  '%2F',
  'é à œ',
  '日本',
  'x?y#z',
  "o'hara;&=+",
  '.',
  'NaN',
  '__proto__',
];

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, {
    listings: [
      ...IDS.map((affId, index) => ({ affId, affNum: `N${index}` })),
      { affId: 'first', affNum: 'twice' },
      { affId: 'second', affNum: 'twice' },
      { affId: 'loser', affNum: 'A1' },
      { affId: 'long', affNum: 'n'.repeat(3_000) },
    ],
  });
});
afterAll(() => api.close());

const one = (path: string) => api.get(`/v1/properties/${path}?${gateway.query}`, gateway.headers);

describe('GET /v1/properties/{id}', () => {
  it.each(IDS.filter((id) => id !== '.'))('finds the affId "%s", percent-encoded once', async (id) => {
    const answer = await one(encodeURIComponent(id));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: { affId: id, affNum: `N${IDS.indexOf(id)}` },
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.headers['x-cache']).toBe('HIT');
  });

  it.each(['GET', 'HEAD'])('answers 304 without a body to a %s with the current ETag', async (method) => {
    const { headers } = await one('A1');
    const path = `/v1/properties/A1?${gateway.query}`;
    for (const tag of [headers['etag'] ?? '', '*']) {
      const again = await api.send(method, path, { headers: { ...gateway.headers, 'if-none-match': tag } });
      expect([again.status, again.text, again.headers['content-length']]).toEqual([304, '', undefined]);
      expect(again.headers).toMatchObject({ etag: headers['etag'], 'x-snapshot': headers['x-snapshot'] });
    }
  });

  it('finds a listing by its affNum', async () => {
    expect((await one('N3')).body.data.affId).toBe(IDS[3]);
  });

  it('prefers a match of affId to a match of affNum', async () => {
    expect((await one('A1')).body.data.affId).toBe('A1');
  });

  it("finds the first listing in the feed's order when an affNum repeats", async () => {
    expect((await one('twice')).body.data.affId).toBe('first');
  });

  it('finds long identifiers', async () => {
    expect((await one('n'.repeat(3_000))).body.data.affId).toBe('long');
  });

  it.each(['unknown', 'a1', '%00', 'A1%00', '%252F%252F', 'n'.repeat(5_000), 'null', '%F0%9F%92%A9'])(
    'answers NOT_FOUND for %.20s',
    async (id) => {
      const answer = await one(id);

      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe('NOT_FOUND');
    },
  );

  it.each(['%', '%zz', '%E9', '%C3%28'])('answers BAD_REQUEST for %s, which is invalid encoding', async (id) => {
    expect((await one(id)).body.code).toBe('BAD_REQUEST');
  });

  it('answers 404 to an empty identifier and to an unencoded slash', async () => {
    expect((await one('')).status).toBe(404);
    expect((await one('a/b')).status).toBe(404);
  });

  it('does not find the listings of another gateway', async () => {
    const other = await addGateway(api.database, { listings: [{ affId: 'theirs' }] });

    expect((await one('theirs')).status).toBe(404);
    expect((await api.get(`/v1/properties/theirs?${other.query}`, other.headers)).status).toBe(200);
  });

  it('checks parameters before the key and the key before the listing', async () => {
    expect((await api.get('/v1/properties/unknown?crm=kyero')).status).toBe(400);
    expect((await api.get(`/v1/properties/A1?${gateway.query}`, { key: 'wrong' })).status).toBe(401);
    expect((await api.get(`/v1/properties/unknown?${gateway.query}`)).status).toBe(401);
  });

  it('returns the normalized listing, whatever `format` is', async () => {
    expect((await api.get(`/v1/properties/A1?${gateway.query}&format=raw`, gateway.headers)).body.data).toEqual({
      affId: 'A1',
      affNum: 'N0',
    });
  });

  it('answers HEAD', async () => {
    const head = await api.send('HEAD', `/v1/properties/A1?${gateway.query}`, { headers: gateway.headers });

    expect([head.status, head.headers['x-cache']]).toEqual([200, 'HIT']);
  });
});
