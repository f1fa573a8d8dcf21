import type { ByteText, CurrentVersion, Database } from '@passerelle/database';
import type { PlainVersion } from './ingest/reused-versions';

/** All versions of a snapshot, in its order. */
export async function versionsOf(database: Database, gatewayId: number, snapshotId: number): Promise<PlainVersion[]> {
  const versions: PlainVersion[] = [];
  await database.snapshots.readVersions({ gatewayId, id: snapshotId }, (version) => versions.push(plainOf(version)));
  return versions;
}

function plainOf({ id, fill, duties, ...texts }: CurrentVersion): PlainVersion {
  const text = ({ bytes, start, end }: ByteText): string => bytes.toString('utf8', start, end);
  return {
    ...{ id, fill, duties, affId: text(texts.affId), scope: text(texts.scope), revision: text(texts.revision) },
    ...{ recordHash: text(texts.recordHash), contentHash: text(texts.contentHash) },
  };
}
