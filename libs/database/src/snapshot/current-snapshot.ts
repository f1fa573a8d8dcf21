import type { Pool } from 'pg';
import { CHUNK_SIZE } from './chunk';

/** A listing version as a run compares against it. */
export interface HeldVersion {
  id: number;
  affId: string;
  scope: string;
  recordHash: string;
  contentHash: string;
  revision: string | null;
  fill: number;
}

/** The versions of a snapshot in its order, without their texts. */
export async function loadVersions(pool: Pool, snapshotId: number): Promise<HeldVersion[]> {
  const { rows } = await pool.query<HeldVersion>(
    `SELECT v.id, v.aff_id AS "affId", v.scope, v.record_hash AS "recordHash", v.content_hash AS "contentHash",
            v.revision, v.fill
     FROM snapshot_chunk c
     CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
     JOIN listing_version v ON v.id = u.version_id
     WHERE c.snapshot_id = $1
     ORDER BY c.chunk * ${CHUNK_SIZE} + u.ordinal`,
    [snapshotId],
  );
  return rows;
}

/** Notes that versions are what records with other bytes become: those bytes need no mapping the next time. */
export async function rehash(pool: Pool, hashes: readonly { versionId: number; recordHash: string }[]): Promise<void> {
  await pool.query(
    `UPDATE listing_version v SET record_hash = u.record_hash
     FROM unnest($1::bigint[], $2::text[]) AS u (id, record_hash) WHERE v.id = u.id`,
    [hashes.map(({ versionId }) => versionId), hashes.map(({ recordHash }) => recordHash)],
  );
}
