import type { DutyCounts } from '@passerelle/domain';
import type { Pool } from 'pg';
import { inBatches } from '../batches';
import { type PhotoRow, replacePhotos } from '../photo/photo-rows';
import { inTransaction } from '../transaction';
import type { StoredSnapshot } from './read-versions';

const HASHES_AT_A_TIME = 5_000;

/** A version that stays although the bytes of its record or its photo files have changed. */
export interface Rehashed {
  versionId: number;
  recordHash: string;
  /** The bit mask of duties that the listing lacks, because the legal requirements may have changed. */
  duties: number;
  /** Absent when the listing has no photos that arrived as files. */
  photoFiles?: readonly PhotoRow[];
}

/** Stores the number of listings in a snapshot that lack each duty, when only the rules have changed. */
export async function recount(pool: Pool, { gatewayId, id }: StoredSnapshot, duties: DutyCounts): Promise<void> {
  await pool.query('UPDATE snapshot SET duties = $2 WHERE gateway_id = $3 AND id = $1 AND duties <> $2', [
    ...[id, JSON.stringify(duties), gatewayId],
  ]);
}

/** Stores new facts about versions whose listing is the same, so that the next run need not map their records again. */
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
