import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, nameOfRole, openDatabase, type RoleName } from '@passerelle/database';
import { columnTypes } from '../../libs/database/src/entities/column-types';

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

const ROLE_PASSWORD = randomBytes(16).toString('hex');

/** The address of the embedded PostgreSQL that jest started for this run. */
function testServerUrl(): string {
  const url = process.env['PASSERELLE_TEST_SERVER_URL'];
  if (url === undefined) throw new Error('no embedded PostgreSQL: this test belongs to the projects medium and e2e');
  return url;
}

export async function createTestDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href, applicationName: 'test' });
  if (isMigrated)
    await database.migrations.migrate({ ingest: ROLE_PASSWORD, serve: ROLE_PASSWORD, operate: ROLE_PASSWORD });
  const client = new pg.Client({ connectionString: url.href, types: columnTypes() });
  // A lost connection shows in the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
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
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
      const roles = (['ingest', 'serve', 'operate'] as const).map((role) => nameOfRole(name, role));
      await onServer(`DROP ROLE IF EXISTS ${roles.join(', ')}`);
    },
  };
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
