import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as library from '@passerelle/database';
import {
  ApiDatabaseModule,
  Connectors,
  ConsoleDatabaseModule,
  DatabaseConnection,
  DatabaseNotMigrated,
  DatabaseUnreachable,
  Gateways,
  IngestorDatabaseModule,
  Runs,
  ServedGateways,
  Snapshots,
} from '@passerelle/database';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SOURCES = join(__dirname, '../../../libs/database/src');
/** What only a container has: programs without one have the connection as such, and nothing in the background. */
const OF_CONTAINERS = [
  'DatabaseClock',
  'GatewayDays',
  'KeyUses',
  'LeadListings',
  'RefusedWrites',
  'ReplicaReads',
  'SavedViews',
  'SearchRows',
  'SecretsKeyCheck',
];

/** The classes of the library that are made for a container, by their names. */
function injectables(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap((path) => [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/@Injectable\(\)\nexport class (\w+)/g)])
    .map(([, name = '']) => name)
    .sort();
}

// Real: PostgreSQL, Nest's container.
describe('the database as Nest modules', () => {
  let db: TestDatabase;
  const applications: INestApplicationContext[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
  });
  afterEach(async () => {
    while (applications.length > 0) await applications.pop()?.close();
  });
  afterAll(() => db.drop());

  async function boot(asked: Promise<DynamicModule>): Promise<INestApplicationContext> {
    const module = await asked;
    const application = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    applications.push(application);
    return application;
  }

  const secretsKeys = { secretsKey: null, secretsKeyOld: null };
  const options = () => ({ url: db.url, applicationName: 'module', readUrl: null, secretsKeys });
  const connections = (): Promise<object[]> =>
    db.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'module'`);

  it('gives the API what it reads, over a connection that ends with the application', async () => {
    const api = await boot(ApiDatabaseModule.forRoot(options()));
    expect(await api.get(Connectors).list()).toEqual([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    expect(await api.get(ServedGateways).find('kyero', 'nobody')).toBeNull();
    await expect(api.get(DatabaseConnection).assertSchemaFits()).resolves.toBeUndefined();
    expect(await connections()).not.toEqual([]);
    await applications.pop()?.close();
    // The server notices a moment later.
    while ((await connections()).length > 0) await sleep(20);
  });

  it('the connection that listens has the name of its program: of one that nobody asks there is no other', async () => {
    const api = await boot(ApiDatabaseModule.forRoot({ ...options(), applicationName: 'listening' }));
    const listener = { onNotification: () => undefined, onStateChange: () => undefined };
    const notifications = api.get(DatabaseConnection).notifications(['a_channel'], listener);
    await notifications.start();
    const listening = await db.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'listening' AND query LIKE 'LISTEN%'`,
    );
    expect(listening).toHaveLength(1);
    await notifications.close();
  });

  it.each([Gateways, Runs, Snapshots])('keeps %p from the API', async (part) => {
    const api = await boot(ApiDatabaseModule.forRoot(options()));
    expect(() => api.get(part)).toThrow(/could not find/);
  });

  it('gives the ingestor what publishes', async () => {
    const ingestor = await boot(IngestorDatabaseModule.forRoot(options()));
    expect(await ingestor.get(Gateways).list()).toEqual([]);
    expect(await ingestor.get(Snapshots).prune(1)).toBe(0);
    expect(await ingestor.get(Runs).isCancelRequested(1)).toBe(true);
  });

  it('says whose role it is when a part boots with that of another', async () => {
    const name = new URL(db.url).pathname.slice(1);
    await expect(boot(IngestorDatabaseModule.forRoot({ ...options(), url: db.urlOf('serve') }))).rejects.toThrow(
      `the role ${name}_serve of DATABASE_URL may not write listings: an ingestor needs ${name}_ingest, or the owner of the tables`,
    );
    await expect(boot(ApiDatabaseModule.forRoot({ ...options(), url: db.urlOf('ingest') }))).rejects.toThrow(
      `the role ${name}_ingest of DATABASE_URL is not the one that serves: the API needs ${name}_serve, or the owner of the tables`,
    );
    await expect(boot(ConsoleDatabaseModule.forRoot({ ...options(), url: db.urlOf('serve') }))).rejects.toThrow(
      `the role ${name}_serve of DATABASE_URL is not the one that operates: the console needs ${name}_operate, or the owner of the tables`,
    );
    await boot(ConsoleDatabaseModule.forRoot({ ...options(), url: db.urlOf('operate') }));
    await boot(IngestorDatabaseModule.forRoot({ ...options(), url: db.urlOf('ingest') }));
    await boot(ApiDatabaseModule.forRoot({ ...options(), url: db.urlOf('serve') }));
  });

  it('forgets none of its classes: each is in a module, in what programs without a container open, and exported', async () => {
    const modules = await Promise.all([
      ApiDatabaseModule.forRoot(options()),
      IngestorDatabaseModule.forRoot(options()),
      ConsoleDatabaseModule.forRoot(options()),
    ]);
    const provided = new Set(modules.flatMap((module) => module.exports ?? []).map((part) => (part as Type).name));
    const opened = new Set(Object.values<object>({ ...db.database }).map((part) => part.constructor.name));
    const all = injectables();
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((name) => !provided.has(name) && !opened.has(name))).toEqual([]);
    expect([...provided].filter((name) => !opened.has(name)).sort()).toEqual(OF_CONTAINERS);
    expect([...provided].filter((name) => !(name in library))).toEqual([]);
  });

  it('refuses to boot without a database, and says why', async () => {
    const booting = boot(ApiDatabaseModule.forRoot({ ...options(), url: 'postgres://127.0.0.1:1/none' }));
    await expect(booting).rejects.toThrow(DatabaseUnreachable);
    await expect(booting).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('refuses to boot over a database that lacks migrations', async () => {
    const bare = new URL(db.url);
    bare.pathname = `${bare.pathname}_bare`;
    await db.query(`CREATE DATABASE ${pg.escapeIdentifier(bare.pathname.slice(1))}`);
    try {
      const booting = boot(IngestorDatabaseModule.forRoot({ ...options(), url: bare.href }));
      await expect(booting).rejects.toThrow(DatabaseNotMigrated);
    } finally {
      await db.query(`DROP DATABASE ${pg.escapeIdentifier(bare.pathname.slice(1))}`);
    }
  });
});
