import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type PoolClient } from 'pg';
import { FUNCTION_GRANTS, GRANTS, SEQUENCES, type TableGrants } from './grants';

/** Created by the migrations. The full name is the database's name, `_` and this name. */
export type RoleName = keyof TableGrants;

/** Passwords of the roles to create or to change. Other roles are not touched. */
export type RolePasswords = Readonly<Partial<Record<RoleName, string>>>;

export class RolesNotMade extends Error {
  override readonly name = 'RolesNotMade';
}

const ROLES: readonly RoleName[] = ['ingest', 'serve', 'operate'];
const INSUFFICIENT_PRIVILEGE = '42501';

/** The caller holds the migrations' lock. Existing roles get exactly the rights in `grants.ts`. @throws RolesNotMade */
export async function updateRoles(client: PoolClient, passwords: RolePasswords): Promise<void> {
  const { rows } = await client.query<{ database: string; isOwner: boolean }>(
    `SELECT current_database() AS database, pg_has_role(relowner, 'USAGE') AS "isOwner"
     FROM pg_class WHERE oid = 'public.gateway'::regclass`,
  );
  const { database = '', isOwner = false } = rows[0] ?? {};
  // A role that does not own the tables cannot grant anything, and has nothing to migrate either.
  if (!isOwner && Object.keys(passwords).length === 0) return;
  await client.query('BEGIN');
  try {
    for (const role of ROLES) await updateRole(client, database, role, passwords[role]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (!isRefusal(error)) throw error;
    throw new RolesNotMade('the role of DATABASE_URL may not make roles: let it (CREATEROLE), or give no passwords', {
      cause: error,
    });
  }
}

/** The name of a role, unique on the server: two installations on one server have two databases. */
export function nameOfRole(database: string, role: RoleName): string {
  return `${database}_${role}`;
}

async function updateRole(
  client: PoolClient,
  database: string,
  role: RoleName,
  password: string | undefined,
): Promise<void> {
  const name = nameOfRole(database, role);
  const quoted = escapeIdentifier(name);
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount === 0 && password === undefined) return;
  if (rowCount === 0) await client.query(`CREATE ROLE ${quoted}`);
  if (password !== undefined) {
    await client.query(`ALTER ROLE ${quoted} LOGIN PASSWORD ${escapeLiteral(scramVerifier(password))}`);
  }
  await client.query(settingsOf(role, database, quoted));
  // Send all statements together: more than two hundred round trips would take longer than the migrations.
  await client.query(grantsTo(role, quoted).join(';'));
  if (role === 'ingest') await giveQueue(client, database, quoted);
}

const STATEMENT_TIMEOUT: Readonly<Record<RoleName, string>> = { ingest: '120s', serve: '30s', operate: '30s' };

/** For connections through a pooler. An owner may lack the right to set them, which programs report at startup. */
function settingsOf(role: RoleName, database: string, quoted: string): string {
  const of = `ALTER ROLE ${quoted} IN DATABASE ${escapeIdentifier(database)} SET`;
  return `DO $$ BEGIN
    ${of} TimeZone = 'UTC'; ${of} search_path = public; ${of} jit = off; ${of} statement_timeout = '${STATEMENT_TIMEOUT[role]}';
  EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`;
}

function grantsTo(role: RoleName, quoted: string): string[] {
  const tables = Object.entries(GRANTS).flatMap(([table, grants]) => [
    `REVOKE ALL ON public.${table} FROM ${quoted}`,
    ...(grants[role] === '' ? [] : [`GRANT ${grants[role]} ON public.${table} TO ${quoted}`]),
  ]);
  const functions = Object.entries(FUNCTION_GRANTS).map(([name, roles]) => {
    const isTheirs = roles.includes(role);
    return `${isTheirs ? 'GRANT' : 'REVOKE'} EXECUTE ON FUNCTION public.${name} ${isTheirs ? 'TO' : 'FROM'} ${quoted}`;
  });
  const sequences = role === 'ingest' ? SEQUENCES : [];
  return [
    `GRANT USAGE ON SCHEMA public TO ${quoted}`,
    ...tables,
    ...functions,
    ...sequences.map((sequence) => `GRANT USAGE ON SEQUENCE public.${sequence} TO ${quoted}`),
  ];
}

/** Without Redis, BullMQ creates and migrates its own schema in the database when an ingestor starts. */
async function giveQueue(client: PoolClient, database: string, role: string): Promise<void> {
  await client.query(`GRANT CREATE ON DATABASE ${escapeIdentifier(database)} TO ${role}`);
  const { rows } = await client.query<{ statement: string }>(
    `WITH queue AS (SELECT oid, nspowner FROM pg_namespace WHERE nspname = 'bullmq')
     SELECT format('ALTER %s %s OWNER TO ', kind, name) AS statement FROM (
       SELECT 0 AS place, 'SCHEMA' AS kind, 'bullmq' AS name, nspowner AS owner FROM queue
       UNION ALL
       SELECT 1, CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.oid::regclass::text, relowner
       FROM pg_class c JOIN queue q ON q.oid = c.relnamespace
       WHERE relkind IN ('r', 'p', 'v', 'S')
         -- The sequence of a column goes with its table.
         AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND d.classid = 'pg_class'::regclass)
       UNION ALL
       SELECT 2, 'ROUTINE', p.oid::regprocedure::text, proowner FROM pg_proc p JOIN queue q ON q.oid = p.pronamespace
       UNION ALL
       SELECT 3, 'TYPE', t.oid::regtype::text, typowner FROM pg_type t JOIN queue q ON q.oid = t.typnamespace
       WHERE t.typtype IN ('e', 'd') OR (t.typtype = 'c' AND EXISTS (
         SELECT 1 FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
     ) owned
     WHERE owner <> (SELECT oid FROM pg_roles WHERE rolname = $1)
     ORDER BY place`,
    [nameOfRole(database, 'ingest')],
  );
  if (rows.length > 0) await client.query(`GRANT ${role} TO CURRENT_USER`);
  for (const { statement } of rows) await client.query(statement + role);
}

function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
}

const ITERATIONS = 4_096;

/** PostgreSQL's stored form of a password (SCRAM-SHA-256), because a server may log the statement. */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const key = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${key('Server Key').toString('base64')}`;
}
