import type pg from 'pg';
import { type BackupManifest, BackupRefused, manifestFile, shown, type Table } from './manifest';
import { sequenceNames, tablesOf } from './tables';

/** A file must not decide which tables, columns or files exist. @throws BackupRefused */
export async function assertInCatalogue(client: pg.Client, directory: string, manifest: BackupManifest): Promise<void> {
  const file = manifestFile(directory);
  const known = new Map((await tablesOf(client)).map((table): [string, Table] => [table.name, table]));
  const seen = new Set<string>();
  for (const { name, columns } of manifest.tables) {
    const table = known.get(name);
    if (table === undefined) throw new BackupRefused(`${file} names a table ${shown(name)}, which this release lacks`);
    if (seen.has(name)) throw new BackupRefused(`${file} names the table ${shown(name)} twice`);
    seen.add(name);
    assertColumns(file, table, columns);
  }
  const sequences = await sequenceNames(client);
  for (const { name } of manifest.sequences) {
    if (sequences.includes(name)) continue;
    throw new BackupRefused(`${file} names a sequence ${shown(name)}, which this release lacks`);
  }
}

function assertColumns(file: string, { name, columns }: Table, given: readonly string[]): void {
  const wrong = given.find((column) => !columns.includes(column));
  if (wrong !== undefined) {
    throw new BackupRefused(`${file} names a column ${shown(wrong)} of "${name}", which this release lacks`);
  }
  const missing = columns.find((column) => !given.includes(column));
  if (missing !== undefined) throw new BackupRefused(`${file} lacks the column "${missing}" of "${name}"`);
  if (given.length !== columns.length) throw new BackupRefused(`${file} names a column of "${name}" twice`);
}

/** @throws BackupRefused when a backup of the whole database lacks a table: a restore would silently lose its rows. */
export async function assertHasEveryTable(
  client: pg.Client,
  directory: string,
  { tables }: BackupManifest,
): Promise<void> {
  const missing = (await tablesOf(client)).find(({ name }) => !tables.some((table) => table.name === name));
  if (missing === undefined) return;
  throw new BackupRefused(
    `${manifestFile(directory)} lacks the table "${missing.name}": it is no backup of a whole database`,
  );
}
