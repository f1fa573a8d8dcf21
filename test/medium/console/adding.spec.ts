import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { type ConsoleUnderTest, startConsole, type Visitor } from './console-under-test';

const FEED = readFileSync(join(__dirname, '../../../libs/connectors/src/sources/kyero/__fixtures__/v3.xml'));

// Real: the console over HTTP, PostgreSQL, the connector, the feed's server.
describe('console form for new gateways', () => {
  let console: ConsoleUnderTest;
  let operator: Visitor;
  let server: FeedServer;
  beforeAll(async () => {
    server = await startFeedServer();
    console = await startConsole({ ALLOW_PRIVATE_SOURCES: server.hostAndPort });
    await console.db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    operator = await console.signedIn('operator');
  });
  afterAll(async () => {
    await server.close();
    await console.close();
  });
  const gateways = () => console.db.query('SELECT client FROM gateway ORDER BY client');

  it('reads a feed as a trial, stores nothing, and shows listings, rejections, warnings and the input', async () => {
    server.answer = { body: FEED };
    const typed = { act: 'try', client: 'tried', source: server.url, 'credential:token': 'hunter2' };
    const { status, text } = await operator.post('/connectors/kyero/add', typed, '/connectors/kyero/add');
    expect(status).toBe(200);
    expect(text).toContain('5 listings in 6 records');
    expect(text).toContain('an unknown word');
    expect(text).toContain('<code>igloo</code>');
    expect(text).toContain('value="tried"');
    expect(await gateways()).toEqual([]);
    expect(await console.db.query('SELECT id FROM audit')).toEqual([]);
    // Trials and runs share the rate limit of the source.
    expect(await console.db.query('SELECT key FROM host_budget')).toEqual([{ key: server.hostAndPort }]);
  });

  it('names the problem of an unreadable feed, and keeps the input', async () => {
    server.answer = { status: 404 };
    const typed = { act: 'try', client: 'tried', source: server.url };
    const { status, text } = await operator.post('/connectors/kyero/add', typed, '/connectors/kyero/add');
    expect([status, text.includes('The feed cannot be read')]).toEqual([200, true]);
    expect(text).toContain('value="tried"');
  });

  it('refuses a source in a private network that ingestors would refuse', async () => {
    const typed = { act: 'try', client: 'tried', source: 'http://127.0.0.1:1/x.xml' };
    expect((await operator.post('/connectors/kyero/add', typed, '/connectors/kyero/add')).status).toBe(422);
  });

  it('checks each line of a CSV, adds the valid gateways, and shows keys that work', async () => {
    const csv = [
      'crm,client,source,every,credential:token',
      'kyero,one,https://feeds.example.org/1.xml,50m,hunter2',
      'kyero,two,https://feeds.example.org/2.xml,,',
      'kyero,two,https://feeds.example.org/3.xml,,',
      'nobody,three,https://feeds.example.org/3.xml,,',
      'kyero,four,gopher://feeds.example.org/4.xml,,',
    ].join('\n');
    const seen = await operator.post('/gateways/new/csv', { act: 'preview', csv }, '/gateways/new/csv');
    expect(seen.text).toContain('2 can be added, 3 cannot');
    expect(seen.text).toContain('Add these 2');
    for (const problem of ['is taken', 'names a connector', 'takes an http:']) expect(seen.text).toContain(problem);
    expect(await gateways()).toEqual([]);
    const added = await operator.post('/gateways/new/csv', { act: 'add', csv }, '/gateways/new/csv');
    expect(added.text).toContain('2 were added, 3 were not');
    expect(added.text.match(/<code>psr_[^<]+<\/code>/g)).toHaveLength(2);
    expect(added.text).not.toContain('hunter2');
    expect(await gateways()).toEqual([{ client: 'one' }, { client: 'two' }]);
    const again = await operator.post('/gateways/new/csv', { act: 'add', csv }, '/gateways/new/csv');
    expect(again.text).toContain('0 were added, 5 were not');
    expect(await console.db.database.audit.list({ act: 'gateway add', limit: 9 })).toHaveLength(2);
  });

  it('keeps input that is not CSV, and shows no cell of the input in the error', async () => {
    const csv = 'crm,client\nkyero,"hunter2';
    const { status, text } = await operator.post('/gateways/new/csv', { act: 'preview', csv }, '/gateways/new/csv');
    expect(status).toBe(422);
    expect(text).toContain('kyero,&quot;hunter2</textarea');
    expect(/id="problem">([^<]*)</.exec(text)?.[1]).not.toContain('hunter2');
  });
});
