import { rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '@passerelle/database';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../libs/database/src/data-source';
import { MIGRATIONS } from '../../libs/database/src/migrations/migrations';
import { PartsByGateway1763881200000 } from '../../libs/database/src/migrations/0055-parts-by-gateway';
import { runProgram } from '../support/program';
import type { Bench, Finding } from './bench';
import { serveFeed } from './feed-server';
import { addGateway, drop, importNow } from './gateways';
import { addGrownRows, LISTINGS, passDay, WHILE_MADE } from './grown-rows';
import { locksHeldDuring } from './held-locks';
import { endOfLog, LOGGED, transactionsWith } from './logged-statements';
import { medianOf, timed } from './rounds';
import { AS_IT_COMES, type Surroundings } from './surroundings';
import { variedFeed } from './varied-feed';
import { sized } from './size';

/** 20,000 gateways have 3 million listings and need 45 GB of disk with the backup, and half an hour. */
const GATEWAYS = sized(Number(process.env['GROWN_GATEWAYS'] ?? 400), 4);
/** At the full size, simulating all 90 days takes too long. */
const LIVED_DAYS = sized(Number(process.env['GROWN_DAYS'] ?? 30), 2);
/** A tenth of the gateways: at the full size, an installation of 300,000 listings. */
const FEW = Math.ceil(GATEWAYS / 10);
/** The number of listings of the copied gateway, which is also the one restored from a backup. */
const LARGE = sized(5_000, 200);
const ROUNDS = sized(120, 3);
/** Warm-up rounds: the first time that a connection opens a partition takes PostgreSQL 4 ms. */
const WARMING = 10;
const PAGES_A_ROUND = sized(100, 5);
const PUBLICATIONS = sized(50, 3);
const PAGES = LISTINGS / 50;

/**
 * The cost of growth: compares an installation after 90 days, with 2 % of changes per day, with an installation of ten
 * times as many gateways of 150 listings each. `GROWN_ONLY` selects some of the questions. The rows that `BENCH_DATA`
 * keeps are reused.
 */
export const grown: Bench = {
  name: 'grown',
  async run(surroundings) {
    await makeRows(surroundings);
    const findings: Finding[] = [];
    const wanted = process.env['GROWN_ONLY']?.split(',') ?? Object.keys(QUESTIONS);
    for (const [name, request] of Object.entries(QUESTIONS)) {
      if (!wanted.includes(name)) continue;
      const found = await request(surroundings);
      process.stderr.write(`${JSON.stringify(found)}\n`);
      findings.push(...found);
    }
    return findings;
  },
};

/** Sorted so that the measurements that change stored rows come last. */
const QUESTIONS: Readonly<Record<string, (surroundings: Surroundings) => Promise<Finding[]>>> = {
  disk: measureDisk,
  pages: requestPages,
  publish: measurePublish,
  backup: measureBackup,
  migrations: measureMigrations,
  vacuum: measureVacuum,
};

/**
 * Makes the large and the small installation in two databases of one server, so that requests can alternate between
 * them.
 */
async function makeRows(surroundings: Surroundings): Promise<void> {
  const { databaseUrl } = surroundings;
  await request(databaseUrl, 'CREATE DATABASE few').catch(() => undefined);
  const size = await made(surroundings, databaseUrl, GATEWAYS);
  const few = await made(surroundings, urlOfFew(databaseUrl), FEW);
  if (size || few) await surroundings.restart();
}

/** @returns false if the rows already existed */
async function made(surroundings: Surroundings, url: string, gateways: number): Promise<boolean> {
  const startedAt = performance.now();
  const database = await openDatabase({ url, applicationName: 'bench' });
  await database.migrations.migrate();
  await database.close();
  const { rows } = await request<{ found: boolean }>(url, `SELECT to_regclass('bench_key') IS NOT NULL AS found`);
  if (rows[0]?.found === true) return false;
  await surroundings.restart(WHILE_MADE);
  await importLarge(surroundings, url);
  await addGrownRows(url, { gateways, livedDays: LIVED_DAYS });
  process.stderr.write(`${gateways} gateways made in ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  return true;
}

/** Imports the gateway that is copied later. Stores its key in the database. */
async function importLarge(surroundings: Surroundings, url: string): Promise<void> {
  const database = await openDatabase({ url, applicationName: 'bench' });
  const there = { ...surroundings, database };
  await drop(there, 'varied.xml', [variedFeed(LARGE, 1)]);
  const gateway = await addGateway(there, 'kyero', 'file:varied.xml');
  await importNow(there, gateway);
  await database.close();
  await request(url, `UPDATE gateway SET client = 'large' WHERE id = ${gateway.id}`);
  await request(url, `CREATE TABLE bench_key AS SELECT '${gateway.key}' AS key`);
}

function urlOfFew(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = '/few';
  return url.href;
}

async function request<Row extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query<Row>(sql);
  } finally {
    await client.end();
  }
}

const listings = (gateways: number): string => (gateways * LISTINGS).toLocaleString('en');

/**
 * Requests pages of 50 listings of random gateways, alternately from the large and the small installation, one after
 * the other on one connection each. As far as there is space, the rows are in the operating system's memory, as they
 * are when an API has run for a while.
 */
async function requestPages(surroundings: Surroundings): Promise<Finding[]> {
  const { databaseUrl } = surroundings;
  for (const url of [databaseUrl, urlOfFew(databaseUrl)]) await readIntoMemory(url);
  const sides = await Promise.all(
    [
      { url: databaseUrl, gateways: GATEWAYS },
      { url: urlOfFew(databaseUrl), gateways: FEW },
    ].map(async ({ url, gateways }) => {
      const { rows } = await request<{ key: string }>(url, 'SELECT key FROM bench_key');
      const api = await surroundings.start('apps/api/src/main.js', { ...AS_IT_COMES, DATABASE_URL: url });
      return {
        api,
        gateways,
        key: rows[0]!.key,
        times: [] as number[],
        agent: new Agent({ keepAlive: true, maxSockets: 1 }),
      };
    }),
  );
  for (let round = 0; round < WARMING + ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      for (let request = 0; request < PAGES_A_ROUND; request += 1) {
        const [gateway, page] = [1 + Math.floor(Math.random() * side.gateways), 1 + Math.floor(Math.random() * PAGES)];
        const ms = await timed(() =>
          read(side, `/v1/properties?crm=kyero&client=grown-${gateway}&per_page=50&page=${page}`),
        );
        if (round >= WARMING) side.times.push(ms);
      }
    }
  }
  for (const { api, agent } of sides) {
    agent.destroy();
    await api.stop();
  }
  const [many, few] = sides.map(({ times }) => times) as [number[], number[]];
  const all = (times: readonly number[]): string =>
    [0.5, 0.9, 0.99, 0.999].map((share) => quantile(times, share).toFixed(1)).join(', ');
  return [
    {
      what: `a page among ${listings(GATEWAYS)} listings, against one among ${listings(FEW)}, the 99th of 100`,
      value: quantile(many, 0.99) / quantile(few, 0.99),
      goal: { max: 1.2 },
      unit: '×',
      detail: `median, p90, p99 and p99.9: ${all(many)} against ${all(few)} ms; ${many.length} of each, by turns`,
    },
  ];
}

const READ_BY_PAGES = ['listing_normalized', 'snapshot_chunk', 'snapshot'];

/** Reads into memory the partitions from which pages are read, with their indexes. */
async function readIntoMemory(databaseUrl: string): Promise<void> {
  await request(databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pg_prewarm');
  await request(
    databaseUrl,
    `SELECT pg_prewarm(c.oid, 'read') FROM pg_class c
     WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace AND relname ~ '^(${READ_BY_PAGES.join('|')})_p[0-9]'`,
  );
  await request(databaseUrl, 'DROP EXTENSION pg_prewarm');
}

async function read(
  { api, key, agent }: { api: { port: number }; key: string; agent: Agent },
  path: string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get({ port: api.port, host: '127.0.0.1', path, agent, headers: { key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

/** Measures the publication of a feed with one changed price, which an ingestor reads over HTTP. */
async function measurePublish(surroundings: Surroundings): Promise<Finding[]> {
  const { databaseUrl, restart, start } = surroundings;
  await restart(LOGGED);
  const { rows } = await request<{ data_directory: string }>(databaseUrl, 'SHOW data_directory');
  const log = `${rows[0]!.data_directory}.log`;
  let price = 100_000;
  const source = await serveFeed(() => [variedFeed(LISTINGS, 2, price)]);
  const gateway = await addGateway(surroundings, 'kyero', `http://${source.host}/feed.xml`);
  const ingestor = await start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: source.host });
  const publish = async (): Promise<number> => {
    price += 1_000;
    await surroundings.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops' });
    for (;;) {
      await sleep(20);
      const { rows: runs } = await request<{ state: string; ms: number }>(
        databaseUrl,
        `SELECT state, (1000 * extract(epoch FROM ended_at - started_at))::float8 AS ms FROM run WHERE gateway_id = ${gateway.id} ORDER BY id DESC LIMIT 1`,
      );
      const run = runs[0]!;
      if (run.state === 'published') return run.ms;
      if (!['queued', 'running'].includes(run.state)) throw new Error(`the run ended as ${run.state}`);
    }
  };
  await publish();
  const from = endOfLog(log);
  const runsMs: number[] = [];
  for (let n = 0; n < PUBLICATIONS; n += 1) runsMs.push(await publish());
  await ingestor.stop();
  await source.close();
  await request(databaseUrl, `DELETE FROM gateway WHERE id = ${gateway.id}`);
  const published = transactionsWith(log, from, /UPDATE gateway SET current_snapshot_id/);
  const stored = transactionsWith(log, from, /add-chunks|INSERT INTO snapshot_chunk/);
  if (published.length !== PUBLICATIONS) throw new Error(`${published.length} publications were logged`);
  await restart();
  const [times, own] = [published.map(({ ms }) => ms), published.map(({ serverMs }) => serverMs)];
  return [
    {
      what: `the transaction that publishes one changed listing of ${LISTINGS}, the 99th of 100`,
      value: quantile(times, 0.99),
      goal: { max: 50 },
      unit: 'ms',
      detail:
        `median ${medianOf(times).toFixed(1)} ms of ${PUBLICATIONS}; of it in PostgreSQL ${medianOf(own).toFixed(1)} and ${quantile(own, 0.99).toFixed(1)} ms; ` +
        `before it, order and change are stored in ${medianOf(stored.map(({ ms }) => ms)).toFixed(1)} ms; ` +
        `the whole run, in which 100 ms are waited, ${medianOf(runsMs).toFixed(0)} and ${quantile(runsMs, 0.99).toFixed(0)} ms`,
    },
  ];
}

const DIVIDED = [
  ...['snapshot', 'listing_version', 'snapshot_chunk', 'listing_normalized', 'listing_raw', 'listing_search'],
  ...['listing_photo', 'current_listing', 'listing_change'],
];

/** Measures VACUUM of the largest partition of each table after one more day, and VACUUM ANALYZE after another day. */
async function measureVacuum({ databaseUrl, restart }: Surroundings): Promise<Finding[]> {
  await restart(['autovacuum=off']);
  const findings: Finding[] = [];
  for (const command of ['VACUUM', 'VACUUM ANALYZE']) {
    await passDay(databaseUrl);
    const times: { part: string; ms: number }[] = [];
    for (const table of DIVIDED) {
      const { rows } = await request<{ part: string }>(
        databaseUrl,
        `SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = '${table}'::regclass
         ORDER BY pg_total_relation_size(inhrelid) DESC LIMIT 1`,
      );
      const part = rows[0]!.part;
      times.push({ part, ms: await timed(() => request(databaseUrl, `${command} ${part}`)) });
    }
    findings.push({
      what: `${command} of the largest part of a table, after a day's changes of ${listings(GATEWAYS)} listings`,
      value: Math.max(...times.map(({ ms }) => ms)) / 1000,
      goal: { max: 60 },
      unit: 's',
      detail: times.map(({ part, ms }) => `${part} ${Math.round(ms)} ms`).join(', '),
    });
  }
  await restart();
  return findings;
}

/** Reverts the migrations since the tables were partitioned, and measures how the command runs them again. */
async function measureMigrations({ databaseUrl }: Surroundings): Promise<Finding[]> {
  const since = MIGRATIONS.slice(MIGRATIONS.indexOf(PartsByGateway1763881200000) + 1);
  const dataSource = await new DataSource(
    dataSourceOptions({ url: databaseUrl, applicationName: 'bench' }),
  ).initialize();
  for (const Migration of since.toReversed()) {
    const migration = new Migration();
    const runner = dataSource.createQueryRunner();
    await migration.down(runner);
    await runner.query('DELETE FROM schema_migration WHERE name = $1', [migration.name]);
    await runner.release();
  }
  await dataSource.destroy();
  let tookMs = 0;
  const held = await locksHeldDuring(databaseUrl, async () => {
    tookMs = await timed(() => run('tools/migrate.js', databaseUrl));
  });
  return [
    {
      what: `the longest lock of the last ${since.length} migrations`,
      value: held[0]?.ms ?? 0,
      goal: { max: 1_000 },
      unit: 'ms',
      detail: `${held
        .slice(0, 6)
        .map(({ table, mode, ms }) => `${table} ${Math.round(ms)} ms (${mode})`)
        .join(', ')}; all in ${(tookMs / 1000).toFixed(1)} s`,
    },
  ];
}

async function run(script: string, databaseUrl: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await runProgram(script, { DATABASE_URL: databaseUrl }, words);
  if (code !== 0) throw new Error(`${script} ${words.join(' ')}: ${stderr}`);
}

/** Measures the time to restore the large gateway from a backup of the whole installation. */
async function measureBackup({ databaseUrl, inboxDir }: Surroundings): Promise<Finding[]> {
  const directory = join(inboxDir, 'backup');
  const ops = 'apps/ops/src/main.js';
  const takenMs = await timed(() => run(ops, databaseUrl, 'backup', '--to', directory));
  const gateway = ['--crm', 'kyero', '--client', 'large'];
  const restoredMs = await timed(() =>
    run(ops, databaseUrl, 'gateway', 'import', ...gateway, '--from', directory, '--replace'),
  );
  await rm(directory, { recursive: true });
  return [
    {
      what: `a gateway of ${LARGE} listings out of a backup of ${listings(GATEWAYS)}`,
      value: restoredMs / 1000,
      goal: { max: 10 },
      unit: 's',
      detail: `the backup took ${Math.round(takenMs / 1000)} s`,
    },
  ];
}

/**
 * Compares the size of all tables and indexes with that of their texts and changes, which is measured in one of eight
 * partitions.
 */
async function measureDisk({ databaseUrl }: Surroundings): Promise<Finding[]> {
  const { rows: tables } = await request<{ name: string; mb: number; indexes: number }>(databaseUrl, TABLE_SIZES);
  const { rows: octets } = await request<{ texts: number; search: number; changes: number; share: number }>(
    databaseUrl,
    await octetsSql(databaseUrl),
  );
  const { texts, search, changes } = octets[0]!;
  const all = tables.reduce((sum, { mb }) => sum + mb, 0);
  const bloat: string[] = [];
  await request(databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pgstattuple');
  for (const table of DIVIDED) bloat.push(await bloatOf(databaseUrl, `${table}_p0`));
  await request(databaseUrl, 'DROP EXTENSION pgstattuple');
  return [
    {
      what: `disk of all tables and indexes, against texts and kept changes of ${listings(GATEWAYS)} listings after 90 days`,
      value: all / (texts + changes),
      goal: { max: 1.3 },
      unit: '×',
      detail:
        `${Math.round(all)} MB against ${Math.round(texts)} of texts and ${Math.round(changes)} of changes; entries for searches ${Math.round(search)}; ` +
        `tables and, of it, indexes: ${tables.map(({ name, mb, indexes }) => `${name} ${Math.round(mb)}, ${Math.round(indexes)}`).join('; ')}; ` +
        `dead, free and how full leaves are, of part 0: ${bloat.join('; ')}`,
    },
  ];
}

const TABLE_SIZES = `
  SELECT name, sum(pg_total_relation_size(oid))::float8 / 1e6 AS mb, sum(pg_indexes_size(oid))::float8 / 1e6 AS indexes
  FROM (
    SELECT c.oid, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name FROM pg_class c
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  ) t GROUP BY name HAVING sum(pg_total_relation_size(oid)) > 1e6 ORDER BY 2 DESC`;

/** SQL for the octets in every eighth partition, scaled to all partitions. */
async function octetsSql(databaseUrl: string): Promise<string> {
  const { rows } = await request<{ parts: number }>(databaseUrl, 'SELECT parts FROM installation');
  const parts = rows[0]!.parts;
  const looked = Array.from({ length: Math.ceil(parts / 8) }, (_, n) => n * 8);
  const sum = (table: string, octets: string): string =>
    `(SELECT sum(n)::float8 FROM (${looked.map((part) => `SELECT sum(${octets}) AS n FROM ${table}_p${part} t`).join(' UNION ALL ')}) s)
     * (SELECT sum(pg_relation_size(inhrelid))::float8 / nullif(sum(pg_relation_size(inhrelid)) FILTER (WHERE inhrelid IN (${looked.map((part) => `'${table}_p${part}'::regclass`).join(', ')})), 0)
        FROM pg_inherits WHERE inhparent = '${table}'::regclass) / 1e6`;
  const body = 'octet_length(body)';
  return `SELECT ${sum('listing_normalized', body)} + ${sum('listing_raw', body)} AS texts,
    ${sum('listing_search', 'octet_length(fields) + octet_length(words)')} AS search, ${sum('listing_change', 'pg_column_size(t.*)')} AS changes`;
}

async function bloatOf(databaseUrl: string, part: string): Promise<string> {
  const { rows } = await request<{ dead: number; free: number; leaves: string | null }>(
    databaseUrl,
    `SELECT dead_tuple_percent AS dead, free_percent AS free, (
       SELECT string_agg(substring(i.indexrelid::regclass::text FROM '_p0_?(.*)') || ' ' || round(avg_leaf_density), ', ')
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree', pgstatindex(i.indexrelid)
       WHERE i.indrelid = '${part}'::regclass) AS leaves
     FROM pgstattuple('${part}')`,
  );
  const { dead, free, leaves } = rows[0]!;
  return `${part.slice(0, -3)} ${dead.toFixed(0)} %, ${free.toFixed(0)} % (${leaves ?? 'no index'})`;
}
