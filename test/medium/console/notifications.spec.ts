import { SecretBox } from '@passerelle/domain';
import { type ConsoleUnderTest, type FormFields, SECRETS_KEY, startConsole, type Visitor } from './console-under-test';

// Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor, which would send the messages.
describe('console page of notifications', () => {
  let console: ConsoleUnderTest;
  let operator: Visitor;
  const post = (fields: FormFields) => operator.post('/notifications', fields, '/notifications');
  const channels = () => console.db.database.notificationChannels.list();
  const rules = () => console.db.database.notificationChannels.rules();

  beforeAll(async () => {
    console = await startConsole();
    operator = await console.signedIn('operator');
  });
  afterAll(() => console.close());
  afterEach(() => console.db.query('DELETE FROM notification_channel'));

  it('adds a channel with a sealed address, and shows the secret of a webhook only once', async () => {
    const url = 'https://hooks.example.org/T0/secret-part';
    const added = await post({ act: 'add-channel', kind: 'webhook', address: url, quiet: '22-07' });
    const secret = /class="secret">(whsec_[^<]+)</.exec(added.text)![1]!;
    const { text } = await operator.get('/notifications');
    expect(text).toContain('https://hooks.example.org/…');
    expect(text).not.toMatch(new RegExp(`secret-part|${secret.replace(/[+/=]/g, '.')}`));
    const [stored] = await console.db.query<{ address: Buffer }>('SELECT address FROM notification_channel');
    expect(new SecretBox(SECRETS_KEY).open(stored!.address)).toBe(url);
    const [recorded] = await console.db.database.audit.list({ limit: 1 });
    expect(recorded).toMatchObject({ act: 'notify channel add', who: 'operator', through: 'console' });
    expect(JSON.stringify(recorded)).not.toContain('secret-part');
  });

  it('adds rules for one connector, sends a test, and removes rules and channels', async () => {
    await post({ act: 'add-channel', kind: 'email', address: 'ops@agence.example', quiet: '' });
    const [channel] = await channels();
    const id = String(channel!.id);
    const added = await post({
      ...{ act: 'add-rule', channel: id, event: ['failing', 'held'], crm: 'kyero', after: '3', repeat: '0' },
    });
    expect(added).toMatchObject({ status: 303, location: '/notifications' });
    const about = { channelId: channel!.id, crm: 'kyero', client: null, afterFailures: 3, repeatSeconds: null };
    expect(await rules()).toMatchObject([
      { ...about, event: 'failing' },
      { ...about, event: 'held' },
    ]);
    const viewer = await console.signedIn('viewer');
    const { text } = await viewer.get('/notifications');
    expect([text.includes('a gateway fails'), text.includes('action="/notifications"')]).toEqual([true, false]);
    expect((await viewer.post('/notifications', { act: 'test', id }, '/')).status).toBe(403);
    const tested = await post({ act: 'test', id });
    expect(tested.text).toContain('A test message is on its way');
    expect(await console.db.query(`SELECT type, state FROM outbox WHERE kind = 'notification'`)).toEqual([
      { type: 'test', state: 'pending' },
    ]);
    await post({ act: 'remove-rule', id: String((await rules())[0]!.id) });
    expect((await rules()).map(({ event }) => event)).toEqual(['held']);
    await post({ act: 'remove-channel', id });
    expect([await channels(), await rules()]).toEqual([[], []]);
  });

  it.each([
    [{ act: 'add-channel', kind: 'email', address: 'nobody' }, 'is not an e-mail address'],
    [{ act: 'add-channel', kind: 'slack', address: 'http://127.0.0.1/x' }, 'is a public https address'],
    [{ act: 'add-channel', kind: 'email', address: 'a@b.example', quiet: '7-22' }, 'is not two hours of the day'],
    [{ act: 'add-rule', channel: '1' }, 'Choose at least one event'],
    [{ act: 'add-rule', channel: '1', event: 'held', after: '0' }, 'Failures are a number'],
    [{ act: 'add-rule', channel: '999', event: 'held' }, 'there is no channel 999'],
    [{ act: 'test', id: '999' }, 'there is no channel 999'],
  ] as [FormFields, string][])('refuses %j with a sentence, and keeps the input', async (fields, sentence) => {
    const refused = await post(fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(sentence);
    if (typeof fields['address'] === 'string') expect(refused.text).toContain(`value="${fields['address']}"`);
    expect(await channels()).toEqual([]);
  });
});
