import { FakeWorker } from '../ops/fake-worker';
import type { ConsoleUnderTest, Visitor } from './console-under-test';
import { HELD, startWithGateways } from './gateways-on-pages';

// Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor.
describe('console lists', () => {
  let console: ConsoleUnderTest;
  let viewer: Visitor;
  let operator: Visitor;
  let add: (client: string) => Promise<number>;

  beforeAll(async () => {
    ({ console, viewer, operator, add } = await startWithGateways());
  });
  afterAll(() => console.close());

  it.each([
    ['/gateways?state=odd', 'The filter state has no value “odd”. It takes active, overdue, failing'],
    ['/gateways?state=held&state=failing', 'The filter state has no value “held,failing”'],
    ['/gateways?crm=apimo', 'The filter crm has no value “apimo”. It takes kyero.'],
    ['/gateways?sort=size', 'The filter sort has no value “size”'],
    ['/gateways?page=0', 'The filter page has no value “0”. It takes a number from 1.'],
    ['/runs?state=odd', 'It takes queued, running'],
    ['/runs?gateway=kyero', 'It takes crm/client.'],
    ['/runs?until=2026-02-31', 'The filter until has no value “2026-02-31”'],
    ['/runs?before=x', 'The filter before has no value “x”'],
    ['/audit?act=run', 'The filter act has no value “run”'],
    ['/audit.csv?until=yesterday', 'The filter until has no value “yesterday”'],
    ['/deliveries?kind=odd', 'It takes webhook'],
    ['/exports?only=odd', 'The filter only has no value “odd”'],
  ])('refuse the unknown filter of %s, and name what it takes', async (path, sentence) => {
    const { status, text } = await viewer.get(path);
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
    expect(text).not.toContain('<span lang="en">The filter');
  });

  it('apply an action to all gateways on the page', async () => {
    const { text } = await operator.get('/gateways?q=kyero/f');
    const ids = /name="page-ids" value="([\d,]+)"/.exec(text)![1]!;
    expect(text).toContain('all 2 on this page');
    const { text: next } = await operator.post(
      '/gateways/choose',
      { act: 'dry-run', scope: 'page', 'page-ids': ids },
      '/',
    );
    expect(next).toContain('These 2 gateways');
    for (const client of ['failing', 'fresh']) expect(next).toContain(`href="/gateways/kyero/${client}"`);
  });

  it('say since when a list is held, however many runs repeat it', async () => {
    const id = await add('repeated');
    const worker = new FakeWorker(console.db);
    await worker.run(id, { listings: ['A', 'B'] });
    const first = await worker.run(id, { listings: [] }, HELD);
    await console.db.query(
      `UPDATE run SET ended_at = now() - interval '3 days', held_since = now() - interval '3 days' WHERE id = $1`,
      [first],
    );
    await worker.run(id, { listings: [] }, { state: 'failed', reasonCode: 'timeout', reason: 'it did not answer' });
    await worker.run(id, { listings: [] }, HELD);
    const last = await worker.run(id, { listings: [] }, HELD);
    const { text } = await viewer.get('/gateways/kyero/repeated');
    expect(text).toMatch(new RegExp(`Run ${last} waits for a decision`));
    const [{ since }] = (await console.db.query<{ since: string }>(
      `SELECT (now() - held_since > interval '2 days')::text AS since FROM run WHERE id = $1`,
      [last],
    )) as [{ since: string }];
    expect(since).toBe('true');
    console.wait(11);
    expect((await viewer.get('/gateways?q=repeated')).text).toContain('3 days ago');
  });

  it('compare a held run with the served list, and lead on from a superseded run', async () => {
    const id = await add('compared');
    const worker = new FakeWorker(console.db);
    const served = await worker.run(id, { listings: ['A', 'B', 'C'] });
    const first = await worker.run(id, { listings: ['A'] }, HELD);
    const last = await worker.run(id, { listings: [] }, HELD);
    const { text } = await viewer.get(`/runs/${last}`);
    const plain = text.replace(/\s+/g, ' ');
    expect(plain).toContain(`<h1>Run ${last} of kyero/compared</h1>`);
    expect(plain).toContain(`Served now (<a href="/runs/${served}">${served}</a>)`);
    expect(plain).toMatch(/Listings<\/td>\s*<td class="figure"[^>]*>0<\/td>\s*<td class="figure"[^>]*>3<\/td>/);
    expect(plain).toContain('<dt>Held since</dt>');
    const { text: older } = await viewer.get(`/runs/${first}`);
    expect(older).toContain(`<a href="/runs/${last}">Continue with run ${last}, which replaced it</a>`);
  });

  it('show the progress of an action on many gateways', async () => {
    const ids = [await add('batch-1'), await add('batch-2')];
    const done = await operator.post('/gateways/act', { act: 'ingest', ids: ids.join(), shown: 'never,never' }, '/');
    const path = /href="(\/runs\/batches\/\d+)"/.exec(done.text)![1]!;
    expect((await viewer.get(path)).text).toContain('0 of 2 runs have ended.');
    await new FakeWorker(console.db).takeUp(ids[0]!, { listings: ['A'] });
    const { text } = await viewer.get(path);
    expect(text).toContain('1 of 2 runs have ended.');
    expect(text).toContain('<progress id="progress" max="2" value="1">');
    expect((await viewer.get('/runs/batches/999999')).status).toBe(404);
  });

  it('take a note with an operator and a time, and leave a snoozed gateway out of the decisions', async () => {
    const path = '/gateways/kyero/failing/follow-up';
    const refused = await operator.post(path, { note: '', assignee: 'nobody', snooze: '2020-01-01T00:00' }, '/');
    expect(refused.status).toBe(422);
    for (const field of ['Note: is missing', 'Taken care of by: is no operator', 'must end in the future'])
      expect(refused.text).toContain(field);
    expect((await viewer.post(path, { note: 'x' }, '/')).status).toBe(403);

    const note = { note: 'their server moves', assignee: 'operator', snooze: '2099-01-01T00:00' };
    expect((await operator.post(path, note, '/')).status).toBe(303);
    const { text } = await viewer.get('/gateways/kyero/failing');
    expect(text).toMatch(/<strong>operator<\/strong>: their server moves/);
    console.wait(11);
    const overview = (await viewer.get('/')).text;
    expect(overview).toContain('1 gateway is snoozed.');
    expect(overview).not.toMatch(/\(kyero\)\s+fails/);
    expect((await viewer.get('/gateways?state=failing')).text).toContain('operator: their server moves');
    expect((await operator.post(path, { act: 'end' }, '/')).status).toBe(303);
    expect((await operator.post(path, { act: 'end' }, '/')).status).toBe(409);
    const audit = await console.db.database.audit.list({ act: 'gateway note', limit: 9 });
    expect(audit.map(({ after, reason }) => [reason, after])).toEqual([
      [null, { note: null }],
      ['their server moves', { assignee: 'operator', snoozed_until: '2099-01-01T00:00:00.000Z' }],
    ]);
    console.wait(11);
  });

  it('say of how many gateways a cause is, and show the days that an ingestor has added up', async () => {
    expect((await viewer.get('/')).text).toContain('No day is added up yet');
    await console.db.database.installationDays.renew(90);
    console.wait(61);
    const { text } = await viewer.get('/');
    expect(text.replace(/\s+/g, ' ')).toMatch(/<strong>1 of \d gateways<\/strong> \(kyero\) fails: /);
    expect(text).toMatch(/aria-label="Failed runs: \d+ \w+ to \d+ \w+, UTC, highest [12]"/);
    expect(text.indexOf('Needs a decision')).toBeLessThan(text.indexOf('Gateways by state'));
    expect(text.replace(/\s+/g, ' ')).toContain('<a href="/gateways?state=failing" class="bad" ><strong>1</strong>');
  });
});
