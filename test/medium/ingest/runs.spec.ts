import pg from 'pg';
import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import type { RunView } from '@passerelle/domain';
import type { RunnerOptions } from '../../../apps/ingestor/src/ingest/run-settings';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

// Real: PostgreSQL, HTTP, the connector. Fake: the CRM behind the HTTP server. The queue is not used.
describe('run of a gateway', () => {
  let db: TestDatabase;
  let registry: ConnectorRegistry;
  let crm: FeedServer;
  let gatewayId: number;

  beforeAll(async () => {
    registry = await loadRegistry();
  });
  beforeEach(async () => {
    db = await createTestDatabase();
    crm = await startFeedServer();
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'agency', sourceUrl: crm.url, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  });
  afterEach(async () => {
    await crm.close();
    await db.drop();
  });

  const serve = (properties: readonly string[], headers: Record<string, string> = {}): void => {
    crm.answer = { body: aKyeroFeed(properties), headers };
  };

  /** Waits for the first request at the CRM. After that, a run is in progress. */
  const untilAsked = (): Promise<void> => until(() => Promise.resolve(crm.requests.length > 0));

  async function runOnce(options: Partial<RunnerOptions> = {}, shutdown = new AbortController()): Promise<void> {
    const outbound = { allowPrivate: new Set([crm.hostAndPort]) };
    const runner = { registry, outbound, options: { leaseSeconds: 5, ...options } };
    await runWaiting(db.database, gatewayId, runner, shutdown);
  }

  async function run(request: { dryRun?: boolean; forced?: boolean } = {}): Promise<RunView> {
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops', ...request });
    await runOnce();
    const view = await db.database.runHistory.find(runId);
    if (view === null) throw new Error('the run is gone');
    return view;
  }

  async function served(): Promise<{ total: number; listings: { affId: string }[] } | null> {
    const gateway = await db.database.servedGateways.find('kyero', 'agency');
    if (!gateway?.snapshot) return null;
    const snapshot = { gatewayId: gateway.id, ...gateway.snapshot };
    const page = await db.database.listings.page(snapshot, 'normalized', 0, 10_000);
    return { total: gateway.snapshot.total, listings: JSON.parse(`[${String(page ?? '')}]`) };
  }

  it('publishes the listings of the feed in its order', async () => {
    serve(ids(7).map((id) => aProperty(id)));
    expect(await run()).toMatchObject({ state: 'published', records: 7, added: 7, rejected: 0 });
    expect((await served())?.listings.map(({ affId }) => affId)).toEqual(ids(7));
  });

  it('writes no listing, snapshot or change for an unchanged feed', async () => {
    serve(ids(7).map((id) => aProperty(id)));
    await run();
    const rows = () =>
      db.query(`SELECT (SELECT array_agg(xmin::text) FROM listing_version) v, (SELECT array_agg(xmin::text) FROM snapshot) s,
                       (SELECT count(*) FROM listing_change) c, (SELECT count(*) FROM snapshot_chunk) k`);
    const before = await rows();
    expect(await run()).toMatchObject({ state: 'unchanged', unchanged: 7, added: 0, records: 0 });
    // Other bytes around the same records: the run reads them, but maps and writes no record.
    crm.answer = { body: `${aKyeroFeed(ids(7).map((id) => aProperty(id)))}<!-- made at noon -->` };
    expect(await run()).toMatchObject({ state: 'unchanged', unchanged: 7, records: 7 });
    expect(await rows()).toEqual(before);
  });

  it('counts the missing duties of the whole current list, not only of the records that it has read', async () => {
    const inSpain = (id: string, fields: Record<string, string> = {}) => aProperty(id, { country: 'Spain', ...fields });
    const missing = async () => {
      const { id, duties } = { ...(await run()), ...(await db.database.feedStates.load(gatewayId)) };
      const warned = (await db.database.runHistory.warnings(id)).filter(({ code }) => code === 'duty_missing');
      return { duties, warned: warned.map(({ value, count }) => [value, count]) };
    };
    serve(ids(5).map((id) => inSpain(id)));
    const all = { 'es-certificado-energetico': 5 };
    expect(await missing()).toEqual({ duties: all, warned: [['es-certificado-energetico', 5]] });
    crm.answer = { body: `${aKyeroFeed(ids(5).map((id) => inSpain(id)))}<!-- made at noon -->` };
    expect(await missing()).toEqual({ duties: all, warned: [] });
    serve(ids(5).map((id) => inSpain(id, id === '3' ? { price: '1000' } : {})));
    expect(await missing()).toEqual({ duties: all, warned: [['es-certificado-energetico', 1]] });
    serve(ids(4).map((id) => inSpain(id, id === '3' ? { price: '1000' } : {})));
    expect(await missing()).toEqual({ duties: { 'es-certificado-energetico': 4 }, warned: [] });
    // Simulate changed rules: the run maps every record again, to the same listing.
    await db.query(`UPDATE listing_version SET record_hash = '', duties = 0`);
    await db.query(`UPDATE snapshot SET duties = '{}'`);
    await db.query(`UPDATE gateway SET feed_memory = '{}'`);
    expect(await missing()).toMatchObject({ duties: { 'es-certificado-energetico': 4 } });
    expect((await db.database.runHistory.list({ gatewayId, limit: 1 }))[0]?.state).toBe('unchanged');
  });

  it('confirms the list when the feed answers 304', async () => {
    serve([aProperty('1')], { etag: '"v1"' });
    await run();
    crm.answer = ({ headers }) => (headers['if-none-match'] === '"v1"' ? { status: 304 } : { status: 500 });
    expect(await run()).toMatchObject({ state: 'unchanged', unchanged: 1 });
    const gateway = await db.database.servedGateways.find('kyero', 'agency');
    expect(gateway?.confirmedAgeMs).toBeLessThan(5000);
  });

  it('counts one added, one changed and one removed listing', async () => {
    serve(ids(9).map((id) => aProperty(id)));
    await run();
    serve(['10', ...ids(8)].map((id) => aProperty(id, id === '3' ? { price: '1000' } : {})));
    expect(await run()).toMatchObject({ state: 'published', added: 1, changed: 1, removed: 1, unchanged: 7 });
    expect((await served())?.listings.map(({ affId }) => affId)).toEqual(['10', ...ids(8)]);
  });

  it('adds a removed listing again when it comes back', async () => {
    serve(ids(9).map((id) => aProperty(id)));
    await run();
    serve(ids(8).map((id) => aProperty(id)));
    await run();
    serve(ids(9).map((id) => aProperty(id)));
    expect(await run()).toMatchObject({ state: 'published', added: 1, changed: 0, removed: 0 });
    expect((await served())?.total).toBe(9);
  });

  describe('with a bad feed', () => {
    beforeEach(async () => {
      serve(ids(10).map((id) => aProperty(id)));
      await run();
    });

    const whole = aKyeroFeed(ids(10).map((id) => aProperty(id)));
    it.each([
      ['an empty answer', { body: '' }, 'failed', /empty/],
      ['a feed without listings', { body: aKyeroFeed([]) }, 'held', /empty/],
      [
        'a feed that ends between two records',
        { body: whole.slice(0, whole.indexOf('<property><id>6')) },
        'held',
        /complete/,
      ],
      ['a feed that ends inside a record', { body: whole.slice(0, whole.indexOf('R-6')) }, 'held', /complete/],
      ['an error page with status 200', { body: '<html><body>Bad gateway</body></html>' }, 'failed', /html/],
      ['a server error', { status: 503 }, 'failed', /503/],
      ['a missing page', { status: 404 }, 'failed', /404/],
      ['refused credentials', { status: 401 }, 'failed', /401/],
      [
        'an answer that is shorter than its Content-Length',
        { body: whole, headers: { 'content-length': String(whole.length + 9) } },
        'failed',
        /./,
      ],
      [
        'a feed with a third of the listings',
        { body: aKyeroFeed(ids(3).map((id) => aProperty(id))) },
        'held',
        /vanish/,
      ],
      [
        'a feed with other identifiers',
        { body: aKyeroFeed(ids(10).map((id) => aProperty(`x${id}`))) },
        'held',
        /identifiers/,
      ],
      [
        'a feed without prices',
        { body: aKyeroFeed(ids(10).map((id) => aProperty(id, { price_freq: '', price: '' }))) },
        'held',
        /./,
      ],
      [
        'records without identifiers',
        { body: aKyeroFeed(ids(10).map(() => aProperty(''))) },
        'held',
        /none of the feed/,
      ],
    ])('keeps the listings after %s', async (_what, answer, state, reason) => {
      const before = await served();
      crm.answer = answer;
      expect(await run()).toMatchObject({ state, reason: expect.stringMatching(reason) });
      expect(await served()).toEqual(before);
    });

    it('confirms nothing when it is held', async () => {
      await db.query(`UPDATE gateway SET confirmed_at = now() - interval '2 hours'`);
      serve([]);
      await run();
      const gateway = await db.database.servedGateways.find('kyero', 'agency');
      expect(gateway?.confirmedAgeMs).toBeGreaterThan(7_000_000);
    });

    it('publishes despite the gate when it is forced, and records the reason', async () => {
      serve(ids(3).map((id) => aProperty(id)));
      expect(await run({ forced: true })).toMatchObject({ state: 'published', removed: 7, forced: true });
      expect((await served())?.total).toBe(3);
      const reason = 'published by force: 7 of 10 listings (70 %) would vanish; at most 20 % may';
      expect(await db.query(`SELECT reason_code, reason, verdict FROM run WHERE forced`)).toEqual([
        { reason_code: 'forced', reason, verdict: [expect.objectContaining({ code: 'vanished' })] },
      ]);
    });

    it("applies the gateway's own gate settings", async () => {
      serve(ids(10).map((id) => aProperty(id, { town: Number(id) > 8 ? '' : 'Villeneuve' })));
      await db.database.gateways.change(gatewayId, { settings: { 'max-fill-drop': '0.3' } });
      expect(await run()).toMatchObject({ state: 'published', changed: 2 });
      serve(ids(10).map((id) => aProperty(id, { town: Number(id) > 6 ? '' : 'Villeneuve' })));
      await db.database.gateways.change(gatewayId, { settings: { 'max-fill-drop': '0.1' } });
      expect(await run()).toMatchObject({ state: 'held', reason: expect.stringMatching(/ville is filled in 60 %/) });
    });

    it('is held when its texts are garbled', async () => {
      const garble = (text: string): string => text.replace(/é/g, '\uFFFD');
      const properties = (beds: string): string[] =>
        ids(10).map((id) => aProperty(id, { beds, town: Number(id) > 3 ? 'Nîmes la grande' : 'Béziers-sur-mer' }));
      serve(properties('2'));
      await run();
      serve(properties('3').map(garble));
      expect(await run()).toMatchObject({
        state: 'held',
        reason: expect.stringMatching(/^the texts of .* are garbled/),
      });
    });

    it('repairs texts that were encoded twice', async () => {
      const properties = (beds: string): string[] =>
        ids(10).map((id) => aProperty(id, { beds, town: 'Béziers-sur-mer' }));
      serve(properties('2'));
      await run();
      serve(properties('3').map((text) => Buffer.from(text, 'utf8').toString('latin1')));
      expect(await run()).toMatchObject({ state: 'published', changed: 10 });
      const bodies = await db.query<{ body: string }>(
        'SELECT b.body FROM current_listing c JOIN listing_normalized b ON b.version_id = c.version_id',
      );
      expect(bodies.filter(({ body }) => body.includes('"ville":"Béziers-sur-mer"'))).toHaveLength(10);
    });

    it('changes nothing as a dry run, but reports what would have changed', async () => {
      serve(ids(9).map((id) => aProperty(id)));
      expect(await run({ dryRun: true })).toMatchObject({
        state: 'published',
        removed: 1,
        dry_run: true,
        snapshot: null,
      });
      const none = { added: [], changed: [] };
      expect(await db.query('SELECT difference FROM run WHERE dry_run')).toEqual([
        { difference: { ...none, removed: ['10'] } },
      ]);
      serve([]);
      expect(await run({ dryRun: true })).toMatchObject({ state: 'held', dry_run: true, snapshot: null });
      expect((await served())?.total).toBe(10);
      expect(await db.query('SELECT 1 FROM snapshot')).toHaveLength(1);
    });

    it('stays held for a decision only while it is the newest held run', async () => {
      serve([]);
      const first = await run();
      const second = await run();
      expect(await db.database.runHistory.find(first.id)).toMatchObject({ state: 'discarded' });
      expect(await db.database.runHistory.find(second.id)).toMatchObject({ state: 'held' });
    });
  });

  it('drops an invalid record, stores the reason, and publishes the others', async () => {
    serve([aProperty('1'), aProperty(''), '<property><id>3</id><town>Nowhere</property>', aProperty('4')]);
    const view = await run();
    expect(view).toMatchObject({ state: 'published', records: 4, added: 2, rejected: 2 });
    expect(await db.database.runHistory.rejections(view.id)).toMatchObject([
      { position: 2, code: 'missing_id' },
      { position: 3, code: 'malformed' },
    ]);
  });

  it('records the number of bytes that it has read when it fails', async () => {
    const body = '<html><body>Bad gateway</body></html>';
    crm.answer = { body };
    expect(await run()).toMatchObject({ state: 'failed', fetched_bytes: body.length });
  });

  it('stops when an operator cancels it, and records the cancellation as its reason', async () => {
    serve([aProperty('1')]);
    crm.answer = { delayMs: 8_000, body: '' };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const running = runOnce();
    await untilAsked();
    expect(await db.database.runRequests.requestCancel(runId)).toBe(true);
    await running;
    expect(await db.database.runHistory.find(runId)).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled by an operator',
    });
  });

  it.each(['publishes', 'confirms'])('%s nothing when it is cancelled at the last moment', async (what) => {
    serve([aProperty('1')]);
    if (what === 'confirms') await run();
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '2 hours'`);
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await db.query(
      `CREATE FUNCTION cancel() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.cancel_requested := true; RETURN NEW; END $$`,
    );
    await db.query(
      `CREATE TRIGGER cancel BEFORE UPDATE ON run FOR EACH ROW WHEN (OLD.state = 'queued') EXECUTE FUNCTION cancel()`,
    );
    await runOnce();
    expect(await db.database.runHistory.find(runId)).toMatchObject({
      ...{ state: 'cancelled', reason: 'cancelled by an operator' },
    });
    const gateway = await db.database.servedGateways.find('kyero', 'agency');
    if (what === 'publishes') expect(gateway?.snapshot).toBeNull();
    else expect(gateway?.confirmedAgeMs).toBeGreaterThan(7_000_000);
  });

  it('is not continued when it was cancelled after its worker was gone', async () => {
    crm.answer = { delayMs: 8_000, body: '' };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const fence = await db.database.leases.acquire(gatewayId, 'a worker that dies', 60);
    await db.database.runs.claim(gatewayId, fence ?? 0);
    await db.database.runRequests.requestCancel(runId);
    await db.query(`UPDATE gateway_lease SET expires_at = now() - interval '1 minute'`);
    await runOnce();
    expect(await db.database.runHistory.find(runId)).toMatchObject({ state: 'cancelled' });
  });

  it('makes no request when its gateway was disabled meanwhile', async () => {
    serve([aProperty('1')]);
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await db.database.gateways.setEnabled(gatewayId, false);
    await runOnce();
    expect(await db.database.runHistory.find(runId)).toMatchObject({
      state: 'cancelled',
      reason: 'the gateway does not run: it is disabled',
    });
    expect(crm.requests).toEqual([]);
  });

  it('makes no request while its gateway is paused, except as a dry run', async () => {
    serve([aProperty('1')]);
    const { pauses, runRequests, runHistory } = db.database;
    const runId = await runRequests.request({ gatewayId, trigger: 'ops' });
    await pauses.set({ gatewayId: null, crm: 'kyero', host: null }, { until: null, reason: 'they move', by: 'zoe' });
    await runOnce();
    const reason = 'the gateway does not run: its connector kyero is paused: they move';
    expect(await runHistory.find(runId)).toMatchObject({ state: 'cancelled', reason });
    expect(crm.requests).toEqual([]);
    const dry = await runRequests.request({ gatewayId, trigger: 'ops', dryRun: true });
    await runOnce();
    expect(await runHistory.find(dry)).toMatchObject({ state: 'published', dry_run: true });
  });

  it.each([
    [2, 'starts again', { state: 'published' }],
    [
      3,
      'fails',
      { state: 'failed', reason: '3 workers stopped in the middle of this run: were they killed for their memory?' },
    ],
  ])('whose previous %i workers crashed %s', async (workers, _what, outcome) => {
    serve([aProperty('1')]);
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await db.query('UPDATE run SET attempts = $1', [workers]);
    await runOnce();
    expect(await db.database.runHistory.find(runId)).toMatchObject(outcome);
    expect(crm.requests).toHaveLength(outcome.state === 'published' ? 1 : 0);
  });

  it('stays published when a later step fails', async () => {
    serve([aProperty('1')]);
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await db.query('ALTER TABLE gateway_schedule RENAME TO elsewhere');
    await expect(runOnce()).rejects.toThrow(/gateway_schedule/);
    expect(await db.database.runHistory.find(runId)).toMatchObject({ state: 'published', reason: null });
  });

  it('stores no notes of a worker whose lease has ended', async () => {
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const claimed = await db.database.runs.claim(
      gatewayId,
      (await db.database.leases.acquire(gatewayId, 'a', -1)) ?? 0,
    );
    await db.database.runs.claim(gatewayId, (await db.database.leases.acquire(gatewayId, 'b', 60)) ?? 0);
    await db.database.runNotes.addRejections(claimed!, [{ position: 1, code: 'malformed', message: 'late' }]);
    await db.database.runNotes.addWarnings(claimed!, [
      { code: 'unknown_word', field: 'type', value: 'yurt', count: 1, examples: [] },
    ]);
    expect([await db.database.runHistory.rejections(runId), await db.database.runHistory.warnings(runId)]).toEqual([
      [],
      [],
    ]);
  });

  describe('that a reader requests', () => {
    const ask = async (): Promise<number | null> => db.database.runRequests.requestForReader(gatewayId, 'stale-read');

    it('keeps its first requester and the id of the first request', async () => {
      const { runRequests, runHistory } = db.database;
      const runId = await runRequests.requestForReader(gatewayId, 'first-read', 'request-1');
      await runRequests.request({ gatewayId, trigger: 'ops', askedBy: 'marie', requestId: 'request-2' });
      expect(await runHistory.details(runId!)).toMatchObject({ askedBy: 'reader', requestId: 'request-1' });
    });

    it('is queued when the last run succeeded', async () => {
      serve([aProperty('1')]);
      await run();
      expect(await ask()).toEqual(expect.any(Number));
    });

    it.each([
      ['its source refuses the credentials', { status: 401 }, 'failed'],
      ['its source requests a pause', { status: 429, headers: { 'retry-after': '3600' } }, 'failed'],
      ['its list is held', { body: aKyeroFeed([]) }, 'held'],
    ])('waits for the schedule when %s', async (_what, answer, state) => {
      serve(ids(9).map((id) => aProperty(id)));
      await run();
      crm.answer = answer;
      expect(await run()).toMatchObject({ state });
      expect(await ask()).toBeNull();
      await db.query('UPDATE gateway_schedule SET next_run_at = now()');
      expect(await ask()).toEqual(expect.any(Number));
    });
  });

  it('restores the normal period when the source works again', async () => {
    crm.answer = { status: 401 };
    for (let n = 0; n < 6; n += 1) await run();
    serve([aProperty('1')]);
    await run();
    const [{ seconds }] = (await db.query<{ seconds: number }>(
      'SELECT extract(epoch FROM next_run_at - now())::float8 AS seconds FROM gateway_schedule',
    )) as [{ seconds: number }];
    expect(seconds).toBeLessThan(3600 * 1.2);
  });

  it('publishes nothing when another worker has taken over the gateway meanwhile', async () => {
    serve([aProperty('1')]);
    crm.answer = { delayMs: 8_000, body: aKyeroFeed([aProperty('1')]) };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const running = runOnce({ leaseSeconds: 60 });
    await untilAsked();
    await db.query(`UPDATE gateway_lease SET expires_at = now() - interval '1 minute'`);
    const fence = await db.database.leases.acquire(gatewayId, 'another worker', 60);
    await running;
    expect(await served()).toBeNull();
    expect(await db.database.runs.claim(gatewayId, fence ?? 0)).toMatchObject({ id: runId, attempt: 2 });
  });

  it('continues after an outage of the database, at most three times', async () => {
    serve([aProperty('1')]);
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    for (const state of ['running', 'running', 'failed']) {
      await loseDatabaseAtPublication(() => runOnce());
      expect(await db.database.runHistory.find(runId)).toMatchObject({ state });
    }
    expect(await served()).toBeNull();

    const again = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await loseDatabaseAtPublication(() => runOnce());
    await runOnce();
    expect(await db.database.runHistory.find(again)).toMatchObject({ state: 'published', added: 1 });
    const states = await db.query('SELECT state, attempts FROM run ORDER BY id');
    expect(states).toEqual([
      { state: 'failed', attempts: 3 },
      { state: 'published', attempts: 2 },
    ]);
  });

  /** Ends the connection of the run that waits to make its list the current one. */
  async function loseDatabaseAtPublication(publish: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM gateway FOR NO KEY UPDATE');
    const publishing = publish();
    const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await db.query(`SELECT pg_terminate_backend(pid) ${waiting}`)).length > 0);
    await publishing;
    await client.end();
  }

  it('is handed over to another worker when the process stops', async () => {
    crm.answer = { delayMs: 8_000, body: '' };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const shutdown = new AbortController();
    const running = runOnce({}, shutdown);
    await untilAsked();
    shutdown.abort();
    await running;
    expect(await db.database.runHistory.find(runId)).toMatchObject({ state: 'running' });
    serve([aProperty('1')]);
    await runOnce();
    expect(await db.database.runHistory.find(runId)).toMatchObject({ state: 'published' });
  });
});
