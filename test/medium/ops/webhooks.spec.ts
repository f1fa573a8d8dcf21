import { SecretBox } from '@passerelle/domain';
import { type IngestorUnderTest, startIngestor } from '../ops-port/ingestor-under-test';
import { startSite, verified, type WebhookSite } from '../webhooks/webhook-site';
import { type OpsTerminal, opsTerminal, SECRETS_KEY } from './ops-terminal';

const NAMES = ['--crm', 'kyero', '--client', 'agency'];

// Real: the command line, PostgreSQL, the queue on it, an ingestor that sends. Fake: the site.
describe('ops webhook', () => {
  let site: WebhookSite;
  let ingestor: IngestorUnderTest;
  let terminal: OpsTerminal;

  beforeAll(async () => {
    site = await startSite();
    ingestor = await startIngestor({ secretsKey: SECRETS_KEY, allowPrivateSources: new Set([site.hostAndPort]) });
    await ingestor.addGateway();
    const env = { ALLOW_PRIVATE_SOURCES: site.hostAndPort };
    terminal = opsTerminal(ingestor.testDatabase.urlOf('ingest'), { env });
  });
  afterAll(async () => {
    await ingestor.close();
    await site.close();
  });

  const ask = async (...words: string[]) => terminal.json('webhook', ...words, ...NAMES);

  it('adds and tests a webhook, rotates its secret, sends a message again, and removes the webhook', async () => {
    const added = await ask('add', '--url', site.url, '--event', 'list.published', 'feed.held');
    const { id, secret } = added.value as { id: number; secret: string };
    expect(added.value).toMatchObject({ url: site.url, events: ['list.published', 'feed.held'] });
    const [stored] = await ingestor.testDatabase.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoint');
    expect(new SecretBox(SECRETS_KEY).open(stored!.secret)).toBe(secret);

    const tested = await ask('test', String(id));
    expect(tested).toMatchObject({ exitCode: 0, value: { state: 'delivered', status: 204, type: 'webhook.test' } });
    expect(verified(site.arrivals[0]!, secret).type).toBe('webhook.test');

    const rotated = (await ask('rotate', String(id), '--overlap', '0s')).value as { secret: string };
    const { id: message } = tested.value as { id: number };
    expect((await ask('replay', String(message))).value).toMatchObject({ state: 'delivered' });
    expect(verified(site.arrivals[1]!, rotated.secret).type).toBe('webhook.test');
    expect(() => verified(site.arrivals[1]!, secret)).toThrow();

    const listed = (await ask('list')).value as { webhooks: object[]; deliveries: object[] };
    expect(listed.webhooks).toEqual([expect.objectContaining({ id, url: site.url, disabled_at: null })]);
    expect(listed.deliveries).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain('whsec_');

    site.answer = (response) => response.writeHead(500).end();
    expect(await ask('test', String(id))).toMatchObject({ exitCode: 1, value: { status: 500 } });
    expect((await terminal.ops('webhook', 'list', ...NAMES)).out).toContain('answered 500');

    expect((await ask('remove', String(id))).value).toMatchObject({ removed: id });
    expect(await ask('remove', String(id))).toMatchObject({ exitCode: 1 });
  });

  it.each(['http://agence.example/hook', 'ftp://agence.example', 'hook'])('refuses the address %s', async (url) => {
    expect(await ask('add', '--url', url)).toMatchObject({ exitCode: 2 });
  });

  it('seals the secrets of webhooks again with a new SECRETS_KEY', async () => {
    const { secret } = (await ask('add', '--url', site.url)).value as { secret: string };
    const after = 'another-key-of-the-webhooks-of-operators';
    const { webhookAdmin } = ingestor.database;
    expect(await webhookAdmin.reseal(new SecretBox(after))).toEqual({ sealed: 0, unreadable: 1 });
    expect(await webhookAdmin.reseal(new SecretBox(after, SECRETS_KEY))).toEqual({ sealed: 1, unreadable: 0 });
    const [stored] = await ingestor.testDatabase.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoint');
    expect(new SecretBox(after).open(stored!.secret)).toBe(secret);
  });
});
