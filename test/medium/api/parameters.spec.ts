import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: someListings(3) });
});
afterAll(() => api.close());

const BAD_INTEGERS = [
  '0',
  '-1',
  '+1',
  '%2B1',
  '1.0',
  '1.5',
  '1e1',
  '0x1',
  '01',
  '%201',
  '1%20',
  '1%00',
  '',
  'abc',
  'NaN',
  'Infinity',
  '١',
  '1,2',
  '9007199254740992',
  '99999999999999999999',
  'null',
  '[]',
];

describe('query parameter validation', () => {
  it.each([
    ...BAD_INTEGERS.map((value) => ['page', value]),
    ...[...BAD_INTEGERS, '201', '1000'].map((value) => ['per_page', value]),
    ...['', 'RAW', 'Raw', 'json', 'raw%20', 'normalized,raw', 'raw%00'].map((value) => ['format', value]),
  ])('refuses %s=%s and names the parameter and its allowed values', async (name, value) => {
    const answer = await api.get(`/v1/properties?${gateway.query}&${name}=${value}`, gateway.headers);

    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('BAD_REQUEST');
    expect(answer.body.message).toContain(`"${name}"`);
    expect(answer.body.message).toContain(answer.body.detail.allowed);
    expect(answer.body.detail).toEqual({ parameter: name, allowed: expect.any(String) });
  });

  it.each(['/v1/status', '/v1/properties', '/v1/properties/L-1'])('requires crm and client on %s', async (path) => {
    for (const [query, missing] of [
      ['', 'crm'],
      ['?crm=kyero', 'client'],
      ['?client=x', 'crm'],
      ['?CRM=a&client=b', 'crm'],
    ]) {
      const answer = await api.get(`${path}${query}`, gateway.headers);
      expect([answer.status, answer.body.detail.parameter]).toEqual([400, missing]);
    }
  });

  it.each(['', 'a%20b', 'a.b', 'a/b', 'caf%C3%A9', '%00', 'a%00', '%FF', 'a%0A', "'", 'a;b', '%'])(
    'refuses the slug "%s"',
    async (slug) => {
      for (const path of ['/v1/status', '/v1/properties']) {
        const asCrm = await api.get(`${path}?crm=${slug}&client=x`, gateway.headers);
        const asClient = await api.get(`${path}?crm=x&client=${slug}`, gateway.headers);
        expect([asCrm.body.detail.parameter, asClient.body.detail.parameter]).toEqual(['crm', 'client']);
      }
      const legacy = await api.get(`/?variable1=${slug}&variable2=x`, gateway.headers);
      expect([legacy.status, legacy.body.detail.parameter]).toEqual([400, 'variable1']);
    },
  );

  it.each(['/v1/properties/a%00', '/v1/properties/%00/history', '/v1/webhooks/%00', '/media/%00', '/in/%00'])(
    'never answers 500 to a NUL character in the path %s',
    async (path) => {
      const answer = await api.get(`${path}?${gateway.query}`, gateway.headers);

      expect(answer.status).toBeLessThan(500);
    },
  );

  it.each(['ids', 'snapshot', 'q', 'ville'])('never answers 500 to a NUL character in %s', async (name) => {
    for (const path of ['/v1/properties', '/v1/search', '/v1/changes']) {
      const answer = await api.get(`${path}?${gateway.query}&since=x&${name}=a%00`, gateway.headers);

      expect(answer.status).toBeLessThan(500);
    }
  });

  it.each(['crm', 'client', 'page', 'per_page', 'format'])(
    'refuses a repeated %s, even with the same value',
    async (name) => {
      const value = { crm: gateway.crm, client: gateway.client, page: '1', per_page: '1', format: 'raw' }[name];
      const query = `crm=${gateway.crm}&client=${gateway.client}&page=1&per_page=1&format=raw&${name}=${value}`;
      const answer = await api.get(`/v1/properties?${query}`, gateway.headers);

      expect([answer.status, answer.body.detail.parameter]).toEqual([400, name]);
    },
  );

  it('treats name[] and name as different parameters', async () => {
    const answer = await api.get(`/v1/properties?${gateway.query}&page[]=7&per_page[x]=2`, gateway.headers);

    expect(answer.body.meta).toMatchObject({ page: 1, per_page: 50 });
  });

  it('runs before the check of the key', async () => {
    expect((await api.get(`/v1/properties?${gateway.query}&page=0`, { key: 'wrong' })).status).toBe(400);
    expect((await api.get('/?variable1=kyero')).status).toBe(400);
    expect((await api.get('/')).status).toBe(400);
  });
});
