import { generateApiKey, hashApiKey, type KeyTerms } from '@passerelle/domain';
import type { Answer } from '../../support/answer';
import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  publishListings,
  someListings,
  startApi,
} from './api-under-test';
import { until } from '../../support/waiting';

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: someListings(3) });
});
afterAll(() => api.close());

const status = (headers: Record<string, string>, of = gateway) => api.get(`/v1/status?${of.query}`, headers);
const list = (headers: Record<string, string>, of = gateway) => api.get(`/v1/properties?${of.query}`, headers);
const WRONG = generateApiKey();

describe('API key', () => {
  it('records the day of its last use', async () => {
    const used = async (): Promise<(string | null)[]> =>
      (await api.database.gateways.find(fresh.crm, fresh.client))!.keys.map(({ lastUsedOn }) => lastUsedOn);
    const fresh = await addGateway(api.database, { listings: someListings(1) });
    await list({ key: WRONG }, fresh);
    expect(await used()).toEqual([null]);
    await list(fresh.headers, fresh);
    await until(async () => (await used())[0] !== null);
    expect(await used()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
  });

  it('gets 429 when it is wrong and its address has already sent too many wrong keys, counted over all gateways', async () => {
    const strict = await startApi({ refusedKeysPerMinute: 2 });
    const right = await addGateway(strict.database, { listings: someListings(1) });
    const ask = async (query: string, key: string): Promise<Answer> => strict.get(`/v1/status?${query}`, { key });
    const answers = [
      await ask(right.query, WRONG),
      await ask('crm=kyero&client=none', WRONG),
      await ask(right.query, WRONG),
      await ask('crm=kyero&client=none', right.key),
      await ask(right.query, right.key),
    ];
    expect(answers.map(({ status: code }) => code)).toEqual([401, 401, 429, 429, 200]);
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
    await strict.close();
  });

  it.each<[string, (key: string) => Record<string, string>]>([
    ['Key', (key) => ({ Key: key })],
    ['Authorization: Bearer', (key) => ({ Authorization: `Bearer ${key}` })],
    ['authorization: bearer', (key) => ({ authorization: `bearer ${key}` })],
    ['AUTHORIZATION: BEARER', (key) => ({ AUTHORIZATION: `BEARER  ${key}` })],
    ['X-Listings-Key', (key) => ({ 'X-Listings-Key': key })],
    [
      'Key, while the other headers contain wrong keys',
      (key) => ({ Key: key, Authorization: `Bearer ${WRONG}`, 'X-Listings-Key': WRONG }),
    ],
    [
      'Authorization: Bearer, while X-Listings-Key contains a wrong key',
      (key) => ({ Authorization: `Bearer ${key}`, 'X-Listings-Key': WRONG }),
    ],
    [
      'X-Listings-Key, while Authorization has another scheme',
      (key) => ({ Authorization: 'Basic eDp5', 'X-Listings-Key': key }),
    ],
    ['X-Listings-Key, while Key is empty', (key) => ({ Key: '', 'X-Listings-Key': key })],
    [
      'X-Listings-Key, while Authorization: Bearer has no token',
      (key) => ({ Authorization: 'Bearer', 'X-Listings-Key': key }),
    ],
  ])('is accepted in %s', async (_title, headers) => {
    expect((await status(headers(gateway.key))).status).toBe(200);
    expect((await list(headers(gateway.key))).status).toBe(200);
  });

  it.each<[string, (key: string) => Record<string, string>]>([
    ['is missing', () => ({})],
    ['is empty', () => ({ Key: '' })],
    ['is wrong', () => ({ Key: WRONG })],
    ['is truncated', (key) => ({ Key: key.slice(0, -1) })],
    ['is in upper case', (key) => ({ Key: key.toUpperCase() })],
    ['is followed by other text', (key) => ({ Key: `${key}, ${key}` })],
    [
      'is wrong in Key and correct in the other headers',
      (key) => ({ Key: WRONG, Authorization: `Bearer ${key}`, 'X-Listings-Key': key }),
    ],
    [
      'is wrong in Authorization and correct in X-Listings-Key',
      (key) => ({ Authorization: `Bearer ${WRONG}`, 'X-Listings-Key': key }),
    ],
    ['is in Authorization without a scheme', (key) => ({ Authorization: key })],
    [
      'is the password of Basic authorization',
      (key) => ({ Authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` }),
    ],
    ['belongs to another gateway', () => ({ Key: other.key })],
  ])('is refused when it %s', async (_title, headers) => {
    for (const answer of [await status(headers(gateway.key)), await list(headers(gateway.key))]) {
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('AUTH_FAILED');
      expect(answer.body.message).toMatch(/key.*client.*crm.*invalid/i);
    }
  });

  let other: SeededGateway;
  beforeAll(async () => {
    other = await addGateway(api.database, { listings: [] });
  });

  it('is not accepted in the query', async () => {
    expect((await api.get(`/v1/status?${gateway.query}&key=${gateway.key}&api_key=${gateway.key}`)).status).toBe(401);
  });
});

describe('refusal', () => {
  const nobody = { query: 'crm=kyero&client=nobody' };

  it('looks the same for an unknown gateway, a wrong key and no key', async () => {
    const look = ({ status, headers, body }: Answer) => ({
      status,
      headers: { ...headers, date: '', 'x-request-id': '' },
      body: { ...body, timestamp: '', request_id: '' },
    });
    const headers = { 'x-request-id': 'same-length' };
    const [wrong, unknown, none] = await Promise.all([
      api.get(`/v1/status?${gateway.query}`, { ...headers, key: WRONG }),
      api.get(`/v1/status?${nobody.query}`, { ...headers, key: WRONG }),
      api.get(`/v1/status?${gateway.query}`, headers),
    ]);

    expect(look(unknown)).toEqual(look(wrong));
    expect(look(none)).toEqual(look(wrong));
  });

  it('takes the same time for an unknown gateway and a wrong key', async () => {
    const timesMs = { wrong: [] as number[], unknown: [] as number[] };
    const measure = async (): Promise<void> => {
      for (const [name, query] of [
        ['wrong', gateway.query],
        ['unknown', nobody.query],
      ] as const) {
        const startedMs = performance.now();
        await api.get(`/v1/status?${query}`, { key: WRONG });
        timesMs[name].push(performance.now() - startedMs);
        await list({ key: gateway.key });
      }
    };
    const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const apartMs = () => Math.abs(median(timesMs.wrong) - median(timesMs.unknown));
    // On a busy machine, the median of a few answers varies; the median of many does not.
    do {
      for (let round = 0; round < 12; round += 1) await measure();
    } while (apartMs() >= 10 && timesMs.wrong.length < 240);
    expect(apartMs()).toBeLessThan(10);
  });
});

describe('gateway that an operator changes', () => {
  it('answers FORBIDDEN while it is disabled, but only to the right key', async () => {
    const changing = await addGateway(api.database, { listings: someListings(1) });
    expect((await list(changing.headers, changing)).status).toBe(200);

    await api.database.gateways.setEnabled(changing.id, false);
    await until(async () => (await list(changing.headers, changing)).status === 403);
    const paths = ['/v1/status?', '/v1/properties?', '/v1/properties/L-1?', '/v1/properties/unknown?'];
    for (const path of paths) {
      const answer = await api.get(path + changing.query, changing.headers);
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect((await api.get(path + changing.query, { key: WRONG })).status).toBe(401);
    }
    const { crm, client } = changing;
    expect((await api.get(`/?variable1=${crm}&variable2=${client}`, changing.headers)).status).toBe(403);
    const report = { headers: changing.headers, body: { crm, client, status: 'success' } };
    expect((await api.send('POST', '/v1/report', report)).status).toBe(403);
    expect((await api.send('POST', '/report', report)).status).toBe(403);

    await api.database.gateways.setEnabled(changing.id, true);
    await until(async () => (await list(changing.headers, changing)).status === 200);
  });

  it('accepts the new key immediately, and the old key until the overlap ends', async () => {
    const rotating = await addGateway(api.database, { listings: someListings(1) });
    expect((await list(rotating.headers, rotating)).status).toBe(200);
    const key = generateApiKey();
    const hash = hashApiKey(key, await api.database.installation.keyPepper());
    await api.database.gateways.rotateKey(rotating.id, { hash, prefix: 'psr_' }, 60);

    await until(async () => (await list({ key }, rotating)).status === 200);
    expect((await list(rotating.headers, rotating)).status).toBe(200);
    api.clock.skip(61_000);
    expect((await list(rotating.headers, rotating)).status).toBe(401);
    expect((await list({ key }, rotating)).status).toBe(200);
  });

  it('is unknown after its removal, and known immediately after it is added', async () => {
    const leaving = await addGateway(api.database, { listings: someListings(1) });
    expect((await list(leaving.headers, leaving)).status).toBe(200);
    await api.database.gateways.remove(leaving.id);
    await until(async () => (await list(leaving.headers, leaving)).status === 401);

    const early = { query: 'crm=kyero&client=early' };
    expect((await api.get(`/v1/status?${early.query}`, { key: WRONG })).status).toBe(401);
    const hash = hashApiKey(WRONG, await api.database.installation.keyPepper());
    const added = { crm: 'kyero', client: 'early', sourceUrl: 'https://crm.example', settings: {}, credentials: null };
    await api.database.gateways.add({ ...added, everySeconds: null, contractEnd: null }, { hash, prefix: '' });
    await until(async () => (await api.get(`/v1/status?${early.query}`, { key: WRONG })).status === 200);
  });

  it('is served until the end of its last contract day, Paris time', async () => {
    const paris = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' });
    const today = paris.format(new Date(api.clock.nowMs()));
    const ending = await addGateway(api.database, { contractEnd: today, listings: someListings(1) });
    const ended = await addGateway(api.database, { contractEnd: '2020-01-31', listings: someListings(1) });

    expect((await status(ending.headers, ending)).body.data.contract_end).toBe(today);
    expect((await list(ended.headers, ended)).status).toBe(403);
    // The day on which summer time ends has 25 hours.
    api.clock.skip(25 * 3600_000);
    expect((await list(ending.headers, ending)).status).toBe(403);
    api.clock.skip(-25 * 3600_000);
  });

  it('loses its cached state immediately on a notification, before that state expires', async () => {
    const heard = await addGateway(api.database, { listings: someListings(1) });
    expect((await list(heard.headers, heard)).body.meta.total).toBe(1);
    api.clock.skip(-3600_000);

    await publishListings(api.database, heard.id, someListings(2));
    await until(async () => (await list(heard.headers, heard)).body.meta.total === 2);
    await api.database.gateways.setEnabled(heard.id, false);
    await until(async () => (await list(heard.headers, heard)).status === 403);
    api.clock.skip(3600_000);
  });

  it("loses its cached state when the API's LISTEN connection is cut", async () => {
    const steady = await addGateway(api.database, { listings: someListings(1) });
    expect((await list(steady.headers, steady)).status).toBe(200);
    await api.testDatabase.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await api.database.gateways.setEnabled(steady.id, false);

    await until(async () => (await list(steady.headers, steady)).status === 403);
  });
});

describe('API key with a scope or networks', () => {
  /** The answers of a gateway whose only key has these terms. */
  async function withTerms(terms: Partial<KeyTerms>) {
    const gateway = await addGateway(api.database, { listings: [{ affId: 'a' }] });
    const hash = hashApiKey(gateway.key, await api.database.installation.keyPepper());
    await api.testDatabase.query('DELETE FROM api_key WHERE gateway_id = $1', [gateway.id]);
    await api.database.gateways.rotateKey(gateway.id, { hash, prefix: 'psr_', ...terms }, 0);
    const body = { crm: gateway.crm, client: gateway.client, status: 'success' };
    const page = `/v1/properties?${gateway.query}`;
    // The same page twice: the API answers the second request from memory.
    const answers = [
      await api.get(page, gateway.headers),
      await api.get(page, gateway.headers),
      await api.get(`/v1/status?${gateway.query}`, gateway.headers),
      await api.get(`/?variable1=${gateway.crm}&variable2=${gateway.client}`, gateway.headers),
      await api.send('POST', '/v1/report', { body, headers: gateway.headers }),
      await api.send('POST', '/report', { body: { ...body, key: gateway.key } }),
    ];
    return answers.map(({ status }) => status);
  }

  it.each([
    ['both', [200, 200, 200, 200, 200, 200]],
    ['read', [200, 200, 200, 200, 401, 401]],
    ['report', [401, 401, 401, 401, 200, 200]],
  ] as const)('of scope %s is accepted only for that scope', async (scope, statuses) => {
    expect(await withTerms({ scope })).toEqual(statuses);
  });

  it('is accepted only from its networks', async () => {
    expect(await withTerms({ networks: ['127.0.0.0/8'] })).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await withTerms({ networks: ['192.0.2.0/24'] })).toEqual([401, 401, 401, 401, 401, 401]);
  });
});
