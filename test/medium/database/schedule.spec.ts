import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('schedule in PostgreSQL', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await db.drop();
  });

  const DAY = { everySeconds: 24 * 3600, batch: 100 };

  async function addGateway(client: string, contractEnd: string | null = null, everySeconds: number | null = null) {
    const id = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, contractEnd, everySeconds },
        sourceUrl: 'https://feeds.example/a.xml',
        settings: {},
        credentials: null,
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    await db.query('UPDATE gateway_schedule SET next_run_at = now() WHERE gateway_id = $1', [id]);
    return id;
  }

  async function nextInSeconds(client: string): Promise<number> {
    const gateway = await db.database.gateways.find('kyero', client);
    return (Date.parse(gateway?.nextRunAt ?? '') - Date.now()) / 1000;
  }

  it('requests a run for a due gateway, and plans the next run after one period, plus or minus a tenth', async () => {
    await addGateway('a');
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(1);
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(0);
    const next = await nextInSeconds('a');
    expect(next).toBeGreaterThan(0.9 * DAY.everySeconds - 60);
    expect(next).toBeLessThan(1.1 * DAY.everySeconds + 60);
  });

  it('waits half a minute for another request before it requests the first run of a new gateway', async () => {
    const gateway = { crm: 'kyero', client: 'new', sourceUrl: 'https://feeds.example/a.xml', settings: {} };
    await db.database.gateways.add(
      { ...gateway, credentials: null, everySeconds: null, contractEnd: null },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(0);
    expect(await nextInSeconds('new')).toBeLessThan(65);
  });

  it('counts the period from the last run, whatever its trigger was', async () => {
    const id = await addGateway('a', null, 3600);
    await db.database.schedule.noteSuccess(id, 24 * 3600);
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(0);
    expect(await nextInSeconds('a')).toBeGreaterThan(0.9 * 3600 - 60);
  });

  it("uses the gateway's own period", async () => {
    await addGateway('a', null, 600);
    await db.database.schedule.requestDueRuns(DAY);
    expect(await nextInSeconds('a')).toBeLessThan(700);
  });

  it('spreads gateways that were added together', async () => {
    for (let n = 0; n < 20; n += 1) await addGateway(`a${n}`);
    await db.database.schedule.requestDueRuns(DAY);
    const all = await db.database.gateways.list();
    expect(new Set(all.map(({ nextRunAt }) => nextRunAt.slice(0, 16))).size).toBeGreaterThan(10);
  });

  it('requests one run for several missed runs, and counts the other missed runs', async () => {
    const id = await addGateway('a', null, 3600);
    await db.query(
      `UPDATE gateway_schedule SET next_run_at = now() - interval '5 hours 10 minutes' WHERE gateway_id = $1`,
      [id],
    );
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(1);
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(0);
    expect(await db.database.gateways.find('kyero', 'a')).toMatchObject({ missedRuns: 5 });
  });

  it('skips disabled gateways and ended contracts, and includes a gateway that is enabled again', async () => {
    const disabled = await addGateway('disabled');
    await db.database.gateways.setEnabled(disabled, false);
    await addGateway('ended', '2020-01-31');
    await addGateway('ends-one-day', '2999-01-31');
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(1);
    await db.database.gateways.setEnabled(disabled, true);
    expect(await db.database.schedule.requestDueRuns(DAY)).toBe(1);
  });

  it('lets several ingestors share the work without duplicates', async () => {
    for (let n = 0; n < 30; n += 1) await addGateway(`a${n}`);
    const asked = await Promise.all([1, 2, 3, 4].map(() => db.database.schedule.requestDueRuns(DAY)));
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(await db.query('SELECT 1 FROM run')).toHaveLength(30);
  });

  it('counts consecutive failures, records when they began, and delays the next run', async () => {
    const id = await addGateway('a', null, 600);
    const seen: unknown[] = [];
    for (let n = 0; n < 2; n += 1) {
      await db.database.schedule.noteFailure(id, (failures, everySeconds) => {
        seen.push({ failures, everySeconds });
        return 7_200_000;
      });
    }
    expect(seen).toEqual([
      { failures: 1, everySeconds: 600 },
      { failures: 2, everySeconds: 600 },
    ]);
    expect(await nextInSeconds('a')).toBeGreaterThan(7100);
    expect(await db.database.gateways.find('kyero', 'a')).toMatchObject({ failures: 2 });
    await db.database.schedule.noteSuccess(id, 24 * 3600);
    expect(await db.database.gateways.find('kyero', 'a')).toMatchObject({ failures: 0, failingSince: null });
  });
});
