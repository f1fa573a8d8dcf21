import type pg from 'pg';
import { BackupRefused, type Sequence, type Table } from './manifest';

/** The migrations fill this table. A backup stores its rows as the `schema` of the manifest. */
const MIGRATIONS_TABLE = 'schema_migration';

/** The migrations that a database has run, in order. @throws when it has run none. */
export async function schemaOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
  return rows.map(({ name }) => name);
}

export interface StoredTable extends Table {
  /** Whether TRUNCATE can empty the table: it is not divided, and no other table refers to it. */
  isEmptied: boolean;
}

/** Every table except the queue's, each after the tables that it refers to. */
export async function tablesOf(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `WITH RECURSIVE ours AS (
       SELECT oid, relname, relkind FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> $1
     ), keys AS (
       -- Those of a part are its table's.
       SELECT DISTINCT coalesce(pg_partition_root(conrelid), conrelid)::oid AS of,
              coalesce(pg_partition_root(confrelid), confrelid)::oid AS to
       FROM pg_constraint WHERE contype = 'f'
     ), behind (oid, depth) AS (
       SELECT oid, 0 FROM ours
       UNION
       SELECT k.of, b.depth + 1 FROM behind b JOIN keys k ON k.to = b.oid
       WHERE k.of <> k.to AND b.depth < 100
     )
     SELECT o.relname::text AS name,
       o.relkind = 'r' AND NOT EXISTS (SELECT FROM keys k JOIN pg_class d ON d.oid = k.of AND d.relkind = 'p' WHERE k.to = o.oid)
         AS "isEmptied", array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM ours o
     JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY o.oid, o.relname, o.relkind
     ORDER BY (SELECT max(depth) FROM behind b WHERE b.oid = o.oid), o.relname`,
    [MIGRATIONS_TABLE],
  );
  return rows;
}

/** The sequences that have already issued an identifier. */
export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences s
     WHERE schemaname = 'public' AND last_value IS NOT NULL
       AND sequencename <> coalesce(
         (SELECT relname FROM pg_class WHERE oid = pg_get_serial_sequence($1, 'id')::regclass), '')
     ORDER BY sequencename`,
    [MIGRATIONS_TABLE],
  );
  return rows;
}

/** All sequences, used or unused, except the one of the migrations, which is not restored. */
export async function sequenceNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
       AND oid IS DISTINCT FROM pg_get_serial_sequence($1, 'id')::regclass`,
    [MIGRATIONS_TABLE],
  );
  return rows.map(({ name }) => name);
}

/** A fingerprint of the installation's own secret that does not reveal the secret. */
export async function pepperOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pepper: string }>(
    `SELECT encode(sha256('passerelle' || key_pepper), 'hex') AS pepper FROM installation`,
  );
  return rows[0]?.pepper ?? '';
}

/** Only the owner of the tables may read and empty all of them. @throws BackupRefused */
export async function assertOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isOwner: boolean; role: string; owner: string }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS "isOwner", current_user AS role, pg_get_userbyid(relowner) AS owner
     FROM pg_class WHERE oid = to_regclass('public.gateway')`,
  );
  const [row] = rows;
  if (row === undefined || row.isOwner) return;
  throw new BackupRefused(
    `the role ${row.role} may not read all tables: backup and restore need DATABASE_URL of ${row.owner}, who owns them`,
  );
}
