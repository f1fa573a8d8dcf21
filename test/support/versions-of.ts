import type { Database, HeldVersion } from '@passerelle/database';

/** All versions of a snapshot, in its order. */
export async function versionsOf(database: Database, snapshotId: number): Promise<HeldVersion[]> {
  const versions: HeldVersion[] = [];
  for await (const batch of database.readVersions(snapshotId)) versions.push(...batch);
  return versions;
}
