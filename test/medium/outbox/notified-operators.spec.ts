import { SecretBox } from '@passerelle/domain';
import { addChannel, addRule, testChannel } from '@passerelle/operations';
import { startMailServer, type MailServer } from '../../support/mail-server';
import { until } from '../../support/waiting';
import { type IngestorUnderTest, startIngestor } from '../ops-port/ingestor-under-test';
import { startSite, verified, type WebhookSite } from '../webhooks/webhook-site';

const SECRETS_KEY = 'the-key-of-the-notifications-of-this-run';
const ACTOR = { name: 'a test', through: 'ops' } as const;

// Real: PostgreSQL, the ingestor and its worker, SMTP, HTTP. Fake: the answers of the chat.
describe('operators', () => {
  let mail: MailServer;
  let site: WebhookSite;
  let ingestor: IngestorUnderTest;
  const box = new SecretBox(SECRETS_KEY);

  beforeAll(async () => {
    [mail, site] = [await startMailServer(), await startSite()];
    ingestor = await startIngestor({
      ...{ secretsKey: SECRETS_KEY, mailUrl: mail.url, mailFrom: 'Passerelle <ops@gateway.example>' },
      ...{
        notifyEmail: ['operators@gateway.example', 'boss@gateway.example'],
        allowPrivateSources: new Set([site.hostAndPort]),
      },
    });
  });
  afterAll(async () => {
    await ingestor.close();
    await Promise.all([mail.stop(), site.close()]);
  });

  const add = (kind: 'slack' | 'teams' | 'webhook', path: string) =>
    addChannel(
      ingestor.database,
      ACTOR,
      { kind, address: `${site.url}/${path}`, quiet: null },
      box,
      new Set([site.hostAndPort]),
    );

  it('are notified of a failing gateway by e-mail and by chat, with the reason and without any address', async () => {
    const slack = await add('slack', 'T1/SECRET');
    const json = await add('webhook', 'json');
    for (const channelId of [slack.id, json.id])
      await addRule(ingestor.database, ACTOR, {
        ...{ channelId, event: 'failing', crm: null, client: null, afterFailures: 1, repeatSeconds: null },
      });
    const gatewayId = await ingestor.addGateway({ client: 'agence-du-port' });
    await ingestor.testDatabase.query(
      `INSERT INTO run (gateway_id, trigger, state, ended_at, reason) VALUES ($1, 'schedule', 'failed', now(), 'the source answered 403')`,
      [gatewayId],
    );
    await ingestor.testDatabase.query(
      'UPDATE gateway_schedule SET failures = 3, failing_since = now() WHERE gateway_id = $1',
      [gatewayId],
    );
    await until(() => Promise.resolve(mail.mails.length > 0 && site.arrivals.length > 1));
    const [letter] = mail.mails;
    expect(letter?.to).toEqual(['operators@gateway.example', 'boss@gateway.example']);
    expect(letter?.raw).toMatch(/^Subject: Passerelle: kyero\/agence-du-port fails\r$/m);
    expect(letter?.raw).toContain('the source answered 403');
    const chat = site.arrivals.find(({ path }) => path.endsWith('SECRET'));
    expect(JSON.parse(chat?.body ?? '')).toEqual({
      text: expect.stringMatching(
        /^\*Passerelle: kyero\/agence-du-port fails\*\n.*\(3 times in succession, since .* UTC\): the source answered 403$/,
      ),
    });
    const signed = verified(
      site.arrivals.find(({ path }) => path.endsWith('json'))!,
      json.secret!,
    );
    expect(signed).toMatchObject({
      type: 'operator.notices',
      data: { total: 1, items: [{ client: 'agence-du-port', count: 3 }] },
    });
    expect(JSON.stringify([letter, ...site.arrivals.map(({ body }) => body)])).not.toContain(ingestor.crm.url);
  });

  it('can test a channel, and a failed test is not repeated', async () => {
    const { id } = await add('teams', 'team');
    const delivery = await testChannel(ingestor.database, id);
    await until(async () => (await ingestor.database.outboxLog.find(delivery))?.state !== 'pending');
    expect(await ingestor.database.outboxLog.find(delivery)).toMatchObject({ state: 'delivered', status: 204 });
    site.answer = (response) => response.writeHead(404).end('no such channel');
    const failing = await testChannel(ingestor.database, id);
    await until(async () => (await ingestor.database.outboxLog.find(failing))?.state !== 'pending');
    expect(await ingestor.database.outboxLog.find(failing)).toMatchObject({
      ...{ state: 'failed', status: 404, tries: 1, error: 'answered 404', channel: `http://${site.hostAndPort}/…` },
    });
  });

  it.each([
    ['email', 'operators', null, '"operators" is not an e-mail address'],
    ['slack', 'http://10.0.0.1/hook', null, 'the address of such a channel is a public https address'],
    ['email', 'a@b.example', '7-22', '"7-22" is not two hours of the day, such as 22-07'],
  ] as const)(
    'cannot add a channel %s with the address %s and the quiet time %s',
    async (kind, address, quiet, message) => {
      await expect(addChannel(ingestor.database, ACTOR, { kind, address, quiet }, box, new Set())).rejects.toThrow(
        message,
      );
    },
  );
});
