import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The counts of the two runs that published. */
const LISTINGS = { added: 6, changed: 4, removed: 2 };

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('outcomes of recent runs', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('count the runs of the last hours and each combined run, but not dry, stopped or unfinished runs', async () => {
    expect(await db.database.runOutcomes.since(24)).toEqual([]);
    const gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'a', sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    const add = (count: number, hoursAgo: number, state: string, more = 'false, NULL::int'): Promise<unknown> =>
      db.query(
        `INSERT INTO run (gateway_id, trigger, state, requested_at, ended_at, dry_run, folded_runs)
         SELECT $1, 'schedule', $2, at, CASE WHEN $2 <> 'running' THEN at END, ${more}
         FROM generate_series(1, $3::int), (SELECT now() - make_interval(hours => $4) AS at) moment`,
        [gatewayId, state, count, hoursAgo],
      );
    await add(37, 30, 'failed');
    expect(await db.database.runOutcomes.since(24)).toEqual([]);
    await add(3, 23, 'failed');
    await add(2, 20, 'published');
    await db.query(`UPDATE run SET added = 3, changed = 2, removed = 1 WHERE state IN ('published', 'failed')`);
    await add(1, 10, 'unchanged', 'false, 7');
    await add(4, 9, 'failed', 'true, NULL::int');
    await add(1, 5, 'cancelled');
    await add(1, 1, 'running');
    // Removed runs leave gaps in the ids.
    await db.query('DELETE FROM run WHERE id IN (20, 21, 22, 38)');
    expect(await db.database.runOutcomes.since(24)).toEqual([{ crm: 'kyero', runs: 11, failed: 2, ...LISTINGS }]);
    expect(await db.database.runOutcomes.since(48)).toEqual([{ crm: 'kyero', runs: 45, failed: 36, ...LISTINGS }]);
  });
});
