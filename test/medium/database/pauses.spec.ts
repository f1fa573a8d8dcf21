import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SOON = new Date(Date.now() + 3_600_000);
const FIGURES = { everySeconds: 3600, overduePeriods: 3 };

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('pause in PostgreSQL', () => {
  let db: TestDatabase;
  const ids = new Map<string, number>();
  beforeAll(async () => {
    db = await createTestDatabase();
    await add('kyero', 'plain', 'https://feeds.example/a.xml');
    await add('kyero', 'login', 'https://user:p%40ss@Feeds.Example:8443/a.xml?u=other.example');
    await add('poliris', 'ftp', 'sftp://agency@FEEDS.example/out/*.zip');
    await add('poliris', 'inbox', 'file:agence.zip');
    await add('poliris', 'six', 'https://[2001:db8::1]:8443/a.xml');
  });
  afterAll(() => db.drop());
  afterEach(() => db.query('DELETE FROM pause'));

  async function add(crm: string, client: string, sourceUrl: string): Promise<void> {
    const id = await db.database.gateways.add(
      { crm, client, sourceUrl, settings: {}, credentials: null, everySeconds: null, contractEnd: null },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    ids.set(client, id);
  }
  const of = (own: Partial<{ client: string; crm: string; host: string }>) => ({
    gatewayId: own.client === undefined ? null : ids.get(own.client)!,
    ...{ crm: own.crm ?? null, host: own.host ?? null },
  });
  const pause = (own: Parameters<typeof of>[0], until: Date | null = null, reason: string | null = null) =>
    db.database.pauses.set(of(own), { until, reason, by: 'zoe' });
  const paused = async (): Promise<string[]> =>
    (await db.database.gateways.list()).filter(({ paused: it }) => it !== null).map(({ client }) => client);

  it.each([
    ['one gateway', { client: 'plain' }, ['plain']],
    ['all gateways of a connector', { crm: 'poliris' }, ['ftp', 'inbox', 'six']],
    ['all gateways of a host, however their addresses spell it', { host: 'feeds.example' }, ['login', 'plain', 'ftp']],
    ['the gateways of one connector at a host', { crm: 'kyero', host: 'feeds.example' }, ['login', 'plain']],
    ['all gateways of an IPv6 address', { host: '[2001:db8::1]' }, ['six']],
  ])('covers %s', async (_what, part, clients) => {
    expect(await pause(part)).toBe(clients.length);
    expect(await paused()).toEqual(clients);
    const summaries = await db.database.gatewaySummaries.list();
    expect(summaries.filter((row) => row.paused !== null).map(({ client }) => client)).toEqual(clients);
  });

  it.each([{ crm: 'nobody' }, { host: 'other.example' }, { crm: 'poliris', host: 'agence.zip' }])(
    'fails when it covers no gateway: %j',
    async (part) => {
      expect(await pause(part)).toBe(0);
      expect(await db.database.pauses.list()).toEqual([]);
    },
  );

  it('is shown when it ends last of several pauses, and the gateway resumes only after all pauses', async () => {
    await pause({ client: 'plain' }, SOON, 'first');
    await pause({ crm: 'kyero' }, null, 'last');
    await pause({ host: 'feeds.example' }, new Date(Date.now() + 60_000), 'short');
    const toldOf = async () => (await db.database.gatewaySummaries.find('kyero', 'plain'))?.paused?.reason;
    expect(await toldOf()).toBe('last');
    expect(await db.database.pauses.end(of({ crm: 'kyero' }))).toEqual({ resumed: 0, stillPaused: 2 });
    expect(await toldOf()).toBe('first');
    expect(await db.database.pauses.end(of({ client: 'plain' }))).toEqual({ resumed: 0, stillPaused: 1 });
    expect(await db.database.pauses.end(of({ host: 'feeds.example' }))).toEqual({ resumed: 3, stillPaused: 0 });
    expect(await db.database.pauses.end(of({ host: 'feeds.example' }))).toBeNull();
  });

  it('replaces an earlier pause of the same scope, and has no effect after its end', async () => {
    await pause({ crm: 'kyero' }, null, 'first');
    await pause({ crm: 'kyero' }, SOON, 'second');
    expect(await db.database.pauses.list()).toMatchObject([{ reason: 'second', gateways: 2, by: 'zoe' }]);
    await db.query(`UPDATE pause SET until = now() - interval '1 second'`);
    expect(await paused()).toEqual([]);
    expect(await db.database.pauses.list()).toEqual([]);
    await pause({ client: 'six' });
    expect(await db.query('SELECT crm FROM pause')).toEqual([{ crm: null }]);
  });

  describe('a pause that has not ended', () => {
    const id = () => ids.get('plain')!;
    const schedule = async () =>
      (
        await db.query<{ seconds: number; missed: number; state: string | null }>(
          `SELECT extract(epoch FROM next_run_at - now())::float8 AS seconds, missed_runs AS missed,
             (SELECT state FROM run WHERE gateway_id = t.gateway_id AND state = 'queued') AS state
           FROM gateway_schedule t WHERE gateway_id = $1`,
          [id()],
        )
      )[0]!;
    const due = () =>
      db.query(`UPDATE gateway_schedule SET next_run_at = now() - interval '5 hours' WHERE gateway_id = $1`, [id()]);
    const tick = () => db.database.schedule.requestDueRuns({ everySeconds: 3600, batch: 100 });
    beforeAll(() => db.query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 day'`));
    beforeEach(due);
    afterEach(() => db.query('DELETE FROM run'));

    it('requests no run, counts no run as missed, and sets the next run no later than the end of the pause', async () => {
      await pause({ client: 'plain' }, new Date(Date.now() + 600_000));
      expect(await tick()).toBe(0);
      const { seconds, ...rest } = await schedule();
      expect(rest).toEqual({ missed: 0, state: null });
      expect(Math.abs(seconds - 600)).toBeLessThan(60);
      await pause({ client: 'plain' });
      await due();
      expect(await tick()).toBe(0);
      expect((await schedule()).seconds).toBeGreaterThan(3000);
    });

    it('prevents runs that readers request', async () => {
      await pause({ host: 'feeds.example' });
      expect(await db.database.runRequests.requestForReader(id(), 'stale-read')).toBeNull();
      await db.database.pauses.end(of({ host: 'feeds.example' }));
      expect(await db.database.runRequests.requestForReader(id(), 'stale-read')).toEqual(expect.any(Number));
    });

    it('makes a planned run due immediately when an operator ends it early', async () => {
      await pause({ crm: 'kyero' });
      await tick();
      await db.database.pauses.end(of({ crm: 'kyero' }));
      expect((await schedule()).seconds).toBeLessThan(1);
      expect(await tick()).toBeGreaterThan(0);
      expect(await schedule()).toMatchObject({ state: 'queued' });
    });

    it('counts its gateways as paused in metrics, neither as late nor as failing', async () => {
      await db.query('UPDATE gateway_schedule SET failures = 1, failing_since = now() WHERE gateway_id = $1', [id()]);
      const figures = async () =>
        (await db.database.figures.load(FIGURES)).find(({ connector }) => connector === 'kyero');
      expect(await figures()).toMatchObject({ active: 2, paused: 0, failing: 1, withoutSnapshot: 2 });
      await pause({ client: 'plain' });
      expect(await figures()).toMatchObject({ active: 1, paused: 1, expired: 0, failing: 0, withoutSnapshot: 1 });
    });
  });

  it('is removed with its gateway', async () => {
    await pause({ client: 'six' });
    await db.database.gateways.remove(ids.get('six')!);
    expect(await db.query('SELECT 1 FROM pause')).toEqual([]);
  });
});
