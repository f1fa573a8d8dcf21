import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers that run once per statement replace foreign keys, which looked up each new row: docs/decisions/0064. */
export class FewerForeignKeys1763726400000 implements MigrationInterface {
  name = 'FewerForeignKeys1763726400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

// Lock in the same order as runs, so that a run and this migration never wait for each other.
const LOCK = `LOCK TABLE listing_version, gateway, listing_normalized, listing_raw, listing_change, current_listing
  IN ACCESS EXCLUSIVE MODE`;

/** @param removals statements that remove the rows that refer to the deleted rows `ids`. */
const leaving = (name: string, table: string, removals: string): string[] => [
  // A connection keeps this plan. Without a sequential scan, the plan is right for any number of rows.
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
   DECLARE ids bigint[] := ARRAY(SELECT id FROM gone);
   BEGIN
     ${removals}
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER ${name} AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
   FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
];

const UP = [
  LOCK,
  ...leaving(
    'remove_texts',
    'listing_version',
    `DELETE FROM public.listing_normalized WHERE version_id = ANY (ids);
     DELETE FROM public.listing_raw WHERE version_id = ANY (ids);`,
  ),
  ...leaving(
    'remove_listings',
    'gateway',
    `DELETE FROM public.current_listing WHERE gateway_id = ANY (ids);
     DELETE FROM public.listing_change WHERE gateway_id = ANY (ids);`,
  ),
  'ALTER TABLE listing_normalized DROP CONSTRAINT listing_normalized_version_id_fkey',
  'ALTER TABLE listing_raw DROP CONSTRAINT listing_raw_version_id_fkey',
  'ALTER TABLE listing_change DROP CONSTRAINT listing_change_gateway_id_fkey',
  'ALTER TABLE current_listing DROP CONSTRAINT current_listing_gateway_id_fkey',
];

const DOWN = [
  LOCK,
  ...['listing_normalized', 'listing_raw'].map(
    (table) => `ALTER TABLE ${table} ADD FOREIGN KEY (version_id) REFERENCES listing_version ON DELETE CASCADE`,
  ),
  ...['listing_change', 'current_listing'].map(
    (table) => `ALTER TABLE ${table} ADD FOREIGN KEY (gateway_id) REFERENCES gateway ON DELETE CASCADE`,
  ),
  'DROP TRIGGER remove_texts ON listing_version',
  'DROP TRIGGER remove_listings ON gateway',
  'DROP FUNCTION remove_texts, remove_listings',
];
