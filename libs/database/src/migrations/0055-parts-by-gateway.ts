import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  belongingOf,
  indexOn,
  keysOf,
  PARTITIONED_TABLES,
  partitionName,
  type PartitionedTable,
} from '../partitions/partitioned-tables';
import { withShortLock } from './with-short-lock';

/** Existing rows become each table's only part while work continues; resumes if interrupted: docs/decisions/0064. */
export class PartsByGateway1763881200000 implements MigrationInterface {
  name = 'PartsByGateway1763881200000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await isTurned(runner))) {
      for (const table of WITHOUT_GATEWAY) await withShortLock(runner, gatewayColumn(table));
      for (const table of WITHOUT_GATEWAY) await fill(runner, table);
      for (const table of PARTITIONED_TABLES) await buildIndexes(runner, table);
      for (const table of PARTITIONED_TABLES) await stage(runner, table);
      await turn(runner);
    }
    for (const table of PARTITIONED_TABLES) await validate(runner, table);
    // Null in a database without gateways, which will be divided into the configured number of parts.
    await withShortLock(runner, ['ALTER TABLE installation ADD COLUMN IF NOT EXISTS parts integer']);
    await runner.query(
      `UPDATE installation SET parts = 1 WHERE parts IS NULL
         AND EXISTS (SELECT FROM pg_sequences WHERE sequencename = 'gateway_id_seq' AND last_value IS NOT NULL)`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the tables stay divided: the release before works with them as they are'));
  }
}

/** Tables in which earlier releases did not store the gateway. */
const WITHOUT_GATEWAY = PARTITIONED_TABLES.filter(({ name, belongsTo }) => belongsTo !== undefined && !saysWhose(name));
function saysWhose(name: string): boolean {
  return name === 'listing_photo' || name === 'current_listing';
}
const OLD_KEYS = PARTITIONED_TABLES.filter(({ belongsTo }) => belongsTo !== undefined);
/** Indexes that now contain the gateway; primary keys are separate. */
const CHANGED_INDEXES = ['listing_version_snapshot', 'current_listing_of_version', 'listing_change_of_snapshot'];
const isKeyChanged = ({ name, key }: PartitionedTable): boolean => key !== null && name !== 'current_listing';
const IDENTIFIED = ['snapshot', 'listing_version'];

async function isTurned(runner: QueryRunner): Promise<boolean> {
  return has(runner, `pg_class WHERE oid = 'public.listing_version'::regclass AND relkind = 'p'`);
}

async function has(runner: QueryRunner, what: string): Promise<boolean> {
  const rows = (await runner.query(`SELECT FROM ${what}`)) as unknown[];
  return rows.length > 0;
}

/** The trigger fills the column in rows that the previous release writes. A later contraction removes the trigger. */
function gatewayColumn({ name, belongsTo }: PartitionedTable): string[] {
  const { column, table } = belongsTo!;
  return [
    `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS gateway_id integer`,
    `CREATE OR REPLACE FUNCTION gateway_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.gateway_id := (SELECT gateway_id FROM public.${table} WHERE id = NEW.${column});
       RETURN NEW;
     END $$`,
    `CREATE OR REPLACE TRIGGER fill_gateway BEFORE INSERT ON ${name}
     FOR EACH ROW WHEN (NEW.gateway_id IS NULL) EXECUTE FUNCTION gateway_of_${table}()`,
  ];
}

const ROWS_AT_A_TIME = 2_000;
/** Vacuum this often, so that later batches reuse the space of earlier ones. */
const BATCHES_BEFORE_ROOM = 50;

async function fill(runner: QueryRunner, table: PartitionedTable): Promise<void> {
  // Another transaction may have changed rows meanwhile: the next pass fills these rows.
  do await fillOnce(runner, table);
  while (await has(runner, `${table.name} WHERE gateway_id IS NULL LIMIT 1`));
}

async function fillOnce(runner: QueryRunner, { name, belongsTo }: PartitionedTable): Promise<void> {
  const { column, table } = belongsTo!;
  let last = 0;
  for (let batch = 1; ; batch += 1) {
    const [row] = (await runner.query(
      `WITH chosen AS MATERIALIZED (
         SELECT t.ctid AS place, t.${column} AS id FROM ${name} t
         WHERE t.${column} > $1 AND t.gateway_id IS NULL ORDER BY t.${column} LIMIT ${ROWS_AT_A_TIME}
       ), filled AS (
         UPDATE ${name} t SET gateway_id = o.gateway_id FROM chosen JOIN ${table} o USING (id)
         WHERE t.ctid = chosen.place AND t.${column} = chosen.id
       )
       SELECT max(id) AS last FROM chosen`,
      [last],
    )) as { last: number | null }[];
    if (row === undefined || row.last === null) return;
    // The batch may have ended in the middle of rows with this id.
    last = row.last - 1;
    if (batch % BATCHES_BEFORE_ROOM === 0) await runner.query(`VACUUM ${name}`);
  }
}

async function buildIndexes(runner: QueryRunner, table: PartitionedTable): Promise<void> {
  const { name, key, indexes } = table;
  const wanted = Object.entries(indexes)
    .filter(([index]) => CHANGED_INDEXES.includes(index))
    .map(([index, form]) => ({ index: partitionName(index, 0), form }));
  if (key !== null && isKeyChanged(table))
    wanted.push({ index: `${partitionName(name, 0)}_pkey`, form: `UNIQUE (${key})` });
  for (const { index, form } of wanted) {
    if (await has(runner, `pg_index WHERE indexrelid = to_regclass('public.${index}') AND indisvalid`)) continue;
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await runner.query(indexOn(name, index, form, 'CONCURRENTLY'));
  }
}

/** Creates the divided table without parts, and a constraint that the existing rows fit into its only part. */
async function stage(runner: QueryRunner, { name }: PartitionedTable): Promise<void> {
  if (!(await has(runner, `pg_class WHERE oid = to_regclass('public.${name}_parts')`))) {
    const toGateway = IDENTIFIED.includes(name)
      ? [
          `ALTER TABLE ${name}_parts ADD CONSTRAINT ${name}_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateway ON DELETE CASCADE`,
        ]
      : [];
    await withShortLock(runner, [
      `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${name}_fits`,
      `CREATE TABLE ${name}_parts (LIKE ${name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY INCLUDING STORAGE)
         PARTITION BY HASH (gateway_id)`,
      ...toGateway,
    ]);
  }
  if (!(await has(runner, `pg_constraint WHERE conrelid = 'public.${name}'::regclass AND conname = '${name}_fits'`))) {
    // Repeat the bound of the part word by word, so that attaching the part reads no rows.
    await withShortLock(runner, [
      `DO $$ BEGIN EXECUTE format('ALTER TABLE ${name} ADD CONSTRAINT ${name}_fits CHECK (gateway_id IS NOT NULL
         AND satisfies_hash_partition(%L::oid, 1, 0, gateway_id)) NOT VALID', 'public.${name}_parts'::regclass::oid); END $$`,
    ]);
  }
  await runner.query(`ALTER TABLE ${name} VALIDATE CONSTRAINT ${name}_fits`);
}

/** Reads no rows, so it takes only as long as a few hundred changes of the catalogue. */
async function turn(runner: QueryRunner): Promise<void> {
  // Lock in the order of runs and readers. Adding the new tables' foreign keys needs the lock of gateway.
  const tables = ['listing_version', 'listing_normalized', 'listing_raw', 'listing_search', 'listing_photo'];
  await withShortLock(
    runner,
    [
      ...OLD_KEYS.map(({ name, belongsTo }) => `ALTER TABLE ${name} DROP CONSTRAINT ${name}_${belongsTo!.column}_fkey`),
      ...PARTITIONED_TABLES.flatMap(changePlaces),
      ...PARTITIONED_TABLES.map((table) => belongingOf(table, 0, 'NOT VALID')).filter((sql) => sql !== ''),
    ],
    [
      'LOCK TABLE gateway IN SHARE ROW EXCLUSIVE MODE',
      `LOCK TABLE ${tables.join(', ')}, listing_change, snapshot, snapshot_chunk, current_listing IN ACCESS EXCLUSIVE MODE`,
    ],
  );
}

function changePlaces(table: PartitionedTable): string[] {
  const { name, indexes } = table;
  const part = partitionName(name, 0);
  const key = isKeyChanged(table)
    ? [
        `ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey`,
        `ALTER TABLE ${name} ADD CONSTRAINT ${part}_pkey PRIMARY KEY USING INDEX ${part}_pkey`,
      ]
    : [];
  const keptKey = name === 'current_listing' ? [`ALTER INDEX ${name}_pkey RENAME TO ${part}_pkey`] : [];
  const others = Object.keys(indexes).map((index) =>
    CHANGED_INDEXES.includes(index)
      ? `DROP INDEX ${index}`
      : `ALTER INDEX ${index} RENAME TO ${partitionName(index, 0)}`,
  );
  return [
    ...[...key, ...keptKey, ...others],
    `ALTER TABLE ${name} ALTER COLUMN gateway_id SET NOT NULL`,
    `ALTER TABLE ${name} RENAME TO ${part}`,
    `ALTER TABLE ${name}_parts RENAME TO ${name}`,
    ...(IDENTIFIED.includes(name) ? takeNumbersOver(name) : []),
    ...keysOf(table),
    `ALTER TABLE ${name} ATTACH PARTITION ${part} FOR VALUES WITH (MODULUS 1, REMAINDER 0)`,
    `ALTER TABLE ${part} DROP CONSTRAINT ${name}_fits`,
    `ALTER TABLE ${part} SET (${table.settings.join(', ')})`,
    takeRightsOver(name, part),
  ];
}

/** Renaming locks the sequence, so no session takes a number between the two statements. */
function takeNumbersOver(name: string): string[] {
  const part = partitionName(name, 0);
  return [
    `ALTER SEQUENCE ${name}_id_seq RENAME TO ${part}_id_seq`,
    `ALTER SEQUENCE ${name}_parts_id_seq RENAME TO ${name}_id_seq`,
    `SELECT setval('public.${name}_id_seq', last_value, is_called) FROM ${part}_id_seq`,
    takeRightsOver(`${name}_id_seq`, `${part}_id_seq`, 'SEQUENCE'),
    `ALTER TABLE ${part} ALTER COLUMN id DROP IDENTITY`,
  ];
}

/** Moves privileges from the part to the new table with its name: roles must not use the part directly. */
function takeRightsOver(to: string, from: string, kind = ''): string {
  return `DO $$ DECLARE given record; BEGIN
    FOR given IN
      SELECT a.privilege_type AS what, a.grantee::regrole AS who FROM pg_class c, aclexplode(c.relacl) a
      WHERE c.oid = 'public.${from}'::regclass AND a.grantee NOT IN (0, c.relowner)
      UNION ALL
      SELECT format('%s (%I)', a.privilege_type, t.attname), a.grantee::regrole FROM pg_attribute t, aclexplode(t.attacl) a
      WHERE t.attrelid = 'public.${from}'::regclass AND a.grantee <> 0
    LOOP
      EXECUTE format('GRANT %s ON ${kind} ${to} TO %s', given.what, given.who);
      EXECUTE format('REVOKE %s ON ${kind} ${from} FROM %s', given.what, given.who);
    END LOOP;
  END $$`;
}

/** Checks existing rows while runs continue. */
async function validate(runner: QueryRunner, { name, belongsTo }: PartitionedTable): Promise<void> {
  if (belongsTo === undefined) return;
  const part = partitionName(name, 0);
  const constraint = `${part}_${belongsTo.column}_fkey`;
  const isOpen = await has(runner, `pg_constraint WHERE conname = '${constraint}' AND NOT convalidated`);
  if (isOpen) await runner.query(`ALTER TABLE ${part} VALIDATE CONSTRAINT ${constraint}`);
}
