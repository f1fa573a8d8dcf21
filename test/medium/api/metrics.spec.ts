import { request } from 'undici';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';

// Real: HTTP, PostgreSQL. Fake: the ingestor, which the test replaces.
const OPERATOR = { authorization: 'Bearer the-token-of-the-operators' };

/** The value of each line of /metrics, by the text before the value. */
async function scrape({ url }: ApiUnderTest, headers: Record<string, string> = OPERATOR): Promise<Map<string, number>> {
  const { statusCode, headers: answered, body } = await request(`${url}/metrics`, { headers });
  const text = await body.text();
  expect({ statusCode, text }).toMatchObject({ statusCode: 200 });
  expect(answered).toMatchObject({
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'private, no-store',
  });
  return new Map([...text.matchAll(/^(passerelle_\S+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
}

describe('/metrics of the API', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  beforeAll(async () => {
    api = await startApi({ opsToken: 'the-token-of-the-operators' });
    gateway = await addGateway(api.database, { listings: someListings(3) });
  });
  afterAll(async () => {
    await api.close();
  });

  it("does not exist without the operators' token, whatever the method", async () => {
    const strangers = [
      {},
      { authorization: 'Bearer x' },
      { authorization: 'Basic dGhlOnRva2Vu' },
      { key: gateway.key },
    ];
    for (const headers of strangers) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        const [hidden, unknown] = [
          await api.send(method, '/metrics', { headers }),
          await api.send(method, '/metricz', { headers }),
        ];
        expect(faceless(hidden)).toEqual(faceless(unknown));
        expect(hidden.status).toBe(404);
      }
    }
    expect((await api.send('POST', '/metrics', { headers: OPERATOR })).status).toBe(404);
    expect((await api.get('/openapi.json')).text).not.toContain('metrics');
  });

  it('counts answers by route and status, and their durations by cache state', async () => {
    const path = `/v1/properties?${gateway.query}`;
    const before = await scrape(api);
    for (let times = 0; times < 3; times += 1) await api.get(path, gateway.headers);
    await api.get(path, { key: 'wrong' });
    await api.get('/nowhere');
    const grown = grownSince(before, await scrape(api));
    expect(grown('passerelle_api_answers_total{route="/v1/properties",status="200"}')).toBe(3);
    expect(grown('passerelle_api_answers_total{route="/v1/properties",status="401"}')).toBe(1);
    expect(grown('passerelle_api_answers_total{route="none",status="404"}')).toBe(1);
    expect(grown('passerelle_api_answer_seconds_count{route="/v1/properties",cache="hit"}')).toBe(3);
    expect(grown('passerelle_api_answer_seconds_count{route="/v1/properties",cache="none"}')).toBe(1);
    expect(grown('passerelle_api_refused_keys_total{answer="refused"}')).toBe(1);
    expect(grown('passerelle_api_pages_total{cache="miss"}')).toBe(1);
    expect(grown('passerelle_api_pages_total{cache="hit"}')).toBe(2);
  });

  it('shows the age of the served data and the work in progress', async () => {
    await api.get(`/v1/properties?${gateway.query}`, gateway.headers);
    const metrics = await scrape(api);
    expect(metrics.get('passerelle_api_oldest_served_seconds')).toBeGreaterThan(0);
    expect(metrics.get('passerelle_api_database_connections{state="total"}')).toBeGreaterThan(0);
    expect(metrics.get('passerelle_api_database_connections{state="waiting"}')).toBe(0);
    expect(metrics.get('passerelle_api_dumps{state="under_way"}')).toBe(0);
  });
});

describe('/metrics of an API without an OPS_TOKEN', () => {
  it.each(['', 'none', 'null'])('does not exist, whatever token is presented: %s', async (token) => {
    const api = await startApi();
    expect((await api.get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(404);
    await api.close();
  });
});

describe('/metrics of an API that requires TLS', () => {
  it('is served without TLS, because Prometheus is on the inner network', async () => {
    const secure = { 'x-forwarded-proto': 'https' };
    const settings = { requireHttps: true, trustProxy: ['127.0.0.1'], opsToken: 'the-token-of-the-operators' };
    const api = await startApi(settings, { headers: secure });
    expect((await scrape(api)).size).toBeGreaterThan(0);
    expect((await api.get('/metrics')).status).toBe(404);
    await api.close();
  });
});

/** An answer without the parts that differ between requests. */
function faceless({ status, headers, text }: Awaited<ReturnType<ApiUnderTest['get']>>): object {
  const id = headers['x-request-id'] ?? '';
  const known = text.replaceAll(id, 'ID').replace(/"timestamp":"[^"]*"/, '');
  // These headers depend on the time and on the request id.
  const others = Object.entries(headers).filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  return { status, headers: Object.fromEntries(others), text: known };
}

function grownSince(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
}
