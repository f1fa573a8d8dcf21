import { spawnSync } from 'node:child_process';
import { killSenders } from '../../support/killed-senders';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** `KILLS=1000 npm run bench -- killed-webhooks` uses the full size. */
const KILLS = 8;

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

// Real: three ingestors as built, PostgreSQL, a separate Redis, kill -9, the reference implementation that verifies
// signatures. Fake: the sites.
(hasRedis ? describe : describe.skip)('sites whose webhook senders are killed', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('receive each event in order and with a valid signature, and no event of another site', async () => {
    const { webhookEndpoints } = db.database;
    const told = await killSenders({
      ...{ databaseUrl: db.url, webhookEndpoints, kills: KILLS, everyMs: 800, spared: 'postgres' },
    });
    const { due, lost, untold, unsigned, foreign, disordered } = told;
    expect(due).toBeGreaterThan(50);
    expect({ lost, untold, unsigned, foreign, disordered }).toEqual({
      ...{ lost: [], untold: [], unsigned: 0, foreign: 0, disordered: 0 },
    });
  });
});
