import pg from 'pg';
import type { Bench, Finding } from './bench';
import { answersPerSecond } from './http-load';
import { importPortfolio, LISTINGS, PER_PAGE } from './portfolio';
import { alternating } from './rounds';
import { AS_IT_COMES, WITHOUT_LOGS } from './surroundings';
import { sized } from './size';

const ROUNDS = sized(8, 1);
const ROUND_MS = sized(2_000, 200);
const PAGES = LISTINGS / PER_PAGE;
/** The settings of both servers: once with an access log on each and our rate limit, and once without. */
const LOGS = [
  { logs: 'logs and rate limit on', ours: AS_IT_COMES, theirs: { LOGGER: 'on' } },
  { logs: 'both off', ours: WITHOUT_LOGS, theirs: {} },
] as const;

/**
 * Compares pages of 50 that are not cached, because there are more pages than the API's cache holds, with bare Fastify
 * and `pg` that read one text column of the same size. The columns are stored without compression, because that is
 * faster.
 */
export const pageDatabase: Bench = {
  name: 'page-database',
  async run(surroundings) {
    const { gateway, snapshot } = await importPortfolio(surroundings);
    await copyPages(surroundings.databaseUrl, async (page) =>
      String((await surroundings.database.listings.page(snapshot, 'normalized', page * PER_PAGE, PER_PAGE)) ?? ''),
    );
    const findings: Finding[] = [];
    for (const { logs, ours: env, theirs: bareEnv } of LOGS) {
      const api = await surroundings.start('apps/api/src/main.js', env);
      const bare = await surroundings.start('test/bench/bare-server.js', bareEnv);
      let [page, row] = [0, 0];
      const pathOf = (number: number): string =>
        `/v1/properties?crm=kyero&client=${gateway.client}&per_page=${PER_PAGE}&page=${number}`;
      const headers = { key: gateway.key };
      const { ours, theirs } = await alternating(ROUNDS, {
        ours: () =>
          answersPerSecond({ port: api.port, nextPath: () => pathOf((page = (page % PAGES) + 1)), headers }, ROUND_MS),
        theirs: () =>
          answersPerSecond({ port: bare.port, nextPath: () => `/text?id=${(row = (row % PAGES) + 1)}` }, ROUND_MS),
      });
      await Promise.all([api.stop(), bare.stop()]);
      findings.push({
        what: `a page from PostgreSQL (${logs}), against bare Fastify and pg reading one text column`,
        value: ours / theirs,
        goal: { min: 2.2 },
        unit: '×',
        detail: `${Math.round(ours)} answers a second against ${Math.round(theirs)}`,
      });
    }
    return findings;
  },
};

async function copyPages(databaseUrl: string, load: (page: number) => Promise<string>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bench_page (id integer PRIMARY KEY, body text STORAGE EXTERNAL NOT NULL)');
  for (let page = 0; page < PAGES; page += 1) {
    await client.query('INSERT INTO bench_page VALUES ($1, $2)', [page + 1, await load(page)]);
  }
  await client.query('VACUUM ANALYZE');
  await client.end();
}
