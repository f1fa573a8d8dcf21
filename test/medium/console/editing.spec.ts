import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRegistry } from '@passerelle/connectors';
import { type Database, openDatabase } from '@passerelle/database';
import { openSource, SecretBox, sealCredentials, storeSource } from '@passerelle/domain';
import { pino } from 'pino';
import { SourceSecrets } from '../../../apps/ingestor/src/ingest/source-secrets';
import { editDelivery } from '../../../apps/ingestor/src/outbox/edit/edit-delivery';
import { OutboxWorker } from '../../../apps/ingestor/src/outbox/outbox-worker';
import { until } from '../../support/waiting';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { type ConsoleUnderTest, type FormFields, SECRETS_KEY, startConsole, type Visitor } from './console-under-test';

const FEED = readFileSync(join(__dirname, '../../../libs/connectors/src/sources/kyero/__fixtures__/v3.xml'));
const box = new SecretBox(SECRETS_KEY);
const PAGE = '/gateways/kyero/agence';

// Real: the console and the ingestor's outbox under their roles, PostgreSQL, the connector, the feed's server.
describe('console pages that change a gateway', () => {
  let console: ConsoleUnderTest;
  let operator: Visitor;
  let viewer: Visitor;
  let admin: Visitor;
  let server: FeedServer;
  let ingestor: Database;
  let worker: OutboxWorker;
  let gatewayId: number;

  beforeAll(async () => {
    server = await startFeedServer({ body: FEED });
    console = await startConsole({ ALLOW_PRIVATE_SOURCES: server.hostAndPort });
    await console.db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    [viewer, operator, admin] = [
      await console.signedIn('viewer'),
      await console.signedIn('operator'),
      await console.signedIn('admin'),
    ];
    ingestor = await openDatabase({ url: console.db.urlOf('ingest'), applicationName: 'ingestor' });
    const { gateways, audit, hostBudgets: budgets, connection, outbox } = ingestor;
    const config = { inboxDir: '/nowhere', allowPrivateSources: new Set([server.hostAndPort]) };
    const registry = await loadRegistry();
    const edit = editDelivery({ gateways, audit, budgets, secrets: new SourceSecrets(box), registry, box, config });
    worker = new OutboxWorker(connection, outbox, [edit], pino({ level: 'silent' }));
    await worker.start();
  });
  afterAll(async () => {
    await worker.stop();
    await ingestor.close();
    await server.close();
    await console.close();
  });

  beforeEach(async () => {
    const settings = { 'max-vanished-share': '0.3', 'token-url': 'https://auth.example/secret-part/token' };
    const stored = storeSource({ url: `${server.url}?token=secret`, settings }, box);
    gatewayId = await console.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'agence', ...stored, everySeconds: 3600, contractEnd: null },
        credentials: sealCredentials({ username: 'u', password: 'the password' }, box),
      },
      { hash: Buffer.from('k'.repeat(32)), prefix: 'psr_aaaa' },
    );
  });
  afterEach(async () => {
    await console.db.database.gateways.remove(gatewayId);
  });

  const stored = async () => {
    const row = (await console.db.database.gateways.loadForIngest(gatewayId))!;
    const { sourceUrl, sourceSettings, sealedSource } = row;
    return {
      ...openSource({ sourceUrl, settings: sourceSettings, sealedSource }, box),
      credentials: row.credentials === null ? null : (JSON.parse(box.open(row.credentials)) as object),
    };
  };
  /** Sends the form with the values that it shows, and these others. */
  const edit = async (fields: FormFields) => {
    const { text } = await operator.get(`${PAGE}/edit`);
    const shown = /name="shown" value="([^"]+)"/.exec(text)![1]!;
    const every = /name="every"[^>]* value="([^"]*)"/.exec(text.replace(/\s+/g, ' '))![1]!;
    const share = /name="set:max-vanished-share"[^>]* value="([^"]*)"/.exec(text.replace(/\s+/g, ' '))![1]!;
    const form = { act: 'save', shown, every, 'set:max-vanished-share': share, ...fields };
    return operator.post(`${PAGE}/edit`, form, `${PAGE}/edit`);
  };
  const newest = async () => (await console.db.database.audit.list({ client: 'agence', limit: 1 }))[0];

  it('store a new address, and keep secret values that were left empty', async () => {
    const { text } = await operator.get(`${PAGE}/edit`);
    expect(text).not.toMatch(/secret-part|the password|token=secret/);
    const saved = await edit({ source: `${server.url}?token=renewed`, reason: 'their new server' });
    expect([saved.status, saved.location]).toEqual([303, PAGE]);
    expect(await stored()).toEqual({
      url: `${server.url}?token=renewed`,
      settings: { 'max-vanished-share': '0.3', 'token-url': 'https://auth.example/secret-part/token' },
      credentials: { username: 'u', password: 'the password' },
    });
    expect(await newest()).toMatchObject({
      ...{ act: 'gateway set', who: 'operator', through: 'console', reason: 'their new server' },
    });
    expect(JSON.stringify(await newest())).not.toContain('renewed');
  });

  it('leave no values in the outbox when the edit has ended', async () => {
    await edit({ act: 'test' });
    await edit({ source: `${server.url}?token=renewed` });
    await edit({ source: 'https://other.example/feed.xml' });
    const edits = await console.db.query<{ state: string; has: boolean }>(
      `SELECT state, sealed IS NOT NULL AS has FROM outbox WHERE kind = 'edit' AND gateway_id = $1 ORDER BY id`,
      [gatewayId],
    );
    expect(edits.map(({ state, has }) => [state, has])).toEqual([
      ['delivered', false],
      ['delivered', false],
      ['failed', false],
    ]);
  });

  it('never send stored credentials to another host', async () => {
    const before = await stored();
    for (const act of ['test', 'save']) {
      const answer = await edit({ act, source: 'https://other.example/feed.xml' });
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('enter the credentials again')]);
    }
    expect(await stored()).toEqual(before);
  });

  it('store another host with new credentials', async () => {
    const fields = { 'credential:username': 'new', 'credential:password': 'other' };
    const saved = await edit({ source: 'https://other.example/feed.xml', ...fields });
    expect(saved.status).toBe(303);
    expect(await stored()).toMatchObject({ credentials: { username: 'new', password: 'other' } });
  });

  it('change and remove settings, the period and credentials, and leave the difference in the audit', async () => {
    const saved = await edit({
      ...{ 'set:max-vanished-share': '', 'set:max-fill-drop': '0.2', unset: 'token-url', every: '20m' },
      ...{ 'contract-end': '2099-12-31', 'remove-credentials': '1' },
    });
    expect(saved.status).toBe(303);
    expect(await stored()).toMatchObject({ credentials: null });
    const gateway = (await console.db.database.gateways.find('kyero', 'agence'))!;
    expect(gateway).toMatchObject({ everySeconds: 1200, contractEnd: '2099-12-31' });
    expect((await newest())!.before).toMatchObject({ every_seconds: 3600, contract_end: null, credentials: 'set' });
    expect((await newest())!.after).toMatchObject({
      ...{ every_seconds: 1200, contract_end: '2099-12-31', credentials: 'none' },
    });
  });

  it('test the typed address with the stored credentials, and store nothing', async () => {
    const before = await stored();
    const tried = await edit({ act: 'test', source: `${server.url}?tried=1` });
    expect(tried.status).toBe(200);
    expect(tried.text).toContain('5 listings in 6 records');
    expect(server.requests.at(-1)).toMatchObject({ url: '/feed.xml?tried=1' });
    expect(server.requests.at(-1)!.headers.authorization).toBe(
      `Basic ${Buffer.from('u:the password').toString('base64')}`,
    );
    expect(await stored()).toEqual(before);
    server.answer = { status: 404 };
    expect((await edit({ act: 'test' })).text).toContain('The feed cannot be read');
    server.answer = { body: FEED };
  });

  it('name wrong fields, refuse a gateway that was changed meanwhile, and an edit without a change', async () => {
    const wrong = await edit({ every: 'often', source: '' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/name="every"[^>]*aria-invalid="true"/);
    expect(wrong.text).toContain('value="often"');
    expect((await edit({})).text).toContain('no value differs');
    const late = await edit({ shown: '000000000000', every: '5m' });
    expect([late.status, late.text.includes('was changed meanwhile')]).toEqual([409, true]);
    expect((await viewer.get(`${PAGE}/edit`)).status).toBe(403);
    expect((await viewer.get(PAGE)).text).not.toContain(`${PAGE}/edit`);
  });

  it('change the period of several gateways, as one entry of the audit with its parts', async () => {
    const other = await console.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'autre', sourceUrl: 'https://x.example/a', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from('o'.repeat(32)), prefix: 'psr_bbbb' },
    );
    const ids = `${gatewayId},${other}`;
    const chosen = { act: 'period', scope: 'chosen', ids: ids.split(',') };
    expect((await operator.post('/gateways/choose', chosen, '/gateways')).text).toContain('The new period');
    const wrong = await operator.post('/gateways/act', { act: 'period', ids, every: 'often' }, '/gateways');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/name="every"[^>]*value="often"[^>]*aria-invalid="true"/);
    const done = await operator.post('/gateways/act', { act: 'period', ids, every: '30m' }, '/gateways');
    expect(done.text).toContain('Done for 2 gateways.');
    const periods = () => console.db.query<{ every: number }>('SELECT every_seconds AS every FROM gateway');
    await until(async () => (await periods()).every(({ every }) => every === 1800));
    const parts = () =>
      console.db.query(
        `SELECT FROM audit p JOIN audit w ON w.id = p.part_of WHERE w.act = 'gateway set' AND w.client IS NULL`,
      );
    await until(async () => (await parts()).length === 2);
    await console.db.database.gateways.remove(other);
  });

  it('say that a change waits when no ingestor runs', async () => {
    await console.db.query(
      `INSERT INTO outbox (gateway_id, kind, type, sealed, data, next_try_at)
       VALUES ($1, 'edit', 'change', '\\x00', '{}', now() + interval '1 hour')`,
      [gatewayId],
    );
    expect((await viewer.get(PAGE)).text).toContain('A change of this gateway waits for an ingestor.');
  });

  it('rotate and revoke keys and tokens, and show each new one only once', async () => {
    const keys = `${PAGE}/keys`;
    const rotated = await operator.post(keys, { act: 'rotate', overlap: '0', scope: '' }, keys);
    const key = /class="secret">(psr_[^<]+)</.exec(rotated.text)![1]!;
    expect((await operator.get(keys)).text).not.toContain(key);
    const live = () =>
      console.db.query<{ id: number; prefix: string }>(
        'SELECT id, prefix FROM api_key WHERE gateway_id = $1 AND (expires_at IS NULL OR expires_at > now())',
        [gatewayId],
      );
    const [only, ...others] = await live();
    expect([key.startsWith(only!.prefix), others]).toEqual([true, []]);
    const id = String(only!.id);
    expect((await operator.post(keys, { act: 'revoke', id }, keys)).status).toBe(422);
    expect((await viewer.post(keys, { act: 'revoke', id, sure: '1' }, PAGE)).status).toBe(403);
    expect(await live()).toHaveLength(1);
    expect((await operator.post(keys, { act: 'revoke', id, sure: '1' }, keys)).status).toBe(200);
    expect((await operator.post(keys, { act: 'revoke', id, sure: '1' }, keys)).status).toBe(409);
    expect(await live()).toEqual([]);
    const made = await operator.post(keys, { act: 'make' }, keys);
    expect(made.text).toMatch(/class="secret">\/v1\/export\/kyero\.xml\?token=/);
    const [token] = await console.db.database.exportTokens.list(gatewayId);
    await operator.post(keys, { act: 'revoke-token', id: String(token!.id), sure: '1' }, keys);
    expect(await console.db.database.exportTokens.list(gatewayId)).toEqual([]);
    const acts = (await console.db.database.audit.list({ client: 'agence', limit: 4 })).map(({ act }) => act);
    expect(acts).toEqual([
      ...['gateway export-token revoke', 'gateway export-token make', 'gateway revoke-key', 'gateway rotate-key'],
    ]);
  });

  it('remove a gateway only for an admin who types its name, and not while enquiries wait', async () => {
    const page = `${PAGE}/remove`;
    expect((await operator.get(page)).status).toBe(403);
    const wrong = await admin.post(page, { name: 'kyero/other' }, page);
    expect([wrong.status, wrong.text.includes('nothing was removed')]).toEqual([422, true]);
    await console.db.query(`INSERT INTO outbox (gateway_id, kind, type, sealed) VALUES ($1, 'lead', 'lead', '\\x00')`, [
      gatewayId,
    ]);
    expect((await admin.post(page, { name: 'kyero/agence' }, page)).status).toBe(409);
    const done = await admin.post(page, { name: 'kyero/agence', 'with-leads': '1', reason: 'they left' }, page);
    expect(done).toMatchObject({ status: 303, location: '/gateways' });
    expect(await console.db.database.gateways.find('kyero', 'agence')).toBeNull();
    expect(await newest()).toMatchObject({ act: 'gateway remove', reason: 'they left' });
  });

  it("change an operator's role and remove a disabled operator, whose sessions end", async () => {
    const { operators } = console.db.database;
    const change = (fields: FormFields) => admin.post('/operators/change', fields, '/operators');
    await operators.add('zoe', 'viewer', 'x');
    const before = (await operators.find('zoe'))!.sessionEpoch;
    expect((await change({ act: 'role', name: 'zoe', role: 'operator' })).status).toBe(303);
    expect((await operators.find('zoe'))!.role).toBe('operator');
    expect((await change({ act: 'role', name: 'admin', role: 'viewer' })).status).toBe(409);
    expect((await change({ act: 'remove', name: 'admin' })).status).toBe(409);
    expect((await change({ act: 'remove', name: 'zoe' })).status).toBe(303);
    expect(await operators.find('zoe')).toBeNull();
    // A new operator with the same name does not get the old sessions.
    await operators.add('zoe', 'viewer', 'x');
    expect((await operators.find('zoe'))!.sessionEpoch).not.toBe(before);
    expect((await operator.post('/operators/change', { act: 'remove', name: 'zoe' }, '/gateways')).status).toBe(403);
  });
});
