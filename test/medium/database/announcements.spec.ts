import type { RunTrigger } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('announcer', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('is one process at a time, and stays the same process', async () => {
    const { announcements } = db.database;
    const held = await Promise.all(['a', 'b', 'c'].map((holder) => announcements.hold(holder, 60)));
    expect(held.filter(Boolean)).toHaveLength(1);
    const announcer = ['a', 'b', 'c'][held.indexOf(true)]!;
    expect(await announcements.hold(announcer, 60)).toBe(true);
    expect(await announcements.hold('d', 60)).toBe(false);
  });

  it('is replaced when it does not renew its term in time', async () => {
    const { announcements } = db.database;
    await db.query(`UPDATE announcer SET holder = 'gone', expires_at = clock_timestamp()`);
    expect(await announcements.hold('next', 60)).toBe(true);
    expect(await announcements.hold('gone', 60)).toBe(false);
  });

  it('is replaced when its term ends too late because the clock was set back', async () => {
    const { announcements } = db.database;
    await db.query(`UPDATE announcer SET holder = 'gone', expires_at = clock_timestamp() + interval '2 hours'`);
    expect((await announcements.facts(60)).silentSeconds).toBeGreaterThan(7_000);
    expect(await announcements.hold('next', 60)).toBe(true);
    expect(await announcements.hold('gone', 60)).toBe(false);
  });

  it('is replaced immediately when it releases its term; other processes cannot release that term', async () => {
    const { announcements } = db.database;
    await db.query(`UPDATE announcer SET holder = 'one', expires_at = clock_timestamp() + interval '1 minute'`);
    await announcements.letGo('other');
    expect(await announcements.hold('other', 60)).toBe(false);
    await announcements.letGo('one');
    expect(await announcements.hold('other', 60)).toBe(true);
  });
});

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('waiting runs', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  const ALL = { limit: 100, seconds: 60 };

  async function addGateway(crm: string, client: string): Promise<number> {
    return db.database.gateways.add(
      {
        ...{ crm, client, sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  }

  let gateways = 0;
  /** Requests runs of new gateways, one after the other, and returns their ids. */
  async function ask(crm: string, count: number, trigger: RunTrigger = 'schedule'): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      gateways += 1;
      const gatewayId = await addGateway(crm, `client-${gateways}`);
      ids.push(await db.database.runRequests.request({ gatewayId, trigger }));
    }
    return ids;
  }

  const take = async (options = ALL): Promise<number[]> =>
    (await db.database.announcements.claim(options)).map(({ runId }) => runId);

  /** Acts as a worker that starts a job. */
  async function begin(gatewayId: number): Promise<number> {
    const fence = await db.database.leases.acquire(gatewayId, 'a worker', 60);
    await db.database.runs.claim(gatewayId, fence ?? 0);
    return fence ?? 0;
  }

  const gatewayOf = async (run: number): Promise<number> =>
    (await db.query<{ gateway_id: number }>('SELECT gateway_id FROM run WHERE id = $1', [run]))[0]!.gateway_id;

  it('are claimed by one process each, even if several processes claim runs at the same time', async () => {
    const runs = await ask('kyero', 40);
    const taken = await Promise.all([1, 2, 3, 4].map(() => take({ ...ALL, limit: 15 })));
    expect(taken.flat().length).toBeGreaterThanOrEqual(15);
    const rest = await take();
    expect([...taken.flat(), ...rest].sort((a, b) => a - b)).toEqual(runs);
  });

  it('can be claimed again when their announcement expires, after runs that were never announced', async () => {
    const [first, second] = await ask('kyero', 2);
    expect(await take()).toEqual([first, second]);
    expect(await take()).toEqual([]);
    await db.query('UPDATE run SET announced_until = clock_timestamp() WHERE id = $1', [first]);
    const [third] = await ask('kyero', 1);
    expect(await take({ ...ALL, limit: 1 })).toEqual([third]);
    expect(await db.database.announcements.claim(ALL)).toMatchObject([{ runId: first, turn: 1, isAgain: true }]);
  });

  it('can be claimed again immediately after they are returned', async () => {
    const [first, second] = await ask('kyero', 2);
    await take();
    await db.database.announcements.release([second!]);
    expect(await db.database.announcements.claim(ALL)).toMatchObject([{ runId: second, turn: 2, isAgain: false }]);
    expect(first).toBeLessThan(second!);
  });

  it('are claimed in batches: first the runs that people requested, then the scheduled runs', async () => {
    const due = await ask('kyero', 3);
    const [wanted] = await ask('kyero', 1, 'ops');
    expect(await take({ ...ALL, limit: 2 })).toEqual([wanted, due[0]]);
    expect(await take({ ...ALL, limit: 2 })).toEqual(due.slice(1));
  });

  it('get turns that alternate between connectors, and first reads come before other runs', async () => {
    const kyero = await ask('kyero', 3);
    const [apimo] = await ask('apimo', 1);
    const [read] = await ask('kyero', 1, 'first-read');
    const turns = async () => (await db.database.announcements.claim(ALL)).map(({ runId, turn }) => [runId, turn]);
    expect(await turns()).toEqual([
      [kyero[0], 1],
      [apimo, 1],
      [read, 1],
      [kyero[1], 2],
      [kyero[2], 3],
    ]);
    const [later] = await ask('kyero', 1);
    const [secondRead] = await ask('kyero', 1, 'first-read');
    expect(await turns()).toEqual([
      [secondRead, 1],
      [later, 4],
    ]);
  });

  it('that were requested later stay behind runs that already waited while other runs were carried out', async () => {
    const kyero = await ask('kyero', 6);
    await take();
    for (const run of kyero.slice(0, 3)) await begin(await gatewayOf(run));
    const apimo = await ask('apimo', 2);
    const [more] = await ask('kyero', 1);
    expect(await db.database.announcements.claim(ALL)).toMatchObject([
      { runId: apimo[0], turn: 4 },
      { runId: apimo[1], turn: 5 },
      { runId: more, turn: 7 },
    ]);
  });

  it('start with turn 1 when no other run waits or is running', async () => {
    const runs = await ask('kyero', 3);
    await take();
    for (const run of runs) await db.database.runRequests.requestCancel(run);
    await ask('kyero', 1);
    expect(await db.database.announcements.claim(ALL)).toMatchObject([{ turn: 1 }]);
  });

  it('of a gateway with a lease wait until the lease ends', async () => {
    const [run] = await ask('kyero', 1);
    const gatewayId = await gatewayOf(run!);
    expect(await take()).toEqual([run]);
    const fence = await begin(gatewayId);
    const next = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    expect(await take()).toEqual([]);

    // The worker stops and returns its run.
    await db.database.leases.release(gatewayId, fence);
    expect(await take()).toEqual([run, next]);
    await begin(gatewayId);
    await db.query('UPDATE run SET announced_until = now()');
    expect(await take()).toEqual([]);
    // The worker is gone.
    await db.query('UPDATE gateway_lease SET expires_at = clock_timestamp()');
    expect(await take()).toEqual([run, next]);
  });

  it('can be claimed again when another run of the same gateway releases its lease', async () => {
    const [run] = await ask('kyero', 1);
    const gatewayId = await gatewayOf(run!);
    const dry = await db.database.runRequests.request({ gatewayId, trigger: 'ops', dryRun: true });
    expect((await take()).sort((a, b) => a - b)).toEqual([run, dry]);
    const fence = await begin(gatewayId);
    await db.database.runRequests.requestCancel(run!);
    await db.query(`UPDATE run SET state = 'cancelled', ended_at = now() WHERE id = $1`, [run]);
    await db.database.leases.release(gatewayId, fence);
    expect(await take()).toEqual([dry]);
  });

  it('have a position among all waiting runs', async () => {
    const { announcements } = db.database;
    const kyero = await ask('kyero', 3);
    const [apimo] = await ask('apimo', 1);
    await take();
    const [unknown] = await ask('apimo', 1);
    const places = await Promise.all([...kyero, apimo!, unknown!].map((run) => announcements.positionOf(run)));
    expect(places).toEqual([1, 3, 4, 2, 5]);
    await begin(await gatewayOf(kyero[0]!));
    expect(await announcements.positionOf(kyero[0]!)).toBeNull();
    expect(await announcements.positionOf(apimo!)).toBe(1);
  });
});
