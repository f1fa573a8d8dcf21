import { isReading } from '../../../libs/database/src/run/reading-sql';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('problems of all gateways', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it("come from each gateway's newest run that read its feed to the end, however old that run is", async () => {
    const add = (client: string): Promise<number> =>
      db.database.gateways.add(
        {
          ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example/a.xml', settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(client.padEnd(32)), prefix: `psr_${client}` },
      );
    const run = async (
      gateway: number,
      state: string,
      word: string | null,
      { isDry = false, records = 1 } = {},
    ): Promise<number> => {
      const [row] = await db.query<{ id: number }>(
        `INSERT INTO run (gateway_id, trigger, state, dry_run, rejected, warnings, records)
         VALUES ($1, 'schedule', $2, $3, $4, $4, $5) RETURNING id`,
        [gateway, state, isDry, word === null ? 0 : 1, records],
      );
      if (word === null) return row!.id;
      await db.query(`INSERT INTO run_warning VALUES ($1, 'unknown_word', 'type', $2, 2, '{A}')`, [row!.id, word]);
      await db.query(`INSERT INTO rejection VALUES ($1, 1, 'R', 'id', 'missing_id', 'it has none')`, [row!.id]);
      return row!.id;
    };
    const [now, resting, mended] = [await add('now'), await add('resting'), await add('mended')];
    await run(resting, 'unchanged', 'mas');
    const ofResting = await run(resting, 'published', 'finca');
    await run(mended, 'published', 'cave');
    for (const state of ['failed', 'cancelled', 'discarded']) await run(resting, state, null);
    await run(now, 'published', 'cave');
    await run(mended, 'unchanged', null);
    // Enough runs to push the idle gateway's run out of the newest runs.
    for (let count = 0; count < 20; count += 1) await run(now, 'failed', null);
    const ofNow = await run(now, 'held', 'finca');
    await run(now, 'published', 'cave', { isDry: true });
    await run(now, 'running', null);
    // The feed was unchanged, and no record was read: the records are still rejected.
    await run(now, 'unchanged', null, { records: 0 });

    const both = { crm: 'kyero', gateways: 2, runId: Math.max(ofNow, ofResting) };
    expect(await db.database.problems.list(10)).toEqual([
      { ...both, kind: 'warning', code: 'unknown_word', field: 'type', value: 'finca', records: 4, example: 'A' },
      { ...both, kind: 'rejection', code: 'missing_id', field: 'id', value: null, records: 2, example: 'R' },
    ]);
  });

  it('finds the newest run that read records without reading the unchanged ones', async () => {
    await db.query('SET enable_seqscan = off');
    const plan = await db.query(
      `EXPLAIN SELECT r.id FROM gateway g CROSS JOIN LATERAL (
         SELECT n.id FROM run n WHERE n.gateway_id = g.id AND ${isReading('n')} ORDER BY n.id DESC LIMIT 1) r`,
    );
    await db.query('RESET enable_seqscan');
    expect(JSON.stringify(plan)).toContain('run_reading');
  });
});
