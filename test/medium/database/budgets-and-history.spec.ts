import { setTimeout as sleep } from 'node:timers/promises';
import { noFigures } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('counters and retention in PostgreSQL', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await db.drop();
  });

  it('space the requests to one host, over all gateways', async () => {
    const { hostBudgets } = db.database;
    // One request in a thousand seconds, so that a pause of the test process does not matter.
    const waits = await Promise.all(Array.from({ length: 5 }, () => hostBudgets.reserve('crm.example', 1 / 1000)));
    // The budget leaves a tenth of the rate free.
    const places = waits.sort((a, b) => a - b).map((waitMs) => Math.round(waitMs / 110_000));
    expect(places).toEqual([0, 10, 20, 30, 40]);
    expect(await hostBudgets.reserve('other.example', 1 / 1000)).toBe(0);
  });

  it('ignore request times that a wrong clock has set too far ahead', async () => {
    const { hostBudgets } = db.database;
    await hostBudgets.reserve('ahead.example', 20);
    await db.query(`UPDATE host_budget SET next_at = now() + interval '3 days' WHERE key = 'ahead.example'`);
    const waits = await Promise.all(Array.from({ length: 3 }, () => hostBudgets.reserve('ahead.example', 20)));
    expect(Math.max(...waits)).toBeLessThan(1_000);
    // Ten minutes ahead is plausible, because requests may wait so long.
    await db.query(`UPDATE host_budget SET next_at = now() + interval '10 minutes' WHERE key = 'ahead.example'`);
    expect(await hostBudgets.reserve('ahead.example', 20)).toBeGreaterThan(590_000);
    // At a low rate, hours ahead are plausible.
    await db.query(`UPDATE host_budget SET next_at = now() + interval '2 hours' WHERE key = 'ahead.example'`);
    expect(await hostBudgets.reserve('ahead.example', 1)).toBeGreaterThan(7_190_000);
  });

  it('limit the concurrent requests of an account over all processes', async () => {
    const { hostBudgets } = db.database;
    const enter = (key = 'crm.example'): ReturnType<typeof hostBudgets.enter> => hostBudgets.enter(key, 3, 60_000);
    // When two processes want the same slot, one of them fails and must try again.
    const taken = (await Promise.all(Array.from({ length: 20 }, () => enter()))).filter((place) => place !== null);
    while (taken.length < 3) taken.push((await enter())!);
    expect(new Set(taken.map(({ slot }) => slot))).toEqual(new Set([1, 2, 3]));
    expect([await enter(), await enter('other.example')]).toEqual([
      null,
      expect.objectContaining({ slot: expect.any(Number) }),
    ]);

    await hostBudgets.leave(taken[1]!);
    const next = await enter();
    expect(next?.slot).toBe(taken[1]!.slot);
    await hostBudgets.leave(taken[1]!);
    expect(await enter()).toBeNull();

    // A living process renews its slot; a process that has ended does not.
    await db.query(`UPDATE request_place SET until = now() + interval '200 ms'`);
    await hostBudgets.stay(taken[0]!, 60_000);
    await sleep(300);
    expect((await enter())?.slot).not.toBe(taken[0]!.slot);
  });

  it("keep a gateway's reports for a limited time, but always its newest report and its newest report with a site", async () => {
    const { reports, gateways } = db.database;
    const add = (client: string): Promise<number> =>
      gateways.add(
        {
          ...{ crm: 'kyero', client, sourceUrl: 'https://crm.example/feed.xml', settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(client), prefix: 'x' },
      );
    const [many, old] = [await add('many'), await add('old')];
    const nothing = { count: null, message: null, snapshot: null, added: null, updated: null, removed: null };
    const report = (gatewayId: number, plugin: string, siteUrl: string | null = null) =>
      reports.save(gatewayId, { ...nothing, status: 'success', failed: null, plugin, siteUrl });
    await report(many, 'named', 'https://site.example');
    for (const plugin of ['1', '2', '3', '4']) await report(many, plugin);
    for (const plugin of ['older', 'newest']) await report(old, plugin);
    await db.query(`UPDATE report SET received_at = now() - interval '91 days' WHERE gateway_id = $1`, [old]);

    await reports.prune({ keepDays: 90, keepCount: 3 });

    const left = await db.query<{ plugin: string }>('SELECT plugin FROM report ORDER BY id');
    expect(left.map(({ plugin }) => plugin)).toEqual(['named', '2', '3', '4', 'newest']);
  });

  it('report when the daily quota of requests ends', async () => {
    const { hostBudgets } = db.database;
    await hostBudgets.countToday('crm.example', 2);
    await hostBudgets.countToday('crm.example', 2);
    expect(await hostBudgets.countToday('crm.example', 2)).toEqual({ kind: 'exhausted', untilMs: expect.any(Number) });
    expect(await hostBudgets.countToday('other.example', 2)).toEqual({ kind: 'granted' });
    await db.query(`UPDATE host_budget SET day = day - 1`);
    expect(await hostBudgets.countToday('crm.example', 2)).toEqual({ kind: 'granted' });
  });

  async function addGateway(crm: string, client: string): Promise<number> {
    return db.database.gateways.add(
      {
        ...{ crm, client, sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  }

  it('remove old runs with their notes, except the run of a snapshot', async () => {
    const { runRequests, runs, runNotes, runHistory, runCleaning, leases } = db.database;
    const gatewayId = await addGateway('kyero', 'k');
    const finished: number[] = [];
    for (const age of ['100 days', '1 day']) {
      const id = await runRequests.request({ gatewayId, trigger: 'ops' });
      const fence = (await leases.acquire(gatewayId, 'a worker', -1)) ?? 0;
      const run = await runs.claim(gatewayId, fence);
      if (run === null) throw new Error('there was nothing to claim');
      await runNotes.addRejections(run, [{ position: 1, code: 'malformed', message: 'broken' }]);
      await runs.end(run, { state: 'failed', reason: 'broken', reasonCode: 'give-up', figures: noFigures() });
      await db.query(`UPDATE run SET ended_at = now() - $2::interval WHERE id = $1`, [id, age]);
      finished.push(id);
    }
    expect(await runCleaning.clean([gatewayId], { keepDays: 90 })).toEqual({ folded: 0, expired: 1 });
    expect((await runHistory.list({ limit: 9 })).map(({ id }) => id)).toEqual([finished[1]]);
    expect(await db.query('SELECT run_id FROM rejection')).toEqual([{ run_id: finished[1] }]);
  });
});
