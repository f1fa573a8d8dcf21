import type { Database, CurrentVersion } from '@passerelle/database';

/** All versions of a snapshot, in its order. */
export async function versionsOf(database: Database, snapshotId: number): Promise<CurrentVersion[]> {
  const versions: CurrentVersion[] = [];
  for await (const batch of database.snapshots.readVersions(snapshotId)) versions.push(...batch);
  return versions;
}
