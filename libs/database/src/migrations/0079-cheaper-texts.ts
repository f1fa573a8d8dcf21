import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PARTITIONED_TABLES } from '../partitions/partitioned-tables';
import { compressionOf, storeTexts } from '../partitions/text-storage';
import { withShortLock } from './with-short-lock';

/** One trigger replaces the foreign keys of texts, and lz4 or nothing replaces pglz: docs/decisions/0064 and 0071. */
export class CheaperTexts1763967600000 implements MigrationInterface {
  name = 'CheaperTexts1763967600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The trigger exists before the keys are dropped, so that no text outlives its version.
    await withShortLock(runner, [REMOVE_TEXTS, TRIGGER]);
    for (const table of TEXTS) {
      for (const { part, version, key } of await keysOf(runner, table)) {
        await withShortLock(
          runner,
          [`ALTER TABLE ${part} DROP CONSTRAINT ${key}`],
          [`LOCK TABLE ${version}, ${part} IN ACCESS EXCLUSIVE MODE`],
        );
      }
    }
    const compression = await compressionOf((sql) => runner.query(sql) as Promise<unknown>);
    for (const table of ['listing_normalized', 'listing_raw']) {
      const parts = await partsOf(runner, table);
      for (const name of [...parts, table]) await withShortLock(runner, storeTexts(name, compression, name !== table));
    }
  }

  /** Keeps the storage, which every release can read. */
  async down(runner: QueryRunner): Promise<void> {
    for (const table of TEXTS) {
      for (const part of await partsOf(runner, table)) {
        const version = part.replace(table, 'listing_version');
        await withShortLock(runner, [
          `ALTER TABLE ${part} ADD CONSTRAINT ${part}_version_id_fkey FOREIGN KEY (version_id, gateway_id)
             REFERENCES ${version} (id, gateway_id) ON DELETE CASCADE NOT VALID`,
        ]);
        await runner.query(`ALTER TABLE ${part} VALIDATE CONSTRAINT ${part}_version_id_fkey`);
      }
    }
    await withShortLock(runner, ['DROP TRIGGER remove_texts ON listing_version', 'DROP FUNCTION remove_texts']);
  }
}

const TEXTS = PARTITIONED_TABLES.filter(({ isRemovedByTrigger }) => isRemovedByTrigger).map(({ name }) => name);

// Each statement names the gateway, so that PostgreSQL opens one partition.
const REMOVE_TEXTS = `CREATE OR REPLACE FUNCTION remove_texts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
   SET search_path = pg_catalog, pg_temp AS $$
   DECLARE
     of_gateway record;
     removing text;
   BEGIN
     FOR of_gateway IN SELECT gateway_id, array_agg(id) AS ids FROM gone GROUP BY gateway_id LOOP
       FOREACH removing IN ARRAY ARRAY[${TEXTS.map((table) => `'${table}'`).join(', ')}] LOOP
         EXECUTE format('DELETE FROM public.%I WHERE gateway_id = %s AND version_id = ANY ($1)', removing, of_gateway.gateway_id)
           USING of_gateway.ids;
       END LOOP;
     END LOOP;
     RETURN NULL;
   END $$`;

const TRIGGER = `CREATE OR REPLACE TRIGGER remove_texts AFTER DELETE ON listing_version REFERENCING OLD TABLE AS gone
   FOR EACH STATEMENT EXECUTE FUNCTION remove_texts()`;

async function partsOf(runner: QueryRunner, table: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'public.${table}'::regclass ORDER BY inhrelid`,
  )) as { part: string }[];
  return rows.map(({ part }) => part);
}

/** The foreign keys from the partitions of a table to the partitions of versions. */
async function keysOf(runner: QueryRunner, table: string): Promise<{ part: string; version: string; key: string }[]> {
  return (await runner.query(
    `SELECT c.conrelid::regclass::text AS part, c.confrelid::regclass::text AS version, c.conname AS key
     FROM pg_inherits i JOIN pg_constraint c ON c.conrelid = i.inhrelid AND c.contype = 'f'
     WHERE i.inhparent = 'public.${table}'::regclass ORDER BY i.inhrelid`,
  )) as { part: string; version: string; key: string }[];
}
