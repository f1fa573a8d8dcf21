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

  it('say of how many gateways a cause is, and show the days that an ingestor has added up', async () => {
    expect((await viewer.get('/')).text).toContain('No day is added up yet');
    await console.db.database.installationDays.renew(90);
    console.wait(61);
    const { text } = await viewer.get('/');
    expect(text.replace(/\s+/g, ' ')).toMatch(/<strong>1 of [34] gateways<\/strong> \(kyero\) fails: /);
    expect(text).toMatch(/aria-label="Failed runs: \d+ \w+ to \d+ \w+, UTC, highest [12]"/);
    expect(text.indexOf('Needs a decision')).toBeLessThan(text.indexOf('Gateways by state'));
    expect(text.replace(/\s+/g, ' ')).toContain('<a href="/gateways?state=failing" class="bad" ><strong>1</strong>');
  });
});
