import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import {
  type BackupManifest,
  BackupRefused,
  type BackupTable,
  fileOf,
  readManifest,
  type Sequence,
  type Table,
} from './manifest';
import { assertOwner, schemaOf, tablesOf } from './tables';

/** What the migrations and a starting ingestor write by themselves. None of it is somebody's. */
const FILLED_BY_ITSELF = ['installation', 'connector', 'announcer'];
const LOCK_PATIENCE_MS = 10_000;

/**
 * Fills a migrated database that has nothing in it with a backup: with all of it, or not at all.
 * A transaction that fails is left to the connection's end.
 *
 * @throws BackupRefused when the database is not empty or of another schema, or the backup is not whole.
 */
export async function restoreBackup(client: pg.Client, directory: string): Promise<BackupManifest> {
  const manifest = await readManifest(directory);
  assertSameSchema(manifest, await schemaOf(client));
  await assertOwner(client);
  const tables = await tablesOf(client);
  await client.query('BEGIN');
  await lock(client, tables);
  await assertEmpty(client, tables);
  // Tables that were emptied in this transaction take their rows without a log of them, and ready to be read. Divided ones do not.
  const emptied = tables.filter(({ isEmptied }) => isEmptied);
  await client.query(`TRUNCATE ${listOf(emptied)}`);
  for (const table of manifest.tables) {
    await fill(client, directory, table, emptied.some(({ name }) => name === table.name) ? 'WITH (FREEZE)' : '');
  }
  // What a bucket of lists holds by now is not what it held at the time of the backup: it is written anew.
  await client.query(`UPDATE bucket_gateway SET digest = NULL, lists = '[]'`);
  for (const sequence of manifest.sequences) await advance(client, sequence);
  await client.query('COMMIT');
  await client.query('ANALYZE');
  return manifest;
}

/** @throws BackupRefused */
export function assertSameSchema({ schema }: BackupManifest, present: readonly string[]): void {
  if (schema.join() === present.join()) return;
  const [ofBackup, ofDatabase] = [schema.at(-1) ?? 'none', present.at(-1) ?? 'none'];
  throw new BackupRefused(
    `the backup is of schema ${ofBackup}, the database of ${ofDatabase}: ` +
      'restore with the release that made the backup, then upgrade',
  );
}

async function lock(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
  try {
    await client.query(`LOCK TABLE ${listOf(tables)} IN ACCESS EXCLUSIVE MODE`);
  } catch (cause) {
    throw new BackupRefused('the database is in use: stop the API and the ingestors first', { cause });
  }
}

async function assertEmpty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    if (FILLED_BY_ITSELF.includes(name)) continue;
    const { rows } = await client.query(`SELECT 1 FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rows.length > 0) {
      throw new BackupRefused(`the database is not empty: there are rows in "${name}". Restore into a new one`);
    }
  }
}

async function fill(client: pg.Client, directory: string, table: BackupTable, how: string): Promise<void> {
  const names = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(from(`COPY ${pg.escapeIdentifier(table.name)} (${names}) FROM STDIN ${how}`));
  for (const part of table.parts.keys()) {
    await readRows(directory, table, part, (lines) => pipeline(lines, rows, { end: part === table.parts.length - 1 }));
  }
  if (rows.rowCount !== table.rows)
    throw new BackupRefused(`${fileOf(directory, table.name)} is not what the backup wrote`);
}

/**
 * Hands out the lines of one part of a table.
 *
 * @throws BackupRefused when they are not what the backup wrote, or `take` fails.
 */
export async function readRows(
  directory: string,
  { name, parts }: BackupTable,
  part: number,
  take: (lines: Readable) => Promise<void>,
): Promise<void> {
  const path = fileOf(directory, name);
  const { bytes, sha256 } = parts[part]!;
  const start = parts.slice(0, part).reduce((sum, before) => sum + before.bytes, 0);
  // The last one to the end of the file: there must be nothing behind it.
  const place = part === parts.length - 1 ? { start } : { start, end: start + bytes - 1 };
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    const lines = createGunzip();
    await Promise.all([pipeline(createReadStream(path, place), hashed, lines), take(lines)]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackupRefused(`${path} cannot be restored: ${why}`, { cause });
  }
  if (hash.digest('hex') !== sha256) throw new BackupRefused(`${path} is not what the backup wrote`);
}

async function advance(client: pg.Client, { name, value }: Sequence): Promise<void> {
  await client.query('SELECT setval($1::text::regclass, $2::bigint)', [`public.${pg.escapeIdentifier(name)}`, value]);
}

function listOf(tables: readonly Table[]): string {
  return tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
}
