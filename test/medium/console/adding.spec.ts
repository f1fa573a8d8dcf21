import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { type ConsoleUnderTest, startConsole, tokenOf, type Visitor } from './console-under-test';

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

  it('reads a file of a spreadsheet: semicolons, in UTF-16', async () => {
    const csv =
      'crm;client;source;every\r\nkyero;from-file;https://feeds.example.org/file.xml;50m\r\nkyero;b d;x;soon;\r\n';
    const form = new FormData();
    form.set('_csrf', tokenOf((await operator.get('/gateways/new/csv')).text));
    form.set('act', 'preview');
    form.set('csv', '');
    form.set('file', new Blob([Buffer.from(`\uFEFF${csv}`, 'utf16le')]), 'agences.csv');
    const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${console.url}/gateways/new/csv`, { method: 'POST', headers: { cookie }, body: form });
    const text = await answer.text();
    expect([answer.status, text.includes('1 can be added, 1 cannot')]).toEqual([200, true]);
    expect(text).toContain('kyero;from-file;https://feeds.example.org/file.xml;50m');
    for (const column of ['client', 'source', 'every']) expect(text).toContain(`<code>${column}</code>: takes`);
  });

  it('refuses a form with a file that is cut, and one without the token', async () => {
    const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (body: string): Promise<Response> =>
      fetch(`${console.url}/gateways/new/csv`, {
        ...{ method: 'POST', body },
        headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
      });
    const part = '--x\r\ncontent-disposition: form-data; name="csv"\r\n\r\na';
    expect((await send(part)).status).toBe(400);
    expect((await send(`${part}\r\n--x--\r\n`)).status).toBe(403);
  });

  it('names all invalid fields in one answer, and marks required ones', async () => {
    const { text: form } = await operator.get('/connectors/kyero/add');
    expect(form.match(/<strong>\(required\)<\/strong>/g)).toHaveLength(2);
    const typed = { act: 'add', client: 'b d', source: 'gopher://x', every: 'soon', 'set:max-vanished-share': 'many' };
    const { status, text } = await operator.post('/connectors/kyero/add', typed, '/connectors/kyero/add');
    expect(status).toBe(422);
    for (const [at, id] of ['client', 'source', 'set-max-vanished-share', 'every'].entries()) {
      expect(text).toContain(`<a href="#field-${id}">`);
      expect(text.replace(/\s+/g, ' ')).toMatch(
        new RegExp(`id="field-${id}"[^>]*aria-invalid="true" aria-describedby="problem${at === 0 ? '' : at}"`),
      );
    }
  });

  it('keeps input that is not CSV, and shows no cell of the input in the error', async () => {
    const csv = 'crm,client\nkyero,"hunter2';
    const { status, text } = await operator.post('/gateways/new/csv', { act: 'preview', csv }, '/gateways/new/csv');
    expect(status).toBe(422);
    expect(text).toContain('kyero,&quot;hunter2</textarea');
    expect(/id="problem">([^<]*)</.exec(text)?.[1]).not.toContain('hunter2');
  });
});
