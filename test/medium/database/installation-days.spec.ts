import { createTestDatabase, type TestDatabase } from '../../support/test-database';

describe('installation days', () => {
  let db: TestDatabase;

  beforeAll(async () => (db = await createTestDatabase()));
  afterAll(() => db.drop());

  it('add up the ended runs of today and of yesterday, and keep the listings of a past day', async () => {
    const { installationDays, gateways } = db.database;
    const terms = { everySeconds: null, contractEnd: null, credentials: null };
    const gatewayId = await gateways.add(
      { crm: 'kyero', client: 'a', sourceUrl: 'https://x.example', settings: {}, sealedSource: null, ...terms },
      { hash: Buffer.from('k'.repeat(32)), prefix: 'psr_aaaa' },
    );
    const midnight = `date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
    const addRun = (at: string, state: string, added: number, more = ''): Promise<unknown> =>
      db.query(
        `INSERT INTO run (gateway_id, trigger, state, requested_at, ended_at, added, dry_run, folded_runs)
         SELECT $1, 'schedule', $2, ${midnight} + $3::interval, ${midnight} + $3::interval, $4, $5 = 'dry', nullif($6, 0)`,
        [gatewayId, state, at, added, more, more === 'folded' ? 5 : 0],
      );
    await addRun('-25 hours', 'published', 100);
    await addRun('-1 minute', 'published', 7);
    await addRun('-1 minute', 'failed', 0);
    await addRun('0 minutes', 'unchanged', 0, 'folded');
    await addRun('0 minutes', 'published', 3);
    await addRun('0 minutes', 'held', 50);
    await addRun('0 minutes', 'published', 50, 'dry');
    await db.query(
      `INSERT INTO installation_day VALUES (current_date - 1, 40, 0, 0, 0, 0, 0), (current_date - 91, 1, 0, 0, 0, 0, 0)`,
    );
    await installationDays.renew(90);
    const nothing = { changed: 0, removed: 0 };
    expect(await installationDays.list(100)).toMatchObject([
      { listings: 40, runs: 2, failed: 1, added: 7, ...nothing },
      { listings: 0, runs: 7, failed: 0, added: 3, ...nothing },
    ]);
  });
});
