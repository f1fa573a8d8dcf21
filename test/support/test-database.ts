import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, nameOfRole, openDatabase, type RoleName } from '@passerelle/database';
import { columnTypes } from '../../libs/database/src/connection-settings';

/** A migrated database of its own on the run's embedded PostgreSQL. */
export interface TestDatabase {
  url: string;
  /** The same, or another way to it, for a role that the migrations have made. */
  urlOf(role: RoleName, way?: string): string;
  database: Database;
  /** For looking behind the repositories. */
  query<T extends object>(sql: string, parameters?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

/** The rows of gateways lie apart in tests as well; each part costs a database 0.4 MB. */
const PARTITIONS = 3;
/** A migrated database without roles that accepts no connections: test databases are copies of it. */
const TEMPLATE = 'migrated';
const ROLE_PASSWORD = randomBytes(16).toString('hex');

/** The address of the embedded PostgreSQL that jest started for this run. */
function testServerUrl(): string {
  const url = process.env['PASSERELLE_TEST_SERVER_URL'];
  if (url === undefined) throw new Error('no embedded PostgreSQL: this test belongs to the projects medium and e2e');
  return url;
}

export async function createTestDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (isMigrated) await copyTemplate(name);
  else await onServer((server) => server.query(`CREATE DATABASE ${name}`));
  const url = urlOfDatabase(name);
  const database = await openDatabase({ url: url.href, applicationName: 'test' });
  if (isMigrated)
    await database.migrations.migrate({ ingest: ROLE_PASSWORD, serve: ROLE_PASSWORD, operate: ROLE_PASSWORD });
  const client = new pg.Client({ connectionString: url.href, types: columnTypes() });
  // A lost connection shows in the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  // As in every installation, it is one of its own.
  if (isMigrated) await client.query('UPDATE installation SET key_pepper = $1', [randomBytes(32)]);
  return {
    url: url.href,
    urlOf(role, way = url.href) {
      const of = new URL(way);
      of.username = nameOfRole(of.pathname.slice(1), role);
      of.password = ROLE_PASSWORD;
      return of.href;
    },
    database,
    async query<T extends object>(sql: string, parameters: unknown[] = []): Promise<T[]> {
      return (await client.query<T>(sql, parameters)).rows;
    },
    async drop() {
      await client.end();
      await database.close();
      const roles = (['ingest', 'serve', 'operate'] as const).map((role) => nameOfRole(name, role));
      await onServer(async (server) => {
        await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await server.query(`DROP ROLE IF EXISTS ${roles.join(', ')}`);
      });
    },
  };
}

/** The migrations take longer than a copy of what they have made. The first that comes makes it for all of the run. */
async function copyTemplate(name: string): Promise<void> {
  await onServer(async (server) => {
    await server.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount === 0) {
      const migrating = `${TEMPLATE}_migrating`;
      await server.query(`DROP DATABASE IF EXISTS ${migrating} WITH (FORCE)`);
      await server.query(`CREATE DATABASE ${migrating}`);
      const database = await openDatabase({ url: urlOfDatabase(migrating).href, applicationName: 'test' });
      await database.migrations.migrate({}, PARTITIONS);
      await database.close();
      await server.query(`ALTER DATABASE ${migrating} RENAME TO ${TEMPLATE}`);
      await server.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    }
    await server.query('SELECT pg_advisory_unlock(1)');
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  });
}

function urlOfDatabase(name: string): URL {
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return url;
}

async function onServer<T>(ask: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: testServerUrl() });
  await server.connect();
  try {
    return await ask(server);
  } finally {
    await server.end();
  }
}
