import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { SecretBox } from '@passerelle/domain';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

const SECRETS_KEY = 'the-key-of-the-leads-of-this-api-test';
const WRITTEN = { name: 'Claire Martin', email: 'claire@visiteur.example', message: 'Bonjour,\nje veux visiter.' };

// Real: PostgreSQL under the serving role, and the API. No worker delivers the leads.
describe('leads', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;

  beforeAll(async () => {
    api = await startApi({ secretsKey: SECRETS_KEY });
  });
  beforeEach(async () => {
    gateway = await addGateway(api.database);
  });
  afterAll(() => api.close());

  const send = (members: object, { crm, client, headers } = gateway) =>
    api.send('POST', '/v1/leads', { headers, body: { crm, client, ...WRITTEN, consent: true, ...members } });
  const stored = ({ id } = gateway) =>
    api.testDatabase.query<{ token: string; aff_id: string | null; sealed: Buffer }>(
      'SELECT message_id AS token, aff_id, sealed FROM outbox WHERE gateway_id = $1 ORDER BY id',
      [id],
    );

  it('are sealed and stored before the API answers', async () => {
    const id = randomUUID();
    const page = 'https://agence.example/annonces/a/';
    const answer = await send({ id, affId: 'L-1', phone: '+33 6 39 98 00 00', page_url: page, langue: 'fr', else: 1 });
    expect(answer.status).toBe(202);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.body.data).toEqual({ id, received_at: expect.any(String) });
    const [row] = await stored();
    expect(row).toMatchObject({ token: id, aff_id: 'L-1' });
    expect(row!.sealed.includes('Claire')).toBe(false);
    expect(JSON.parse(new SecretBox(SECRETS_KEY).open(row!.sealed))).toEqual({
      ...WRITTEN,
      ...{ phone: '+33 6 39 98 00 00', pageUrl: page, langue: 'fr' },
    });
  });

  it('are stored once when a site sends them repeatedly under one id, even at the same time', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ id: id.toUpperCase() })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await stored()).toHaveLength(1);
    const other = await addGateway(api.database);
    expect((await send({ id }, other)).status).toBe(202);
    expect(await stored(other)).toHaveLength(1);
  });

  it.each([
    ['consent', { consent: false }],
    ['consent', { consent: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['email', { email: 'claire@visiteur' }],
    ['email', { email: 'a@b.example\r\nBcc: c@d.example' }],
    ['email', { email: 'a@b.example,c@d.example' }],
    ['email', { email: undefined }],
    ['phone', { phone: 'call me' }],
    ['message', { message: 'x'.repeat(5_001) }],
    ['page_url', { page_url: 'javascript:alert(1)' }],
    ['langue', { langue: 'french' }],
    ['id', { id: 'one' }],
    ['affId', { affId: 7 }],
  ])('are refused when their %s is invalid, and the answer names that member', async (member, change) => {
    const { status, body } = await send(change);
    expect({ status, detail: body.detail }).toMatchObject({ status: 400, detail: { parameter: member } });
    expect(await stored()).toEqual([]);
  });

  it('require a key with the report scope', async () => {
    await api.testDatabase.query(`UPDATE api_key SET scope = 'read' WHERE gateway_id = $1`, [gateway.id]);
    expect((await send({})).status).toBe(401);
    const reporter = await addGateway(api.database);
    await api.testDatabase.query(`UPDATE api_key SET scope = 'report' WHERE gateway_id = $1`, [reporter.id]);
    expect((await send({}, reporter)).status).toBe(202);
    expect((await send({}, { ...gateway, headers: reporter.headers })).status).toBe(401);
  });

  it('are refused while ten thousand leads wait, except a lead that is already stored', async () => {
    const id = randomUUID();
    expect((await send({ id })).status).toBe(202);
    await api.testDatabase.query(
      `INSERT INTO outbox (gateway_id, kind, type, sealed) SELECT $1, 'lead', 'lead', '' FROM generate_series(1, 9999)`,
      [gateway.id],
    );
    const refused = await send({});
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('10000 leads') } });
    expect((await send({ id })).status).toBe(202);
  });

  it('are protected from the serving role, which can neither read nor remove them', async () => {
    expect((await send({})).status).toBe(202);
    const serving = new Client({ connectionString: api.testDatabase.urlOf('serve') });
    await serving.connect();
    try {
      for (const statement of [
        ...['SELECT id FROM outbox', 'DELETE FROM outbox', 'SELECT sealed FROM lead', 'DELETE FROM lead'],
        `INSERT INTO outbox (gateway_id, kind, type) VALUES (${gateway.id}, 'feedback', 'feedback')`,
        'SELECT outbox_take_over()',
      ])
        await expect(serving.query(statement)).rejects.toThrow(/permission denied/);
    } finally {
      await serving.end();
    }
  });
});

it('leads are refused when no SECRETS_KEY is set', async () => {
  const api = await startApi({ secretsKey: null });
  const { crm, client, headers } = await addGateway(api.database);
  const { status } = await api.send('POST', '/v1/leads', { headers, body: { crm, client, ...WRITTEN, consent: true } });
  expect(status).toBe(500);
  await api.close();
});
