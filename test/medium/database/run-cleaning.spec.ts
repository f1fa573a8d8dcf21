import { setTimeout as sleep } from 'node:timers/promises';
import { noFigures } from '@passerelle/domain';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { eventually } from '../../support/waiting';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('cleaning of runs', () => {
  let db: TestDatabase;
  let gatewayId: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    gatewayId = await addGateway('k');
  });
  afterEach(async () => {
    await db.drop();
  });

  async function addGateway(client: string): Promise<number> {
    return db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client), prefix: 'psr_x' },
    );
  }

  /** Adds runs at this interval over this number of days. The last run has just ended. */
  async function addRuns(state: string, days: number, every: string, of = gatewayId): Promise<void> {
    await db.query(
      `INSERT INTO run (gateway_id, trigger, state, requested_at, started_at, ended_at, records)
       SELECT $1, 'schedule', $2, t, t, t + interval '2 seconds', 7
       FROM generate_series(now() - make_interval(days => $3), now() - interval '1 second', $4::interval) AS t`,
      [of, state, days, every],
    );
  }

  async function clean(): Promise<{ folded: number; expired: number }> {
    const sum = { folded: 0, expired: 0 };
    for (;;) {
      const due = await db.database.runCleaning.due();
      if (due.length === 0) return sum;
      const { folded, expired } = await db.database.runCleaning.clean(due, { keepDays: 90 });
      sum.folded += folded;
      sum.expired += expired;
    }
  }

  const count = async (where = 'true'): Promise<number> =>
    (await db.query<{ count: number }>(`SELECT count(*) FROM run WHERE ${where}`))[0]?.count ?? 0;

  /** The number of runs that the rows of each day represent. */
  const standFor = (): Promise<{ day: string; runs: number; first: string; last: string }[]> =>
    db.query(
      `SELECT (ended_at AT TIME ZONE 'UTC')::date AS day, sum(coalesce(folded_runs, 1)) AS runs,
              min(coalesce(folded_since, started_at)) AS first, max(ended_at) AS last
       FROM run GROUP BY 1 ORDER BY 1`,
    );

  it('leaves at most 150 rows after 90 days of confirmations every five minutes, and still counts each run', async () => {
    await addRuns('unchanged', 89, '5 minutes');
    const newest = await db.query('SELECT id FROM run ORDER BY id DESC LIMIT 50');
    const days = await standFor();
    // The newest 50 runs cover about four hours. Early in the day, these are all runs of today.
    const [older] = await db.query<{ days: number; lines: number }>(
      `SELECT count(*)::int AS days, count(*) FILTER (WHERE runs > 1)::int AS lines
       FROM (SELECT count(*) AS runs FROM (SELECT ended_at FROM run ORDER BY id DESC OFFSET 50) AS run
             GROUP BY (ended_at AT TIME ZONE 'UTC')::date) AS day`,
    );

    await clean();

    expect(await count()).toBeLessThanOrEqual(150);
    expect(await standFor()).toEqual(days);
    expect(await db.query('SELECT id FROM run WHERE folded_runs IS NULL ORDER BY id DESC LIMIT 50')).toEqual(newest);
    // One line per older day, and the newest 50 runs. A single run of a day keeps its own row.
    expect(await count('folded_runs IS NOT NULL')).toBe(older?.lines);
    expect(await count()).toBe((older?.days ?? 0) + 50);
  });

  it('adds later runs to the existing line of their day', async () => {
    for (let round = 0; round < 8; round += 1) {
      await db.query(
        `INSERT INTO run (gateway_id, trigger, state, started_at, ended_at)
         SELECT $1, 'schedule', 'unchanged', t, t
         FROM generate_series(1, 13) AS n, LATERAL (SELECT timestamptz '2026-03-01Z' + make_interval(mins => $2 + n)) AS s (t)`,
        [gatewayId, round * 13],
      );
      await db.query('UPDATE gateway_schedule SET unfolded_runs = unfolded_runs + 13');
      for (const id of await db.database.runCleaning.due()) {
        await db.database.runCleaning.clean([id], { keepDays: 100_000 });
      }
    }
    expect(await standFor()).toMatchObject([{ day: '2026-03-01', runs: 104 }]);
    // Further runs stay separate until there are ten of them.
    expect(await count()).toBeLessThanOrEqual(61);
    expect(await count('folded_runs IS NOT NULL')).toBe(1);
  });

  it('combines the runs of a gateway only when the gateway has ten more runs than the cleaning keeps', async () => {
    const { schedule, runCleaning } = db.database;
    await clean();
    await db.query(`UPDATE gateway_schedule SET unfolded_runs = 58`);
    await schedule.noteSuccess(gatewayId, 3_600, 'unchanged');
    await schedule.noteSuccess(gatewayId, 3_600, 'held');
    expect(await runCleaning.due()).toEqual([]);
    await schedule.noteSuccess(gatewayId, 3_600, 'unchanged');
    expect(await runCleaning.due()).toEqual([gatewayId]);
  });

  it("checks each gateway once a day, and more often until the gateway's old runs are gone", async () => {
    const { runCleaning } = db.database;
    const old: Record<number, number> = { [gatewayId]: 200 };
    old[await addGateway('as-many')] = 200;
    const more = await addGateway('more');
    old[more] = 301;
    for (const [id, runs] of Object.entries(old)) {
      await db.query(
        `INSERT INTO run (gateway_id, trigger, state, started_at, ended_at)
         SELECT $1, 'schedule', 'failed', t, t FROM generate_series(1, $2) AS n, LATERAL (SELECT now() - interval '95 days' + n * interval '1 s' AS t) x`,
        [Number(id), runs],
      );
    }
    const due = await runCleaning.due();
    expect(await runCleaning.clean(due, { keepDays: 90 })).toEqual({ folded: 0, expired: 700 });
    expect([due.length, await runCleaning.due()]).toEqual([3, [more]]);
    expect(await clean()).toEqual({ folded: 0, expired: 1 });
  });

  it('keeps published, failed, cancelled and dry runs for 90 days, and held runs longer', async () => {
    await db.query(
      `INSERT INTO run (gateway_id, trigger, state, started_at, ended_at, dry_run)
       SELECT $1, 'schedule', state, t, t + interval '1 minute', state = 'unchanged'
       FROM generate_series(now() - interval '95 days', now() - interval '1 second', '1 day') AS t,
         unnest('{published,failed,cancelled,held,unchanged}'::text[]) AS state
       ORDER BY t`,
      [gatewayId],
    );
    await clean();
    for (const state of ['published', 'failed', 'cancelled', 'unchanged']) {
      expect([state, await count(`state = '${state}'`)]).toEqual([state, 90]);
    }
    expect(await count(`state = 'held'`)).toBe(95);
    expect(await count('folded_runs IS NOT NULL')).toBe(0);
  });

  it('keeps the run of a readable list, however old', async () => {
    await addRuns('published', 100, '100 days');
    await db.query(`INSERT INTO snapshot (gateway_id, run_id, published_at) SELECT gateway_id, id, ended_at FROM run`);
    await clean();
    expect(await count()).toBe(1);
  });

  it('keeps the runs of the newest five lists, however old', async () => {
    await addRuns('published', 103, '1 day');
    await db.query(`DELETE FROM run WHERE ended_at > now() - interval '95 days'`);
    await clean();
    expect(await count()).toBe(5);
    expect(await count(`ended_at > now() - interval '100 days 1 hour'`)).toBe(5);
  });

  it('keeps the run of a list that was replaced within three days, and removes earlier runs', async () => {
    await db.query(
      `INSERT INTO run (gateway_id, trigger, state, started_at, ended_at)
       SELECT $1, 'schedule', 'published', t, t FROM unnest(ARRAY[now() - interval '103 days', now() - interval '102 days',
         now() - interval '101 days', now() - interval '71 hours', now() - interval '4 hours', now() - interval '3 hours',
         now() - interval '2 hours', now() - interval '1 hour']) AS t`,
      [gatewayId],
    );
    await clean();
    expect(await count()).toBe(6);
    expect(await count(`ended_at < now() - interval '101 days 1 hour'`)).toBe(0);
  });

  async function noteAll(): Promise<void> {
    await db.query(
      `INSERT INTO rejection (run_id, position, code, message) SELECT id, 1, 'malformed', 'broken' FROM run`,
    );
    await db.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples) SELECT id, 'unknown-value', 'f', 'v', 1, '{}' FROM run`,
    );
    await db.query(`INSERT INTO run_log (run_id, lines, earlier) SELECT id, '[]', 0 FROM run`);
  }

  /** The numbers of rejections, warnings and log lines, and how many of them have no run any more. */
  async function notes(): Promise<{ all: number[]; left: number[] }> {
    const [row] = await db.query<{ all: number[]; left: number[] }>(
      `SELECT array_agg(n ORDER BY t) AS all, array_agg(l ORDER BY t) AS left FROM (
         ${['rejection', 'run_warning', 'run_log']
           .map(
             (table) =>
               `SELECT '${table}' AS t, count(*)::int AS n, count(*) FILTER (WHERE r.id IS NULL)::int AS l
                FROM ${table} LEFT JOIN run r ON r.id = run_id`,
           )
           .join(' UNION ALL ')}) AS counted`,
    );
    return row!;
  }

  it('removes the notes of the removed runs, and keeps the notes of the others', async () => {
    await addRuns('unchanged', 3, '10 minutes');
    await noteAll();
    await clean();
    const runs = await count();
    expect(await notes()).toEqual({ all: [runs, runs, runs], left: [0, 0, 0] });
    expect(runs).toBeLessThan(60);
    await db.database.gateways.remove(gatewayId);
    expect(await notes()).toEqual({ all: [0, 0, 0], left: [0, 0, 0] });
  });

  it('leaves no orphaned notes when its process is killed', async () => {
    await addRuns('unchanged', 3, '10 minutes');
    await noteAll();
    const before = await count();
    const other = new pg.Client({ connectionString: db.url });
    await other.connect();
    // While the query waits for this lock, it has deleted the runs, but no notes.
    await other.query('BEGIN');
    await other.query('SELECT FROM rejection FOR UPDATE');
    const cleaning = clean().catch((error: unknown) => error);
    const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await db.query(`SELECT ${waiting}`)).length || undefined);
    // The server ends the connection of a killed process in the same way.
    await db.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    expect(await cleaning).toBeInstanceOf(Error);
    await other.end();

    expect(await count()).toBe(before);
    expect(await notes()).toEqual({ all: [before, before, before], left: [0, 0, 0] });
    await clean();
    expect((await notes()).left).toEqual([0, 0, 0]);
    expect(await count()).toBeLessThan(60);
  });

  it('prevents new notes of a run during its removal', async () => {
    await addRuns('published', 1, '1 day');
    await db.query('UPDATE run SET fence = 1');
    const [run] = await db.query<{ id: number; fence: number }>('SELECT id, fence FROM run');
    const other = new pg.Client({ connectionString: db.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('DELETE FROM run');
    const noted = Promise.all([
      db.database.runNotes.addRejections(run!, [{ position: 1, code: 'malformed', message: 'broken' }]),
      db.database.runNotes.keepLines(run!, [], 0),
    ]);
    await sleep(200);
    await other.query('COMMIT');
    await noted;
    await other.end();
    expect(await notes()).toEqual({ all: [0, 0, 0], left: [0, 0, 0] });
  });

  it('never adds runs of one gateway to the line of another', async () => {
    const other = await addGateway('other');
    await addRuns('unchanged', 3, '1 hour');
    await addRuns('unchanged', 3, '2 hours', other);
    const sums = (): Promise<object[]> =>
      db.query('SELECT gateway_id, sum(coalesce(folded_runs, 1)) FROM run GROUP BY 1 ORDER BY 1');
    const before = await sums();
    await clean();
    expect(await sums()).toEqual(before);
  });

  it('leaves the number of combined runs visible in lists of runs', async () => {
    await addRuns('unchanged', 1, '5 minutes');
    await clean();
    const views = await db.database.runHistory.list({ gatewayId, limit: 1_000 });
    expect(views.reduce((sum, { folded }) => sum + (folded?.runs ?? 1), 0)).toBe(288);
    const [line] = views.filter(({ folded }) => folded !== undefined).slice(-1);
    expect(Date.parse(line!.folded!.first_started_at!)).toBeLessThan(Date.parse(line!.started_at!));
  });

  it('counts each run once when several ingestors clean at the same time', async () => {
    await addRuns('unchanged', 2, '5 minutes');
    const days = await standFor();
    await Promise.all([1, 2, 3].map(() => db.database.runCleaning.clean([gatewayId], { keepDays: 90 })));
    await clean();
    expect(await standFor()).toEqual(days);
  });

  it('keeps the newest run, which shows the state of the feed', async () => {
    const { runRequests, leases, runs, feedStates } = db.database;
    await addRuns('unchanged', 1, '5 minutes');
    const id = await runRequests.request({ gatewayId, trigger: 'ops' });
    const run = await runs.claim(gatewayId, (await leases.acquire(gatewayId, 'a worker', 60)) ?? 0);
    await runs.end(run!, { state: 'failed', reason: 'broken', reasonCode: 'give-up', figures: noFigures() });
    await clean();
    expect(await db.database.runHistory.find(id)).toMatchObject({ state: 'failed' });
    expect((await feedStates.load(gatewayId)).lastRun).toMatchObject({ state: 'failed' });
  });
});
