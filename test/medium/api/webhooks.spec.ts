import { SecretBox } from '@passerelle/domain';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

const SECRETS_KEY = 'the-key-of-the-webhooks-of-this-api';
const URL = 'https://agence.example/hook';

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi({
    secretsKey: SECRETS_KEY,
    allowPrivateSources: new Set(['wordpress.test:80', '127.0.0.1:8080']),
  });
});
beforeEach(async () => {
  gateway = await addGateway(api.database);
});
afterAll(() => api.close());

const add = (members: object = {}, of = gateway, headers: Record<string, string> = of.headers) =>
  api.send('POST', '/v1/webhooks', { headers, body: { crm: of.crm, client: of.client, url: URL, ...members } });
const list = async (of = gateway) =>
  (await api.get(`/v1/webhooks?${of.query}`, of.headers)).body.data as { id: number; url: string }[];
const remove = (id: unknown, of = gateway) =>
  api.send('DELETE', `/v1/webhooks/${String(id)}?${of.query}`, { headers: of.headers });

describe('webhooks', () => {
  it('are removed by a DELETE with a JSON content type and no body, which many clients send', async () => {
    const { id } = (await add()).body.data;
    const headers = { ...gateway.headers, 'content-type': 'application/json' };
    const answer = await api.send('DELETE', `/v1/webhooks/${String(id)}?${gateway.query}`, { headers });
    expect(answer.status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('are added with a secret that is shown once and stored sealed, and can be listed and removed', async () => {
    const added = await add();
    expect(added.status).toBe(201);
    expect(added.headers['cache-control']).toBe('private, no-store');
    const { id, secret } = added.body.data;
    expect(added.body.data).toEqual({
      ...{ id: expect.any(Number), url: URL, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
      events: ['list.published', 'feed.stale', 'feed.held', 'feed.failing', 'feed.recovered'],
    });
    const [stored] = await api.testDatabase.query<{ secret: Buffer }>(
      'SELECT secret FROM webhook_endpoint WHERE id = $1',
      [id],
    );
    expect(stored!.secret.includes(secret)).toBe(false);
    expect(new SecretBox(SECRETS_KEY).open(stored!.secret)).toBe(secret);
    expect(await list()).toEqual([
      {
        ...{ id, url: URL, events: added.body.data.events, created_at: expect.any(String) },
        ...{ disabled_at: null, disabled_reason: null, failing_since: null },
      },
    ]);
    expect((await remove(id)).body.data).toEqual({ id, removed: true });
    expect(await list()).toEqual([]);
    expect((await remove(id)).status).toBe(404);
  });

  it('belong to one gateway: another gateway can neither see nor remove them', async () => {
    const { id } = (await add()).body.data;
    const other = await addGateway(api.database);
    expect(await list(other)).toEqual([]);
    expect((await remove(id, other)).status).toBe(404);
    expect((await add({}, gateway, other.headers)).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  it('accept a key with the read scope, but not a key with the report scope', async () => {
    await api.testDatabase.query(`UPDATE api_key SET scope = 'report' WHERE gateway_id = $1`, [gateway.id]);
    expect((await add()).status).toBe(401);
    const reader = await addGateway(api.database);
    await api.testDatabase.query(`UPDATE api_key SET scope = 'read' WHERE gateway_id = $1`, [reader.id]);
    expect((await add({}, reader)).status).toBe(201);
  });

  it('are limited to five, and adding the same address again adds no webhook', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => (await add({ url: `${URL}/${n}` })).status),
    );
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 400, 400, 400]);
    const [first] = await list();
    const again = await add({ url: first?.url });
    expect(again.status).toBe(201);
    expect(await list()).toHaveLength(5);
  });

  it.each([
    ['url', 'http://agence.example/hook'],
    ['url', 'https://name:password@agence.example/hook'],
    ['url', 'https://agence.example/hook#part'],
    ['url', 'ftp://agence.example/hook'],
    ['url', '/hook'],
    ['url', `https://agence.example/${'x'.repeat(2_000)}`],
    ['url', undefined],
    ['url', 12],
    ['events', []],
    ['events', ['list.deleted']],
    ['events', 'list.published'],
    ['client', 'no client'],
  ])('refuse %s %j', async (name, value) => {
    const answer = await add({ [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ detail: { parameter: name } });
    expect(await list()).toEqual([]);
  });

  it.each(['http://wordpress.test/hook', 'http://127.0.0.1:8080/hook'])(
    'may use http when ALLOW_PRIVATE_SOURCES names the host: %s',
    async (url) => {
      expect((await add({ url })).body.data.url).toBe(url);
    },
  );

  it('appear in the state of the feed when they are disabled', async () => {
    const { id } = (await add()).body.data;
    const named = async () => (await api.get(`/v1/feed?${gateway.query}`, gateway.headers)).body.data.disabled_webhooks;
    expect(await named()).toEqual([]);
    await api.testDatabase.query(
      `UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'failing' WHERE id = $1`,
      [id],
    );
    expect(await named()).toEqual([{ id, url: URL, disabled_at: expect.any(String), reason: 'failing' }]);
  });

  it.each(['secret', 'old_secret', '*'])('hide %s of every endpoint from the role of the API', async (column) => {
    await add();
    const role = `${new globalThis.URL(api.testDatabase.url).pathname.slice(1)}_serve`;
    await api.testDatabase.query(`SET ROLE ${role}`);
    try {
      await expect(api.testDatabase.query(`SELECT ${column} FROM webhook_endpoint`)).rejects.toThrow(
        'permission denied',
      );
    } finally {
      await api.testDatabase.query('RESET ROLE');
    }
  });
});
