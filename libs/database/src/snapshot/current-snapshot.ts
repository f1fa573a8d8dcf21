import type { Pool } from 'pg';
import { CHUNK_SIZE } from './chunk';

/** A listing version as a run compares against it. */
export interface HeldVersion {
  id: number;
  affId: string;
  scope: string;
  recordHash: string;
  contentHash: string;
  fill: number;
}

/** The versions of a snapshot in its order, without their texts. */
export async function loadVersions(pool: Pool, snapshotId: number): Promise<HeldVersion[]> {
  const { rows } = await pool.query<HeldVersion>(
    `SELECT v.id, v.aff_id AS "affId", v.scope, v.record_hash AS "recordHash", v.content_hash AS "contentHash", v.fill
     FROM snapshot_chunk c
     CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
     JOIN listing_version v ON v.id = u.version_id
     WHERE c.snapshot_id = $1
     ORDER BY c.chunk * ${CHUNK_SIZE} + u.ordinal`,
    [snapshotId],
  );
  return rows;
}
