import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { assertHasEveryTable, assertInCatalogue } from './catalogue';
import { assertCounted } from './check-backup';
import { assertConsistent } from './consistency';
import { LineCheck, linesThat } from './copied-lines';
import {
  type BackupManifest,
  BackupRefused,
  type BackupTable,
  fileOf,
  readManifest,
  type ReadManifest,
  type Sequence,
  type Table,
  type Trust,
} from './manifest';
import { refusedBy, RowCounter, rowsOfPart } from './part-rows';
import { assertOwner, schemaOf, tablesOf } from './tables';
import { rulesOf } from './text-rules';

/** The migrations and a starting ingestor create these rows. */
const FILLED_BY_ITSELF = ['installation', 'connector', 'announcer'];
const LOCK_PATIENCE_MS = 10_000;

/** Restores all or nothing into a migrated, empty database. The caller closes the connection. @throws BackupRefused */
export async function restoreBackup(client: pg.Client, directory: string, trust: Trust): Promise<BackupManifest> {
  const read = await readManifest(directory, trust);
  const { manifest } = read;
  assertSameSchema(manifest, await schemaOf(client));
  await assertInCatalogue(client, directory, manifest);
  await assertHasEveryTable(client, directory, manifest);
  await assertOwner(client);
  const tables = await tablesOf(client);
  await client.query('BEGIN');
  await lock(client, tables);
  await assertEmpty(client, tables);
  // Truncate tables where possible, because they then load without WAL and with frozen rows.
  const emptied = tables.filter(({ isEmptied }) => isEmptied);
  await client.query(`TRUNCATE ${listOf(emptied)}`);
  for (const table of manifest.tables) {
    await fill(client, directory, read, table, emptied.some(({ name }) => name === table.name) ? 'WITH (FREEZE)' : '');
  }
  if (read.isForeign) await examine(client, directory);
  // The lists in the bucket may have changed since the backup: write all of them again.
  await client.query(`UPDATE bucket_gateway SET digest = NULL, lists = '[]'`);
  for (const sequence of manifest.sequences) await advance(client, sequence);
  await client.query('COMMIT');
  await client.query('ANALYZE');
  return manifest;
}

/** Checks rows from another installation, and removes their search entries: searches derive them again. */
async function examine(client: pg.Client, directory: string): Promise<void> {
  await assertConsistent(client, '', (table) => fileOf(directory, table));
  await client.query('DELETE FROM listing_search');
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

async function fill(
  client: pg.Client,
  directory: string,
  { manifest, isForeign }: ReadManifest,
  table: BackupTable,
  how: string,
): Promise<void> {
  const path = fileOf(directory, table.name);
  const check = new LineCheck(path, table.columns, rulesOf(table.name));
  const checked = linesThat((line) => {
    check.check(line);
    return true;
  });
  const counter = new RowCounter();
  const names = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(from(`COPY ${pg.escapeIdentifier(table.name)} (${names}) FROM STDIN ${how}`));
  try {
    // Use one pipeline for all parts, because each pipeline leaves listeners on the statement.
    await pipeline(
      async function* () {
        for (const part of table.parts.keys()) {
          const lines = rowsOfPart(directory, table, part);
          // Rows of this installation are restored unchecked, even if they break a newer rule.
          yield* isForeign ? checked(lines) : lines;
        }
      },
      (chunks: AsyncIterable<Buffer>) => counter.pass(chunks),
      rows,
    );
  } catch (cause) {
    throw refusedBy(cause, path);
  }
  assertCounted(directory, manifest, table, counter.rows, table.rows);
}

async function advance(client: pg.Client, { name, value }: Sequence): Promise<void> {
  await client.query('SELECT setval($1::text::regclass, $2::bigint)', [`public.${pg.escapeIdentifier(name)}`, value]);
}

function listOf(tables: readonly Table[]): string {
  return tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
}
