import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PARTITIONED_TABLES, type PartitionedTable } from '../partitions/partitioned-tables';
import { COMPRESSED } from '../partitions/text-storage';
import { withShortLock } from './with-short-lock';

/** A database of one part keeps its keys: the previous release selects rows without the gateway. docs/decisions/0071 */
export class GatewayFirst1763935200000 implements MigrationInterface {
  name = 'GatewayFirst1763935200000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { name } of TEXTS) await setStorage(runner, name, COMPRESSED);
    const [installation] = (await runner.query('SELECT parts FROM installation')) as { parts: number | null }[];
    // A new database gets its keys when it is divided.
    if ((installation?.parts ?? 1) === 1) return;
    for (const table of PARTITIONED_TABLES) await turnKey(runner, table);
  }

  /** Keeps the new keys: the previous release works with them. */
  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TEXTS) await setStorage(runner, name, 'toast_tuple_target = 8160');
  }
}

const TEXTS = PARTITIONED_TABLES.filter(({ settings }) => settings.includes(COMPRESSED));

async function setStorage(runner: QueryRunner, table: string, setting: string): Promise<void> {
  for (const part of await partsOf(runner, table))
    await withShortLock(runner, [`ALTER TABLE ${part} SET (${setting})`]);
}

async function partsOf(runner: QueryRunner, table: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'public.${table}'::regclass ORDER BY inhrelid`,
  )) as { part: string }[];
  return rows.map(({ part }) => part);
}

/** Changes the keys of all parts in one transaction that reads no rows. */
async function turnKey(runner: QueryRunner, { name, gatewayFirst }: PartitionedTable): Promise<void> {
  if (gatewayFirst === undefined || (await beginsWithGateway(runner, name))) return;
  const parts = await partsOf(runner, name);
  for (const part of parts) await buildIndex(runner, part, gatewayFirst);
  await withShortLock(
    runner,
    [
      `ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey`,
      ...parts.map((part) => `ALTER TABLE ${part} ADD CONSTRAINT ${part}_pkey PRIMARY KEY USING INDEX ${part}_turned`),
      // Each part already has the key.
      `ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY (${gatewayFirst})`,
    ],
    [`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`],
  );
}

async function beginsWithGateway(runner: QueryRunner, table: string): Promise<boolean> {
  const rows = (await runner.query(
    `SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indrelid = 'public.${table}'::regclass AND i.indisprimary AND a.attname = 'gateway_id'`,
  )) as unknown[];
  return rows.length > 0;
}

async function buildIndex(runner: QueryRunner, part: string, key: string): Promise<void> {
  const rows = (await runner.query(
    `SELECT FROM pg_index WHERE indexrelid = to_regclass('public.${part}_turned') AND indisvalid`,
  )) as unknown[];
  if (rows.length > 0) return;
  // An interrupted build leaves an invalid index.
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${part}_turned`);
  await runner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${part}_turned ON ${part} (${key})`);
}
