import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import {
  type BackupManifest,
  type BackupPart,
  BackupRefused,
  type BackupTable,
  fileOf,
  FORMAT,
  type Table,
  writeManifest,
} from './manifest';
import { gatewaysByPart, sourcesOf } from './gateway-tables';
import { assertOwner, pepperOf, schemaOf, sequencesOf, tablesOf } from './tables';

/**
 * Writes every table of a database into files of a new directory, as they are at one moment: readers and writers go on
 * meanwhile.
 *
 * A transaction that fails is left to the connection's end.
 *
 * @throws BackupRefused when the directory has something in it; what the driver or the file system says.
 */
export async function takeBackup(client: pg.Client, directory: string): Promise<BackupManifest> {
  await assertOwner(client);
  await makeEmpty(directory);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const takenAt = new Date().toISOString();
  const schema = await schemaOf(client);
  const tables: BackupTable[] = [];
  const gateways = await gatewaysByPart(client);
  for (const table of await tablesOf(client)) {
    tables.push(await writeRows(client, directory, table, sourcesOf(table.name, gateways)));
  }
  // Behind the tables: a counter may be ahead of the rows, never the other way round.
  const sequences = await sequencesOf(client);
  const pepper = await pepperOf(client);
  await client.query('COMMIT');
  const manifest: BackupManifest = { format: FORMAT, takenAt, schema, tables, sequences, pepper };
  await writeManifest(directory, manifest);
  return manifest;
}

/** @throws BackupRefused when the directory has something in it, or cannot be made. */
export async function makeEmpty(directory: string): Promise<void> {
  // Keys' hashes, credentials and listings lie there: for its owner only.
  await makeDirectory(resolve(directory));
  if ((await readdir(directory)).length > 0) throw new BackupRefused(`${directory} is not empty`);
}

/** One folder after the other: Node's own way never ends where a file system refuses folders that are not there, as /proc does. */
async function makeDirectory(directory: string): Promise<void> {
  if (await isThere(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (await isThere(directory)) return;
    const why = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause);
    throw new BackupRefused(`${directory} cannot be made (${why})`, { cause });
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** @param sources where the rows of each of its parts come from, as SQL. */
export async function writeRows(
  client: pg.Client,
  directory: string,
  { name, columns }: Table,
  sources: readonly string[],
): Promise<BackupTable> {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const parts: BackupPart[] = [];
  for (const source of sources) {
    const rows = client.query(to(`COPY (SELECT ${names} FROM ${source}) TO STDOUT`));
    const flags = parts.length === 0 ? 'wx' : 'a';
    const written = await writeGzipped(rows, createWriteStream(fileOf(directory, name), { flags, mode: 0o600 }));
    parts.push({ rows: rows.rowCount, ...written });
  }
  return { name, columns, rows: parts.reduce((sum, { rows }) => sum + rows, 0), parts };
}

async function writeGzipped(rows: Readable, file: Writable): Promise<Pick<BackupPart, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    rows,
    createGzip({ level: 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    file,
  );
  return { bytes, sha256: hash.digest('hex') };
}
