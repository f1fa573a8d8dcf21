import type { DutyCounts } from '@passerelle/domain';
import type { Pool } from 'pg';
import { inBatches } from '../batches';
import { type PhotoRow, replacePhotos } from '../photo/photo-rows';
import { inTransaction } from '../transaction';
import type { StoredSnapshot } from './read-versions';

const HASHES_AT_A_TIME = 5_000;

/** A version that stays, though its record has other bytes now, or its photos are other files. */
export interface Rehashed {
  versionId: number;
  recordHash: string;
  /** The mask of its missing duties: what the law asks for may have changed since. */
  duties: number;
  /** Absent when it has none that came as files. */
  photoFiles?: readonly PhotoRow[];
}

/** Stores how many listings of a snapshot lack each duty, where rules that changed have changed that alone. */
export async function recount(pool: Pool, { gatewayId, id }: StoredSnapshot, duties: DutyCounts): Promise<void> {
  await pool.query('UPDATE snapshot SET duties = $2 WHERE gateway_id = $3 AND id = $1 AND duties <> $2', [
    ...[id, JSON.stringify(duties), gatewayId],
  ]);
}

/** Stores what has changed about versions whose listing stayed the same: the next run need not map those records. */
export async function rehash(pool: Pool, gatewayId: number, versions: readonly Rehashed[]): Promise<void> {
  for (const some of inBatches(versions, HASHES_AT_A_TIME)) {
    const withFiles = some.flatMap(({ versionId, photoFiles }) =>
      photoFiles === undefined ? [] : [{ versionId, photos: photoFiles }],
    );
    if (withFiles.length > 0) await inTransaction(pool, (client) => replacePhotos(client, gatewayId, withFiles));
    await pool.query(
      `UPDATE listing_version v SET record_hash = u.record_hash, duties = u.duties
       FROM unnest($1::bigint[], $2::text[], $3::int[]) AS u (id, record_hash, duties)
       WHERE v.gateway_id = $4 AND v.id = u.id`,
      [
        some.map(({ versionId }) => versionId),
        some.map(({ recordHash }) => recordHash),
        some.map(({ duties }) => duties),
        gatewayId,
      ],
    );
  }
}
