import { createHash } from 'node:crypto';
import { SecretBox } from '@passerelle/domain';
import { type ConsoleUnderTest, SECRETS_KEY, startConsole, type Visitor } from './console-under-test';

const PAGE = '/gateways/kyero/agency/push';
const URL = 'https://agence.example/hook';

// Real: the console under its role, PostgreSQL. No worker delivers the messages.
describe('console page of webhooks', () => {
  let console: ConsoleUnderTest;
  let operator: Visitor;
  let viewer: Visitor;
  let gatewayId: number;

  beforeAll(async () => {
    console = await startConsole();
    const { database } = console.db;
    gatewayId = await database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'agency', sourceUrl: 'https://crm.example/feed.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32, 1), prefix: 'psr_a' },
    );
    operator = await console.signedIn('operator');
    viewer = await console.signedIn('viewer');
  });
  afterAll(() => console.close());

  const act = (fields: Record<string, string | string[]>) => operator.post(PAGE, fields, PAGE);
  const secretOf = (text: string): string => /whsec_[\w+/=]+/.exec(text.replaceAll('&#x3D;', '='))?.[0] ?? '';
  const stored = async (): Promise<{ id: number; secret: Buffer; old_secret: Buffer | null; events: string[] }> =>
    (
      await console.db.query<Awaited<ReturnType<typeof stored>>>(
        'SELECT id, secret, old_secret, events FROM webhook_endpoint',
      )
    )[0]!;
  const opened = (sealed: Buffer | null): string => (sealed === null ? '' : new SecretBox(SECRETS_KEY).open(sealed));

  it('adds a webhook and shows its secret once, rotates the secret, and tests, replays and removes the webhook', async () => {
    const added = await act({ act: 'add', url: URL, events: ['list.published', 'feed.held'] });
    expect(added.status).toBe(200);
    const first = await stored();
    expect([opened(first.secret), first.events]).toEqual([secretOf(added.text), ['list.published', 'feed.held']]);
    expect((await operator.get(PAGE)).text).not.toContain('whsec_');

    const rotated = await act({ act: 'rotate', id: String(first.id) });
    const second = await stored();
    expect([opened(second.secret), opened(second.old_secret)]).toEqual([secretOf(rotated.text), secretOf(added.text)]);

    expect((await act({ act: 'test', id: String(first.id) })).status).toBe(303);
    const [delivery] = await console.db.query<{ id: number }>('SELECT id FROM outbox');
    await console.db.query(`UPDATE outbox SET state = 'failed', ended_at = now(), status = 500, answer = '<b>no</b>'`);
    expect((await viewer.get(PAGE)).text).toContain('&lt;b&gt;no&lt;/b&gt;');
    expect((await act({ act: 'replay', id: String(delivery!.id) })).status).toBe(303);
    expect(await console.db.query('SELECT state FROM outbox ORDER BY id')).toEqual([
      { state: 'failed' },
      { state: 'pending' },
    ]);

    await console.db.query(`UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'gone'`);
    expect((await viewer.get('/gateways/kyero/agency')).text).toContain('A webhook is disabled');
    expect((await act({ act: 'remove', id: String(first.id) })).status).toBe(303);
    expect(await stored()).toBeUndefined();
    const acts = await console.db.query<{ act: string }>('SELECT act FROM audit ORDER BY id');
    expect(acts.map((one) => one.act)).toEqual(['webhook add', 'webhook rotate', 'webhook remove']);
  });

  it.each([
    [{ act: 'add', url: 'http://10.0.0.1/hook' }, 'The address must be'],
    [{ act: 'remove', id: '999' }, 'kyero/agency has no webhook 999'],
    [{ act: 'replay', id: '999' }, 'kyero/agency has no message 999'],
    [{ act: 'rotate', id: 'x' }, 'contains no valid action'],
  ])('explains why it refuses %j', async (fields, sentence) => {
    const { status, text } = await act(fields);
    expect(status).toBe(422);
    expect(text).toContain(sentence);
  });

  it('shows webhooks to a viewer, who cannot change them', async () => {
    const { text } = await viewer.get(PAGE);
    expect(text).not.toContain('name="act"');
    expect((await viewer.post(PAGE, { act: 'add', url: URL }, '/')).status).toBe(403);
  });

  it('shows inbound webhook URLs by their first letters, with the number of listings that wait for a run', async () => {
    const { inboundWebhookUrls, webhookInbox } = console.db.database;
    const address = { hash: Buffer.alloc(32, 5), prefix: 'psc_abc', secret: Buffer.from('sealed') };
    await inboundWebhookUrls.open(gatewayId, address, 0);
    await webhookInbox.store(gatewayId, ['7', '8'], 'request');
    const { text } = await viewer.get(PAGE);
    expect(text).toContain('/in/psc_abc…');
    expect(text).toContain('2 listings wait for a run');
  });

  describe('for inbound webhook URLs', () => {
    const AGENTUR = '/gateways/propstack/agentur/push';
    const opening = (fields: Record<string, string>) => operator.post(AGENTUR, { act: 'open', ...fields }, AGENTUR);
    const addresses = () =>
      console.db.query<{ id: number; hash: Buffer; secret: Buffer; left: number | null }>(
        `SELECT id, hash, secret, round(extract(epoch FROM expires_at - now()) / 3600)::int AS left FROM call_address a
         WHERE gateway_id = (SELECT id FROM gateway WHERE client = 'agentur') ORDER BY id`,
      );
    const secretsOf = (text: string): string[] =>
      [...text.matchAll(/<code class="secret">([^<]+)</g)].map(([, secret]) => secret!);

    beforeAll(async () => {
      await console.db.database.gateways.add(
        {
          ...{ crm: 'propstack', client: 'agentur', sourceUrl: 'https://api.example/', settings: {} },
          ...{ credentials: null, everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.alloc(32, 2), prefix: 'psr_b' },
      );
    });

    it('opens a URL and shows its secret once, ends earlier URLs after the overlap, and closes the URL', async () => {
      const first = await opening({ overlap: '7' });
      expect(first.status).toBe(200);
      const [path, secret] = secretsOf(first.text);
      const [stored] = await addresses();
      const hash = createHash('sha256').update(path!.slice('/in/'.length)).digest();
      expect([stored!.hash, opened(stored!.secret), stored!.left]).toEqual([hash, secret, null]);
      expect((await operator.get(AGENTUR)).text).not.toContain(secret);

      const own = 'a secret that the CRM has made';
      const second = await opening({ overlap: '1', secret: own });
      expect(second.text).not.toContain(own);
      const [before, after] = await addresses();
      expect([before!.left, opened(after!.secret)]).toEqual([24, own]);

      const closed = await operator.post(AGENTUR, { act: 'close', id: String(before!.id) }, AGENTUR);
      expect([closed.status, (await addresses()).map(({ id }) => id)]).toEqual([303, [after!.id]]);
      const recorded = await console.db.database.audit.list({ crm: 'propstack', limit: 9 });
      expect(recorded.map(({ act, who, through }) => `${act} ${who} ${through}`)).toEqual([
        'call-address close operator console',
        'call-address open operator console',
        'call-address open operator console',
      ]);
      expect(JSON.stringify(recorded)).not.toContain(secret);
    });

    it.each([
      [{ act: 'open', secret: 'short' }, 'needs at least'],
      [{ act: 'close', id: '999' }, 'propstack/agentur has no address 999'],
    ])('explains why it refuses input, and keeps the input: %j', async (fields, sentence) => {
      const { status, text } = await operator.post(AGENTUR, { overlap: '30', ...fields }, AGENTUR);
      expect(status).toBe(422);
      expect(text).toContain(sentence);
      expect(text).toMatch(/value="30" selected/);
      if ('secret' in fields) expect(text).toContain('value="short"');
    });

    it('offers URLs only for CRMs that send webhooks, and only to operators', async () => {
      const kyero = await act({ act: 'open', overlap: '7' });
      expect([kyero.status, kyero.text]).toEqual([422, expect.stringContaining('This CRM makes no calls.')]);
      const { text } = await viewer.get(AGENTUR);
      expect(text).not.toContain('name="act"');
      for (const one of ['open', 'close']) {
        expect((await viewer.post(AGENTUR, { act: one, id: '1' }, '/')).status).toBe(403);
      }
    });
  });

  it('keeps the chosen events when it refuses a webhook', async () => {
    const { text } = await act({ act: 'add', url: 'http://10.0.0.1/hook', events: ['feed.held'] });
    expect(text).toMatch(/value="feed.held" checked/);
    expect(text).not.toMatch(/value="list.published" checked/);
  });
});
