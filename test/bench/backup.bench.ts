import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase, type StoredSnapshot } from '@passerelle/database';
import { runProgram } from '../support/program';
import type { Bench } from './bench';
import { importPortfolio, LISTINGS, PER_PAGE } from './portfolio';
import { timed } from './rounds';
import type { Surroundings } from './surroundings';

/**
 * Measures a backup of 100,000 listings and its restore, both by the command line. Afterwards every page of the two
 * databases is compared.
 */
export const backup: Bench = {
  name: 'backup',
  async run(surroundings) {
    const { snapshot } = await importPortfolio(surroundings);
    const target = await secondDatabase(surroundings);
    const directory = join(surroundings.inboxDir, 'backup');
    const takenMs = await timed(() => ops(surroundings.databaseUrl, 'backup', '--to', directory));
    const restoredMs = await timed(() => ops(target.url, 'restore', '--from', directory));
    const pages = await comparePages(surroundings.database, target.database, snapshot);
    await target.database.close();
    await rm(directory, { recursive: true });
    return [
      {
        what: `a backup of ${LISTINGS} listings, and its restoring`,
        value: (takenMs + restoredMs) / 1000,
        goal: { max: 300 },
        unit: 's',
        detail: `${Math.round(takenMs)} ms and ${Math.round(restoredMs)} ms; ${pages} pages are the same byte for byte`,
      },
    ];
  },
};

async function secondDatabase({ databaseUrl }: Surroundings): Promise<{ url: string; database: Database }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE DATABASE restored');
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = '/restored';
  const restored = await openDatabase({ url: url.href, applicationName: 'bench' });
  await restored.migrations.migrate();
  return { url: url.href, database: restored };
}

async function ops(databaseUrl: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await runProgram('apps/ops/src/main.js', { DATABASE_URL: databaseUrl }, words);
  if (code !== 0) throw new Error(`ops ${words.join(' ')}: ${stderr}`);
}

async function comparePages(before: Database, after: Database, snapshot: StoredSnapshot): Promise<number> {
  let pages = 0;
  for (const format of ['normalized', 'raw'] as const) {
    for (let offset = 0; offset < LISTINGS; offset += PER_PAGE) {
      const [one, other] = await Promise.all(
        [before, after].map(async ({ listings }) =>
          String((await listings.page({ ...snapshot, total: LISTINGS }, format, offset, PER_PAGE)) ?? ''),
        ),
      );
      if (one === '' || one !== other) throw new Error(`the page at ${offset} (${format}) is not the same`);
      pages += 1;
    }
  }
  return pages;
}
