import { drillExports } from '../../support/exports/export-drill';
import { seeded } from '../../support/seeded';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const ROUNDS = Number(process.env['EXPORT_ROUNDS'] ?? 6);

// Real: PostgreSQL, the outbox, the engine. Fake: the portals, which keep state; kills, lost answers.
describe('exports whose processes and portals fail', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  it('double no advert, remove none wrongly, and end with every advert in its true state', async () => {
    const next = seeded(Number(process.env['EXPORT_SEED'] ?? 20_261_128));
    const report = await drillExports(db, () => next(1_000_000) / 1_000_000, ROUNDS);
    expect(report).toEqual({ faults: expect.any(Number) as number, doubled: 0, wronglyRemoved: 0, untrue: [] });
    expect(report.faults).toBeGreaterThan(ROUNDS * 5);
  });
});
