import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, nameOfRole, openDatabase, type RoleName } from '@passerelle/database';
import { columnTypes } from '../../libs/database/src/connection-settings';

/** A separate migrated database on the embedded PostgreSQL of this test run. */
export interface TestDatabase {
  url: string;
  /**
   * Returns the URL with the login of a role that the migrations created. @param way the URL to change; default: `url`
   */
  urlOf(role: RoleName, way?: string): string;
  database: Database;
  /** Queries the database directly, without the repositories. */
  query<T extends object>(sql: string, parameters?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

/** More than one, so that tests also spread gateways over partitions. Each partition adds 0.4 MB to a database. */
const PARTITIONS = 3;
/** A migrated database without roles. It accepts no connections, because tests copy it. */
const TEMPLATE = 'migrated';
const ROLE_PASSWORD = randomBytes(16).toString('hex');

/** The URL of the embedded PostgreSQL that jest started for this run. */
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
  // Without a listener, a lost connection would end the process. The next query reports the loss.
  client.on('error', () => undefined);
  await client.connect();
  // Set a new key pepper, because every installation has a different one.
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

/**
 * Copies a migrated database, because the migrations take longer. The first call in a test run creates the template.
 */
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
