import type { PoolClient } from 'pg';
import { belongingOf, PARTITIONED_TABLES, partitionName, type PartitionedTable } from './partitioned-tables';
import { COMPRESSED, compressionOf, storeTexts, type TextCompression } from './text-storage';

export const DEFAULT_PARTITIONS = 64;

/** @returns the number of partitions; null while a new database is not divided. */
export async function partitionsIn(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ parts: number | null }>('SELECT parts FROM installation');
  return rows[0]?.parts ?? null;
}

/** Divides a database that never had a gateway, table by table to hold few locks. Can be repeated. */
export async function divide(client: PoolClient, partitions: number): Promise<void> {
  // Start with referring tables, because dropping a table also drops its foreign keys.
  for (const { name } of PARTITIONED_TABLES.toReversed()) await client.query(dropPartitions(name));
  for (const { name, key, gatewayFirst } of PARTITIONED_TABLES) {
    if (gatewayFirst === undefined || key === null) continue;
    // The previous release may read a database with one partition, and its statements do not name the gateway.
    await client.query(otherKey(name, partitions > 1 ? gatewayFirst : key));
  }
  const compression = await compressionOf(async (sql) => (await client.query<object>(sql)).rows);
  for (const table of PARTITIONED_TABLES)
    await client.query(['BEGIN', ...createPartitions(table, partitions, compression), 'COMMIT'].join(';\n'));
  await client.query('UPDATE installation SET parts = $1', [partitions]);
}

function dropPartitions(name: string): string {
  return `DO $$ DECLARE part regclass; BEGIN
    IF EXISTS (SELECT FROM ${name}) THEN RAISE EXCEPTION 'there are rows in ${name}'; END IF;
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'public.${name}'::regclass
    LOOP EXECUTE format('DROP TABLE %s', part); END LOOP;
  END $$`;
}

function otherKey(name: string, key: string): string {
  const constraint = `${name}_pkey`;
  return `ALTER TABLE ${name} DROP CONSTRAINT ${constraint}, ADD CONSTRAINT ${constraint} PRIMARY KEY (${key})`;
}

function createPartitions(table: PartitionedTable, partitions: number, compression: TextCompression): string[] {
  const { name, settings, isRemovedByTrigger } = table;
  return Array.from({ length: partitions }, (_, partition) => [
    `CREATE TABLE ${partitionName(name, partition)} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${partition})
       WITH (${settings.join(', ')})`,
    ...(isRemovedByTrigger === true ? [] : [belongingOf(table, partition)]),
    ...(settings.includes(COMPRESSED) ? storeTexts(partitionName(name, partition), compression, true) : []),
  ])
    .flat()
    .filter((sql) => sql !== '');
}
