import pg from 'pg';
import type { Bench } from './bench';
import { answersPerSecond } from './http-load';
import { importPortfolio, LISTINGS, PER_PAGE } from './portfolio';
import { alternating } from './rounds';
import { sized } from './size';

const ROUNDS = sized(6, 1);
const ROUND_MS = sized(2_000, 200);
const PAGES = LISTINGS / PER_PAGE;

/** Compares pages of 50 that are not cached, and one that is cached, with a plain NestJS and TypeORM service. */
export const pagePlain: Bench = {
  name: 'page-plain',
  async run(surroundings) {
    const { gateway, snapshot } = await importPortfolio(surroundings);
    await copyListings(surroundings.databaseUrl, snapshot.id);
    const api = await surroundings.start('apps/api/src/main.js');
    const plain = await surroundings.start('test/bench/plain-service.js');
    const pathOf = (page: number): string =>
      `/v1/properties?crm=kyero&client=${gateway.client}&per_page=${PER_PAGE}&page=${page}`;
    const ask = (nextPath: () => string) => () =>
      answersPerSecond({ port: api.port, nextPath, headers: { key: gateway.key } }, ROUND_MS);

    let [page, plainPage] = [0, 0];
    const { cold, kept, theirs } = await alternating(ROUNDS, {
      cold: ask(() => pathOf((page = (page % PAGES) + 1))),
      kept: ask(() => pathOf(1)),
      theirs: () =>
        answersPerSecond(
          { port: plain.port, nextPath: () => `/listings?page=${(plainPage = (plainPage % PAGES) + 1)}` },
          ROUND_MS,
        ),
    });
    const against = `against ${Math.round(theirs)}`;
    return [
      {
        what: 'a page from PostgreSQL, against a plain NestJS and TypeORM service',
        value: cold / theirs,
        goal: { min: 30 },
        unit: '×',
        detail: `${Math.round(cold)} answers a second ${against}`,
      },
      {
        what: 'a page from memory, against the same',
        value: kept / theirs,
        goal: null,
        unit: '×',
        detail: `${Math.round(kept)} answers a second ${against}`,
      },
    ];
  },
};

async function copyListings(databaseUrl: string, snapshotId: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bench_listing (position integer PRIMARY KEY, data jsonb NOT NULL)');
  await client.query(
    `INSERT INTO bench_listing
     SELECT c.chunk * 200 + u.ordinal, b.body::jsonb
     FROM snapshot_chunk c CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
     JOIN listing_normalized b ON b.version_id = u.version_id
     WHERE c.snapshot_id = $1`,
    [snapshotId],
  );
  await client.query('VACUUM ANALYZE bench_listing');
  await client.end();
}
