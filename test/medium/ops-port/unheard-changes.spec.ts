import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type AnnouncingIngestor, startAnnouncing } from './announcing-ingestors';
import { eventually } from '../../support/waiting';

// Real: PostgreSQL, the part of an ingestor that hears of changes. Fake: nothing; the bucket is not set.
describe('changes that an ingestor may not have heard of', () => {
  let db: TestDatabase;
  let ingestor: AnnouncingIngestor;
  let doubts = 0;
  beforeAll(async () => {
    db = await createTestDatabase();
    const place = { redisUrl: null, redisPrefix: 'unused', databaseUrl: db.url };
    ingestor = await startAnnouncing('hearing', place, () => (doubts += 1));
  });
  afterAll(async () => {
    await ingestor.stop();
    await db.drop();
  });

  it('are looked for among all gateways once the connection that hears of them was lost', async () => {
    // It hears, and it has taken the task over: each is a doubt of its own.
    await eventually(() => Promise.resolve(doubts === 2 || undefined));
    const listening = `FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'LISTEN%'`;

    expect(await db.query(`SELECT pg_terminate_backend(pid) ${listening}`)).toHaveLength(1);

    // When it was lost, for what was told until then, and when it is back, for what was told meanwhile.
    await eventually(() => Promise.resolve(doubts === 4 || undefined));
  });
});
