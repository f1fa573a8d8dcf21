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
  const versions: HeldVersion[] = [];
  for (let chunk = 0; ; chunk += CHUNKS_AT_A_TIME) {
    const { rows } = await pool.query<VersionRow>({
      name: 'held-versions',
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
    for (const [id, affId, scope, recordHash, contentHash, revision, fill] of rows) {
      versions.push({ id, affId, scope, recordHash, contentHash, revision, fill });
    }
    if (rows.length < CHUNKS_AT_A_TIME * CHUNK_SIZE) return versions;
  }
}

/** A snapshot never changes: read in pieces, it need not be in memory twice. */
const CHUNKS_AT_A_TIME = 50;

type VersionRow = [number, string, string, string, string, string | null, number];

/** Notes that versions are what records with other bytes become: those bytes need no mapping the next time. */
export async function rehash(pool: Pool, hashes: readonly { versionId: number; recordHash: string }[]): Promise<void> {
  await pool.query(
    `UPDATE listing_version v SET record_hash = u.record_hash
     FROM unnest($1::bigint[], $2::text[]) AS u (id, record_hash) WHERE v.id = u.id`,
    [hashes.map(({ versionId }) => versionId), hashes.map(({ recordHash }) => recordHash)],
  );
}
