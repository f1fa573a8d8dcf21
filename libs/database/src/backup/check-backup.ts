import type { ManifestKeys } from '@passerelle/domain';
import {
  type BackupManifest,
  BackupRefused,
  type BackupTable,
  fileOf,
  readManifest,
  type ReadManifest,
} from './manifest';
import { RowCounter, rowsOfPart } from './part-rows';

/** Reads even a backup that this installation did not sign. @throws BackupRefused when `restore` would refuse it */
export async function checkBackup(directory: string, keys: ManifestKeys): Promise<ReadManifest> {
  const read = await readManifest(directory, { keys, acceptForeign: true });
  await assertReadable(directory, read.manifest);
  return read;
}

/** Reads every row as `restore` does, without a database. @throws BackupRefused when `restore` would refuse it */
export async function assertReadable(directory: string, manifest: BackupManifest): Promise<void> {
  for (const table of manifest.tables) {
    for (const part of table.parts.keys()) {
      const counter = new RowCounter();
      for await (const chunk of rowsOfPart(directory, table, part)) counter.add(chunk);
      assertCounted(directory, manifest, table, counter.rows, table.parts[part]!.rows);
    }
  }
}

/** @throws BackupRefused when the rows differ from the manifest's counts, unless an earlier release counted them */
export function assertCounted(
  directory: string,
  { rowsCounted }: BackupManifest,
  { name }: Pick<BackupTable, 'name'>,
  found: number,
  written: number,
): void {
  if (rowsCounted !== true || found === written) return;
  throw new BackupRefused(
    `${fileOf(directory, name)} is not what the backup wrote: it has ${found} rows, the manifest says ${written}`,
  );
}
