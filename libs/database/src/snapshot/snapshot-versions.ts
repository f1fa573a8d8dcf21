import type { Pool } from 'pg';
import { inBatches } from '../batches';
import { type PhotoRow, replacePhotos } from '../photo/photo-rows';
import { inTransaction } from '../transaction';
import { CHUNK_SIZE } from './chunk';

/** A listing version as a run compares against it. */
export interface CurrentVersion {
  id: number;
  affId: string;
  scope: string;
  recordHash: string;
  contentHash: string;
  revision: string | null;
  fill: number;
}

/** The versions of a snapshot in its order, without their texts, a few thousand at a time. */
export async function* readVersions(pool: Pool, snapshotId: number): AsyncGenerator<CurrentVersion[]> {
  for (let chunk = 0; ; chunk += CHUNKS_AT_A_TIME) {
    const { rows } = await pool.query<VersionRow>({
      name: 'snapshot-versions',
      rowMode: 'array',
      text: `
        SELECT v.id, v.aff_id, v.scope, v.record_hash, v.content_hash, v.revision, v.fill
        FROM snapshot_chunk c
        CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
        JOIN listing_version v ON v.id = u.version_id
        WHERE c.snapshot_id = $1 AND c.chunk >= $2 AND c.chunk < $3
        ORDER BY c.chunk * ${CHUNK_SIZE} + u.ordinal`,
      values: [snapshotId, chunk, chunk + CHUNKS_AT_A_TIME],
    });
    yield rows.map(asVersion);
    if (rows.length < CHUNKS_AT_A_TIME * CHUNK_SIZE) return;
  }
}

/** Reading in pieces is safe because a snapshot never changes. */
const CHUNKS_AT_A_TIME = 50;

type VersionRow = [number, string, string, string, string, string | null, number];

function asVersion([id, affId, scope, recordHash, contentHash, revision, fill]: VersionRow): CurrentVersion {
  return { id, affId, scope, recordHash, contentHash, revision, fill };
}

const HASHES_AT_A_TIME = 5_000;

/** A version that stays, though its record has other bytes now, or its photos are other files. */
export interface Rehashed {
  versionId: number;
  recordHash: string;
  /** Absent when it has none that came as files. */
  photoFiles?: readonly PhotoRow[];
}

/** Stores what has changed about versions whose listing stayed the same: the next run need not map those records. */
export async function rehash(pool: Pool, gatewayId: number, versions: readonly Rehashed[]): Promise<void> {
  for (const some of inBatches(versions, HASHES_AT_A_TIME)) {
    const withFiles = some.flatMap(({ versionId, photoFiles }) =>
      photoFiles === undefined ? [] : [{ versionId, photos: photoFiles }],
    );
    if (withFiles.length > 0) await inTransaction(pool, (client) => replacePhotos(client, gatewayId, withFiles));
    await pool.query(
      `UPDATE listing_version v SET record_hash = u.record_hash
       FROM unnest($1::bigint[], $2::text[]) AS u (id, record_hash) WHERE v.id = u.id`,
      [some.map(({ versionId }) => versionId), some.map(({ recordHash }) => recordHash)],
    );
  }
}
