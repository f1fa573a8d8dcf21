import { drillExports } from '../../support/exports/export-drill';
import { sizeOf } from '../../support/full-size';
import { seeded } from '../../support/seeded';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** In full, more than 10,000 faults. */
const ROUNDS = sizeOf('EXPORT_ROUNDS', { brief: 6, full: 400 });

// Real: PostgreSQL, the outbox, the engine, FTP, a full disk. Fake: the portals, which keep state; kills, lost answers, errors of
// PostgreSQL, suspended processes.
describe('exports whose processes and portals fail', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  it('double no advert, remove none wrongly, and end with every advert in its true state', async () => {
    const next = seeded(Number(process.env['EXPORT_SEED'] ?? 20_261_128));
    const report = await drillExports(db, () => next(1_000_000) / 1_000_000, ROUNDS);
    const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
    process.stderr.write(`${faults} faults in ${ROUNDS} rounds: ${JSON.stringify(report.faults)}\n`);
    expect(report).toEqual({ ...report, doubled: 0, doubledMeanwhile: 0, wronglyRemoved: 0, untrue: [] });
    expect(faults).toBeGreaterThan(ROUNDS * 10);
  });
});
