import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs continue meanwhile, so the migration uses many transactions and repeatable steps: docs/decisions/0064. */
export class KeysOfTextsAndListings1763769600000 implements MigrationInterface {
  name = 'KeysOfTextsAndListings1763769600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inOrder(runner, INDEX);
    await atOnce(runner, DECLARED);
    await inOrder(runner, LOOKED_THROUGH);
  }

  async down(runner: QueryRunner): Promise<void> {
    await atOnce(runner, UNDECLARED);
    await inOrder(runner, ['DROP INDEX CONCURRENTLY IF EXISTS current_listing_of_version']);
  }
}

async function inOrder(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}

async function atOnce(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  await runner.startTransaction();
  try {
    await inOrder(runner, statements);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const TEXTS = ['listing_normalized', 'listing_raw'];
const BELONGING = [...TEXTS, 'current_listing'];
const keyOf = (table: string): string => `${table}_version_id_fkey`;
const withoutVersion = (table: string): string =>
  `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM listing_version v WHERE v.id = t.version_id)`;

// Lock all tables together, in the order of runs and readers, to avoid deadlocks. Later statements read no rows.
const LOCK = 'LOCK TABLE listing_version, listing_normalized, listing_raw, current_listing IN ACCESS EXCLUSIVE MODE';

const INDEX = [
  // An interrupted build leaves an invalid index.
  'DROP INDEX CONCURRENTLY IF EXISTS current_listing_of_version',
  'CREATE INDEX CONCURRENTLY current_listing_of_version ON current_listing (version_id)',
];

const DECLARED = [
  LOCK,
  ...BELONGING.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${keyOf(table)}`),
  ...TEXTS.map(
    (table) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${keyOf(table)} FOREIGN KEY (version_id) REFERENCES listing_version
       ON DELETE CASCADE NOT VALID`,
  ),
  // A transaction fails if it removes only the version of a current listing. Removing a gateway removes both rows.
  `ALTER TABLE current_listing ADD CONSTRAINT ${keyOf('current_listing')} FOREIGN KEY (version_id) REFERENCES listing_version
   DEFERRABLE INITIALLY DEFERRED NOT VALID`,
  'DROP TRIGGER IF EXISTS remove_texts ON listing_version',
  'DROP FUNCTION IF EXISTS remove_texts',
];

const LOOKED_THROUGH = BELONGING.flatMap((table) => [
  withoutVersion(table),
  `ALTER TABLE ${table} VALIDATE CONSTRAINT ${keyOf(table)}`,
]);

const UNDECLARED = [
  LOCK,
  `CREATE OR REPLACE FUNCTION remove_texts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
   DECLARE ids bigint[] := ARRAY(SELECT id FROM gone);
   BEGIN
     ${TEXTS.map((table) => `DELETE FROM public.${table} WHERE version_id = ANY (ids);`).join('\n     ')}
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE TRIGGER remove_texts AFTER DELETE ON listing_version REFERENCING OLD TABLE AS gone
   FOR EACH STATEMENT EXECUTE FUNCTION remove_texts()`,
  ...BELONGING.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${keyOf(table)}`),
];
