import { spawnSync } from 'node:child_process';
import { makeSurroundings, type Surroundings } from '../bench/surroundings';
import { killTellers } from '../support/killed-tellers';

/** `KILLS=1000 npm run bench -- killed-webhooks` is the full size. */
const KILLS = 8;

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

// Real: three ingestors as built, a PostgreSQL and a Redis of their own, kill -9, the reference implementation that verifies. Fake: sites.
(hasRedis ? describe : describe.skip)('sites, while those who tell them are killed', () => {
  let surroundings: Surroundings;
  beforeAll(async () => {
    surroundings = await makeSurroundings();
  }, 60_000);
  afterAll(() => surroundings.end(), 60_000);

  it('are told of everything, in order, with a right signature, and nobody else is', async () => {
    const { databaseUrl, database } = surroundings;
    const { webhookEndpoints } = database;
    const told = await killTellers({ databaseUrl, webhookEndpoints, kills: KILLS, everyMs: 800 });
    const { due, lost, untold, unsigned, foreign, disordered } = told;
    expect(due).toBeGreaterThan(50);
    expect({ lost, untold, unsigned, foreign, disordered }).toEqual({
      ...{ lost: [], untold: [], unsigned: 0, foreign: 0, disordered: 0 },
    });
  }, 300_000);
});
