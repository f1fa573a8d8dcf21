import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as library from '@passerelle/database';
import {
  Connectors,
  DatabaseConnection,
  DatabaseNotMigrated,
  DatabaseUnreachable,
  Gateways,
  DatabaseModule,
  Runs,
  ServedGateways,
  Snapshots,
} from '@passerelle/database';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SOURCES = join(__dirname, '../../../libs/database/src');

/** Helpers that a repository or each process creates. */
const UNREGISTERED = ['SecretsKeyCheck', 'SnapshotWriter'];

/** The classes of the library that read or write through the pool. */
function repositoryClasses(): string[] {
  const declared =
    /^export class (\w+) \{(?:(?!^\}).*\n)*?  constructor\((?:\s*private readonly )(?:pool|source|dataSource|replicaReads)\b/gm;
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap((path) => [...readFileSync(join(SOURCES, path), 'utf8').matchAll(declared)])
    .map(([, name = '']) => name)
    .sort();
}

// Real: PostgreSQL, Nest's container.
describe('database as Nest modules', () => {
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

  async function boot(opening: Promise<DynamicModule>): Promise<INestApplicationContext> {
    const module = await opening;
    const application = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    applications.push(application);
    return application;
  }

  const secretsKeys = { secretsKey: null, secretsKeyOld: null };
  const options = () => ({ url: db.url, applicationName: 'module', readUrl: null, secretsKeys });
  const connections = (): Promise<object[]> =>
    db.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'module'`);

  it('gives the API its readers, over a connection that closes with the application', async () => {
    const api = await boot(DatabaseModule.forRoot('api', options()));
    expect(await api.get(Connectors).list()).toEqual([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    expect(await api.get(ServedGateways).find('kyero', 'nobody')).toBeNull();
    await expect(api.get(DatabaseConnection).assertSchemaFits()).resolves.toBeUndefined();
    expect(await connections()).not.toEqual([]);
    await applications.pop()?.close();
    // The server notices the closing a moment later.
    while ((await connections()).length > 0) await sleep(20);
  });

  it('names the listening connection after its program, and opens it on first use', async () => {
    const api = await boot(DatabaseModule.forRoot('api', { ...options(), applicationName: 'listening' }));
    const listener = { onNotification: () => undefined, onStateChange: () => undefined };
    const notifications = api.get(DatabaseConnection).notifications(['a_channel'], listener);
    await notifications.start();
    const listening = await db.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'listening' AND query LIKE 'LISTEN%'`,
    );
    expect(listening).toHaveLength(1);
    await notifications.close();
  });

  it.each([Gateways, Runs, Snapshots])('hides %p from the API', async (part) => {
    const api = await boot(DatabaseModule.forRoot('api', options()));
    expect(() => api.get(part)).toThrow(/could not find/);
  });

  it('gives the ingestor the publishing classes', async () => {
    const ingestor = await boot(DatabaseModule.forRoot('ingestor', options()));
    expect(await ingestor.get(Gateways).list()).toEqual([]);
    expect(await ingestor.get(Snapshots).prune(1)).toBe(0);
    expect(await ingestor.get(Runs).isCancelRequested(1)).toBe(true);
  });

  it('names the right role when a program starts with the role of another program', async () => {
    const name = new URL(db.url).pathname.slice(1);
    await expect(boot(DatabaseModule.forRoot('ingestor', { ...options(), url: db.urlOf('serve') }))).rejects.toThrow(
      `the role ${name}_serve of DATABASE_URL may not write listings: an ingestor needs ${name}_ingest, or the owner of the tables`,
    );
    await expect(boot(DatabaseModule.forRoot('api', { ...options(), url: db.urlOf('ingest') }))).rejects.toThrow(
      `the role ${name}_ingest of DATABASE_URL is not the role for serving: the API needs ${name}_serve, or the owner of the tables`,
    );
    await expect(boot(DatabaseModule.forRoot('console', { ...options(), url: db.urlOf('serve') }))).rejects.toThrow(
      `the role ${name}_serve of DATABASE_URL is not the role for operating: the console needs ${name}_operate, or the owner of the tables`,
    );
    await boot(DatabaseModule.forRoot('console', { ...options(), url: db.urlOf('operate') }));
    await boot(DatabaseModule.forRoot('ingestor', { ...options(), url: db.urlOf('ingest') }));
    await boot(DatabaseModule.forRoot('api', { ...options(), url: db.urlOf('serve') }));
  });

  it('registers every repository, and exports the class of each repository that a process injects', async () => {
    const opened = new Set(Object.values<object>({ ...db.database }).map((one) => one.constructor.name));
    const all = repositoryClasses();
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((name) => !opened.has(name) && !UNREGISTERED.includes(name))).toEqual([]);
    const modules = await Promise.all(
      (['api', 'ingestor', 'console'] as const).map((name) => DatabaseModule.forRoot(name, options())),
    );
    const injected = modules.flatMap((module) => module.exports ?? []).map((one) => (one as Type).name);
    expect(injected.filter((name) => !(name in library))).toEqual([]);
  });

  it('fails to start when the database is unreachable, and says why', async () => {
    const booting = boot(DatabaseModule.forRoot('api', { ...options(), url: 'postgres://127.0.0.1:1/none' }));
    await expect(booting).rejects.toThrow(DatabaseUnreachable);
    await expect(booting).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('fails to start on a database without migrations', async () => {
    const bare = new URL(db.url);
    bare.pathname = `${bare.pathname}_bare`;
    await db.query(`CREATE DATABASE ${pg.escapeIdentifier(bare.pathname.slice(1))}`);
    try {
      const booting = boot(DatabaseModule.forRoot('ingestor', { ...options(), url: bare.href }));
      await expect(booting).rejects.toThrow(DatabaseNotMigrated);
    } finally {
      await db.query(`DROP DATABASE ${pg.escapeIdentifier(bare.pathname.slice(1))}`);
    }
  });
});
