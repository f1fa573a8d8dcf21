import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ManifestKeys } from '@passerelle/domain';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { assertReadable } from './check-backup';
import {
  type BackupManifest,
  type BackupPart,
  BackupRefused,
  type BackupTable,
  fileOf,
  FORMAT,
  makeEmpty,
  type Table,
  writeManifest,
} from './manifest';
import { gatewaysByPartition, sourcesOf } from './gateway-tables';
import { RowCounter } from './part-rows';
import { assertOwner, pepperOf, schemaOf, sequencesOf, tablesOf } from './tables';

/** Writes all tables as of one moment, and reads them back. The caller closes the connection. @throws BackupRefused */
export async function takeBackup(client: pg.Client, directory: string, keys: ManifestKeys): Promise<BackupManifest> {
  await assertOwner(client);
  await makeEmpty(directory);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const takenAt = new Date().toISOString();
  const schema = await schemaOf(client);
  const tables: BackupTable[] = [];
  const gateways = await gatewaysByPartition(client);
  for (const table of await tablesOf(client)) {
    tables.push(await writeRows(client, directory, table, sourcesOf(table.name, gateways)));
  }
  // Read the sequences after the tables: a sequence may be ahead of the rows, but never behind them.
  const sequences = await sequencesOf(client);
  const pepper = await pepperOf(client);
  await finish(client);
  const manifest = { format: FORMAT, takenAt, schema, tables, sequences, pepper, rowsCounted: true };
  await assertReadable(directory, manifest);
  await writeManifest(directory, manifest, keys);
  return manifest;
}

/** @throws BackupRefused when a statement failed silently: the server then answers COMMIT with ROLLBACK */
export async function finish(client: pg.Client): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new BackupRefused('PostgreSQL could not send all rows; its log says why');
}

/** Writes the rows of a table into its file. @param sources the SQL source of each part */
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
    // Without a listener, an error of the server after the data would end the process; `finish` detects it.
    rows.on('error', () => undefined);
    const flags = parts.length === 0 ? 'wx' : 'a';
    // Flush the rows before the manifest: a power loss must not leave a manifest without rows.
    const flush = parts.length === sources.length - 1;
    const file = createWriteStream(fileOf(directory, name), { flags, mode: 0o600, flush });
    parts.push(await writeGzipped(rows, file));
  }
  return { name, columns, rows: parts.reduce((sum, { rows }) => sum + rows, 0), parts };
}

/** Counts rows itself: the driver's count is complete only after CommandComplete, which may follow the data. */
async function writeGzipped(rows: Readable, file: Writable): Promise<BackupPart> {
  const hash = createHash('sha256');
  const counter = new RowCounter();
  let bytes = 0;
  await pipeline(
    rows,
    (chunks: AsyncIterable<Buffer>) => counter.pass(chunks),
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
  return { rows: counter.rows, bytes, sha256: hash.digest('hex') };
}
