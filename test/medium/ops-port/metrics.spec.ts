import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { BEARER, type IngestorUnderTest, startIngestor } from './ingestor-under-test';
import { until } from '../../support/waiting';

// Real: HTTP, PostgreSQL, the queue on it, the runs. Fake: the CRM. The ingestor caches figures of the database for
// five seconds, which is longer than the usual time limit of a test.
describe('/metrics', () => {
  let ingestor: IngestorUnderTest;
  const feeds = new Map<string, { status?: number; body?: string }>();

  beforeAll(async () => {
    ingestor = await startIngestor();
    ingestor.crm.answer = ({ url = '' }) => feeds.get(url) ?? { status: 404 };
    for (const client of ['sound', 'shrinking', 'away']) await addGateway(client);
    await ingestor.database.gateways.setEnabled(await addGateway('disabled'), false);
    await addGateway('over', '2020-01-31');
    feeds.set('/sound', { body: aKyeroFeed([...ids(9), ''].map((id) => aProperty(id))) });
    feeds.set('/shrinking', { body: aKyeroFeed(ids(20).map((id) => aProperty(id))) });
    feeds.set('/away', { status: 403 });
    for (const client of ['sound', 'shrinking', 'away']) await run(client);
    feeds.set('/shrinking', { body: aKyeroFeed(ids(2).map((id) => aProperty(id))) });
    for (const client of ['sound', 'shrinking']) await run(client);
  });
  afterAll(async () => {
    await ingestor.close();
  });

  async function addGateway(client: string, contractEnd: string | null = null): Promise<number> {
    const id = await ingestor.addGateway({ client, contractEnd });
    await ingestor.testDatabase.query('UPDATE gateway SET source_url = $2 WHERE id = $1', [
      id,
      `http://${ingestor.crm.hostAndPort}/${client}`,
    ]);
    return id;
  }

  async function run(client: string): Promise<void> {
    const { id } = (await ingestor.database.gateways.find('kyero', client)) ?? { id: 0 };
    const runId = await ingestor.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    await until(async () => ((await ingestor.database.runHistory.find(runId))?.ended_at ?? null) !== null);
  }

  /** The values of our metrics, by name and labels. */
  async function scrape(): Promise<Map<string, number>> {
    const { status, headers, text } = await ingestor.get('/metrics', BEARER);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/plain; version=/),
    });
    const lines = text.split('\n').filter((line) => line.startsWith('passerelle_'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }

  async function settled(line: string, value: number): Promise<Map<string, number>> {
    await until(async () => (await scrape()).get(line) === value);
    return scrape();
  }

  it("shows the state of a connector's gateways", async () => {
    const lines = await settled('passerelle_runs_held{connector="kyero"}', 1);
    const figures = Object.fromEntries(
      [...lines].filter(([line]) => /_(gateways|listings|runs_held|missed)/.test(line)),
    );
    expect(figures).toMatchObject({
      'passerelle_gateways{connector="kyero",state="active"}': 3,
      'passerelle_gateways{connector="kyero",state="disabled"}': 1,
      'passerelle_gateways{connector="kyero",state="expired"}': 1,
      'passerelle_gateways_failing{connector="kyero"}': 1,
      'passerelle_gateways_without_snapshot{connector="kyero"}': 1,
      'passerelle_gateways_overdue{connector="kyero"}': 0,
      'passerelle_listings{connector="kyero"}': 29,
      'passerelle_missed_runs{connector="kyero"}': 0,
      'passerelle_runs_held{connector="kyero"}': 1,
    });
    expect(figures['passerelle_gateways_failing_longest_seconds{connector="kyero"}']).toBeGreaterThan(0);
  });

  it('counts runs by state and reason, records, rejections and changes, starting at zero', async () => {
    const lines = await scrape();
    const one = (name: string, labels = ''): number | undefined =>
      lines.get(`passerelle_${name}{connector="kyero"${labels}}`);
    expect({
      published: one('runs_total', ',state="published",reason="none"'),
      unchanged: one('runs_total', ',state="unchanged",reason="none"'),
      vanished: one('runs_total', ',state="held",reason="vanished"'),
      refused: one('runs_total', ',state="failed",reason="fix-access"'),
      internal: one('runs_total', ',state="failed",reason="internal"'),
      records: one('records_total'),
      rejections: one('rejections_total'),
      added: one('listing_changes_total', ',kind="added"'),
      durations: one('run_duration_seconds_count', ',state="published"'),
      waits: one('run_wait_seconds_count'),
    }).toEqual({
      ...{ published: 2, unchanged: 1, vanished: 1, refused: 1, internal: 0 },
      // The runs read ten records (one without an identifier), then twenty, then two. An unchanged feed is not read
      // again.
      ...{ records: 32, rejections: 1, added: 29, durations: 2, waits: 5 },
    });
  });

  it('measures the age of the freshest and of the stalest snapshot', async () => {
    await ingestor.testDatabase.query(
      `UPDATE gateway SET confirmed_at = now() - interval '5 hours' WHERE client = 'shrinking'`,
    );
    await until(async () => ((await scrape()).get('passerelle_gateways_overdue{connector="kyero"}') ?? 0) === 1);
    const lines = await scrape();
    expect(lines.get('passerelle_snapshot_age_seconds{connector="kyero",which="freshest"}')).toBeLessThan(60);
    expect(lines.get('passerelle_snapshot_age_seconds{connector="kyero",which="stalest"}')).toBeGreaterThan(17_990);
  });

  it('counts waiting and abandoned runs, webhook messages and inbound webhooks, with their ages', async () => {
    const { testDatabase } = ingestor;
    await testDatabase.query(
      `INSERT INTO webhook_endpoint (gateway_id, slot, url, events, secret, failures, disabled_at)
       SELECT g.id, slot, 'https://agence.example/' || slot, '{feed.held}', '', failures, disabled_at FROM gateway g,
         (VALUES (1, 0, NULL), (2, 3, NULL), (3, 0, now()), (4, 0, now())) AS t (slot, failures, disabled_at)
       WHERE g.client = 'sound'`,
    );
    await testDatabase.query(
      `INSERT INTO outbox (gateway_id, endpoint_id, kind, type, data, at, next_try_at)
       SELECT e.gateway_id, e.id, 'webhook', 'feed.held', '{}', now() - make_interval(hours => n), now() + interval '1 hour'
       FROM generate_series(1, 3) AS n JOIN webhook_endpoint e ON e.disabled_at IS NULL AND (e.failures > 0 OR n = 1)`,
    );
    // The run waits for a worker of another machine.
    await testDatabase.query(
      `INSERT INTO gateway_lease (gateway_id, fence, holder, expires_at)
       SELECT id, 1, 'elsewhere', now() + interval '1 hour' FROM gateway WHERE client = 'away'
       ON CONFLICT (gateway_id) DO UPDATE SET expires_at = excluded.expires_at`,
    );
    const [{ id } = { id: 0 }] = await testDatabase.query<{ id: number }>(
      `INSERT INTO run (gateway_id, trigger, requested_at) SELECT id, 'ops', now() - interval '1 hour' FROM gateway
       WHERE client = 'away' RETURNING id`,
    );
    await testDatabase.query(
      `INSERT INTO call_note (gateway_id, listing, first_at)
       SELECT id, unnest('{7,8}'::text[]), now() - interval '2 hours' FROM gateway WHERE client = 'sound'`,
    );
    const lines = await settled('passerelle_queue_runs{connector="kyero",state="waiting"}', 1);
    expect(lines.get('passerelle_queue_runs{connector="kyero",state="abandoned"}')).toBe(0);
    expect(lines.get('passerelle_queue_oldest_waiting_seconds{connector="kyero"}')).toBeGreaterThan(3_590);
    expect(lines.get('passerelle_run_slots')).toBe(4);
    expect(lines.get('passerelle_webhooks_disabled{connector="kyero"}')).toBe(2);
    const of = (name: string, webhook: string): number =>
      lines.get(`passerelle_webhook_${name}{connector="kyero",webhook="${webhook}"}`) ?? -1;
    expect([of('pending', 'well'), of('pending', 'failing')]).toEqual([1, 3]);
    const hours = ['well', 'failing'].map((webhook) => of('oldest_pending_seconds', webhook) / 3600);
    expect(hours.map(Math.floor)).toEqual([1, 3]);
    expect(lines.get('passerelle_calls_waiting{connector="kyero"}')).toBe(2);
    expect(Math.floor((lines.get('passerelle_calls_oldest_waiting_seconds{connector="kyero"}') ?? 0) / 3600)).toBe(2);
    await testDatabase.query('DELETE FROM call_note');
    await testDatabase.query('DELETE FROM webhook_endpoint');
    await testDatabase.query('DELETE FROM run WHERE id = $1', [id]);
    await testDatabase.query('UPDATE gateway_lease SET expires_at = now()');
  });

  it('contains no name of an agency', async () => {
    const { text } = await ingestor.get('/metrics');
    expect(text).not.toMatch(/sound|shrinking|127\.0\.0\.1/);
  });

  it('reports an unavailable database, and omits the figures of the database meanwhile', async () => {
    await ingestor.testDatabase.query('BEGIN');
    await ingestor.testDatabase.query('LOCK TABLE gateway IN ACCESS EXCLUSIVE MODE');
    const lines = await settled('passerelle_database_up', 0);
    expect([...lines.keys()].filter((line) => line.startsWith('passerelle_gateways'))).toEqual([]);
    expect(lines.get('passerelle_runs_total{connector="kyero",state="published",reason="none"}')).toBe(2);

    await ingestor.testDatabase.query('ROLLBACK');
    const later = await settled('passerelle_database_up', 1);
    expect(later.get('passerelle_gateways{connector="kyero",state="active"}')).toBe(3);
  });
});
