import type { PoolClient } from 'pg';
import { belongingOf, PART_TABLES, partOf, type PartTable } from './part-tables';

/** The number of parts of a new installation if none is configured. */
export const DEFAULT_PARTS = 64;

/** @returns null while a new database is not divided. */
export async function partsIn(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ parts: number | null }>('SELECT parts FROM installation');
  return rows[0]?.parts ?? null;
}

/**
 * Divides the tables of a database that has never had a gateway. It divides one table at a time to hold few locks; it can run
 * again.
 */
export async function divide(client: PoolClient, parts: number): Promise<void> {
  // Divide tables that refer to others first: their foreign keys are dropped with them.
  for (const { name } of PART_TABLES.toReversed()) await client.query(removalOfParts(name));
  for (const { name, key, gatewayFirst } of PART_TABLES) {
    if (gatewayFirst === undefined || key === null) continue;
    // With one part, the previous release may read it, and that release does not name the gateway.
    await client.query(otherKey(name, parts > 1 ? gatewayFirst : key));
  }
  for (const table of PART_TABLES) await client.query(['BEGIN', ...partsOf(table, parts), 'COMMIT'].join(';\n'));
  await client.query('UPDATE installation SET parts = $1', [parts]);
}

function removalOfParts(name: string): string {
  return `DO $$ DECLARE part regclass; BEGIN
    IF EXISTS (SELECT FROM ${name}) THEN RAISE EXCEPTION 'there are rows in ${name}'; END IF;
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'public.${name}'::regclass
    LOOP EXECUTE format('DROP TABLE %s', part); END LOOP;
  END $$`;
}

/** SQL that gives a table another primary key. */
function otherKey(name: string, key: string): string {
  const constraint = `${name}_pkey`;
  return `ALTER TABLE ${name} DROP CONSTRAINT ${constraint}, ADD CONSTRAINT ${constraint} PRIMARY KEY (${key})`;
}

function partsOf(table: PartTable, parts: number): string[] {
  const { name, settings } = table;
  return Array.from({ length: parts }, (_, part) => [
    `CREATE TABLE ${partOf(name, part)} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})
       WITH (${settings.join(', ')})`,
    belongingOf(table, part),
  ])
    .flat()
    .filter((sql) => sql !== '');
}
