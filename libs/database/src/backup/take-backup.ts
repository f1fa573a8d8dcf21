import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import {
  type BackupManifest,
  BackupRefused,
  type BackupTable,
  fileOf,
  FORMAT,
  type Table,
  writeManifest,
} from './manifest';
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
  for (const table of await tablesOf(client)) tables.push(await writeRows(client, directory, table));
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

/** @param which a condition, as SQL; '' for all rows. */
export async function writeRows(
  client: pg.Client,
  directory: string,
  { name, columns }: Table,
  which = '',
): Promise<BackupTable> {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(to(`COPY (SELECT ${names} FROM ${pg.escapeIdentifier(name)} ${which}) TO STDOUT`));
  const hash = createHash('sha256');
  await pipeline(
    rows,
    createGzip({ level: 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(fileOf(directory, name), { flags: 'wx', mode: 0o600 }),
  );
  return { name, columns, rows: rows.rowCount, sha256: hash.digest('hex') };
}
