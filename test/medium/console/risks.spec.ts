import { FakeWorker } from '../ops/fake-worker';
import { type GatewaysOnPages, HELD, startWithGateways } from './gateways-on-pages';

// Real: the console over HTTP, PostgreSQL with the operating role, sessions. Fake: the ingestor and the clock.
describe('console acts with a risk', () => {
  let console: GatewaysOnPages['console'];
  let operator: GatewaysOnPages['operator'];
  let add: GatewaysOnPages['add'];

  beforeAll(async () => {
    ({ console, operator, add } = await startWithGateways());
  });
  afterAll(() => console.close());

  const isEnabled = async (client: string): Promise<boolean> =>
    (await console.db.database.gateways.find('kyero', client))!.enabled;

  it('disable a gateway only with a reason, one by one and together', async () => {
    const gateway = await add('careful');
    const page = '/gateways/kyero/careful';
    const { text } = await operator.get(page);
    expect(text).toContain('Its sites get 403 immediately');
    const without = await operator.post(`${page}/act`, { act: 'disable', reason: ' ' }, page);
    expect(without.status).toBe(422);
    expect(without.text).toContain('The reason is missing');
    const together = await operator.post('/gateways/act', { act: 'disable', ids: String(gateway) }, '/gateways');
    expect([together.status, await isEnabled('careful')]).toEqual([422, true]);
    expect(together.text).toContain(`value="${gateway}"`);
    await operator.post(`${page}/act`, { act: 'disable', reason: 'they left' }, page);
    expect(await isEnabled('careful')).toBe(false);
  });

  it('on many gateways are one entry of the audit, which lists its parts', async () => {
    const ids = [await add('one-of'), await add('two-of')];
    await operator.post('/gateways/act', { act: 'disable', ids: ids.join(','), reason: 'they merged' }, '/gateways');
    const { audit } = console.db.database;
    const [whole] = await audit.list({ limit: 1 });
    const expected = { act: 'gateway disable', client: null, after: { gateways: 2 }, reason: 'they merged' };
    expect(whole).toMatchObject({ ...expected, hasParts: true, partOf: null });
    const parts = await audit.list({ partOf: whole!.id, limit: 9 });
    expect(parts.map(({ client, partOf }) => [client, partOf])).toEqual([
      ['two-of', whole!.id],
      ['one-of', whole!.id],
    ]);
    expect((await audit.list({ crm: 'kyero', client: 'one-of', limit: 9 })).map(({ act }) => act)).toEqual([
      'gateway disable',
    ]);
    const { text } = await operator.get('/audit');
    expect([text.includes(`href="/audit?part_of=${whole!.id}"`), text.includes('one-of')]).toEqual([true, false]);
    expect(text).toMatch(/<time datetime="[^"]+">\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<\/time>/);
    expect((await operator.get(`/audit?part_of=${whole!.id}`)).text).toContain('kyero/one-of');
    expect((await operator.get('/audit.csv')).text).toContain(`"one-of","","{""enabled"":true}"`);
  });

  it('refuse a reason that is too long, and show it again whole', async () => {
    await add('long');
    const page = '/gateways/kyero/long';
    // A browser counts a line break as one character and sends two.
    const fits = `${'a'.repeat(249)}\r\n${'b'.repeat(250)}`;
    const long = `${'c'.repeat(500)}<end>`;
    const refused = await operator.post(`${page}/act`, { act: 'disable', reason: long }, page);
    expect([refused.status, await isEnabled('long')]).toEqual([409, true]);
    expect(refused.text).toContain(`${'c'.repeat(500)}&lt;end&gt;</blockquote>`);
    expect(refused.text).toContain('A reason has at most 500 characters, and this one has 505.');
    expect((await operator.post(`${page}/act`, { act: 'disable', reason: fits }, page)).status).toBe(303);
    const [recorded] = await console.db.database.audit.list({ client: 'long', limit: 1 });
    expect(recorded!.reason).toBe(fits.replace('\r\n', '\n'));
  });

  it('publish a held run in red, after a sentence with its effect, and discard it without', async () => {
    const gateway = await add('judged');
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B', 'C'] });
    const run = await worker.run(gateway, { listings: ['A'] }, HELD);
    const { text } = await operator.get(`/runs/${run}`);
    expect(text).toContain('2 listings go, 0 come, 0 change');
    expect(text).toMatch(/<button class="danger" name="verdict" value="publish">/);
    expect(text).toMatch(/<button class="second" name="verdict" value="discard">/);
    const long = await operator.post(
      `/runs/${run}/decide`,
      { verdict: 'discard', reason: 'd'.repeat(501) },
      `/runs/${run}`,
    );
    expect(long.status).toBe(422);
    expect(long.text).toContain(`${'d'.repeat(501)}</textarea>`);
  });

  it('show the typed reason again when the session has ended, but not text from another site', async () => {
    await add('expired');
    const page = '/gateways/kyero/expired';
    const form = { act: 'disable', reason: 'they <left> us' };
    const [, token] = /name="_csrf" value="([^"]+)"/.exec((await operator.get(page)).text)!;
    console.wait(31 * 60);
    const late = await operator.send(`${page}/act`, { _csrf: token!, ...form });
    expect([late.status, await isEnabled('expired')]).toEqual([401, true]);
    expect(late.text).toContain('they &lt;left&gt; us</blockquote>');
    expect(late.text).toContain('href="/sign-in?to=%2Fgateways%2Fkyero%2Fexpired"');
    const forged = await console.visitor().send(`${page}/act`, form);
    expect([forged.status, forged.text.includes('&lt;left&gt;')]).toEqual([403, false]);
    const own = await console.visitor().send(`${page}/act`, form, { 'sec-fetch-site': 'same-origin' });
    expect([own.status, own.text.includes('&lt;left&gt;')]).toEqual([403, true]);
  });
});
