import { sendUnreliably } from '../../support/unreliable-crm';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** `npm run bench -- lost-calls` uses the full size of 1,000. */
const CHANGES = 150;

// Real: the API and an ingestor as built, PostgreSQL with the queue, HTTP. Fake: the CRM, and the passage of a day.
describe('CRM whose webhooks are lost, doubled and out of order', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it.each(['propstack', 'sweepbright'] as const)(
    'has the same listings as the API after one comparison, which reports every change that no webhook named: %s',
    async (crm) => {
      const surroundings = { database: db.database, databaseUrl: db.url };
      const { lost, doubled, late, runs, differing, missed } = await sendUnreliably(surroundings, crm, CHANGES, 31);
      expect([lost > 20, doubled > 20, late > 20, runs > 0]).toEqual([true, true, true, true]);
      expect(differing.before.length).toBeGreaterThan(0);
      expect(differing.after).toEqual([]);
      expect(missed).toBe(differing.before.length);
    },
  );
});
