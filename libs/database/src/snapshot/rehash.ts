import type { Pool } from 'pg';
import { inBatches } from '../batches';
import { type PhotoRow, replacePhotos } from '../photo/photo-rows';
import { inTransaction } from '../transaction';

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
