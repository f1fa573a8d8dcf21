import type { Pool } from 'pg';
import { inBatches } from '../batches';
import { type PhotoRow, replacePhotos } from '../photo/photo-rows';
import { inTransaction } from '../transaction';

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

/** The versions of a snapshot in its order, without their texts, some hundred at a time. */
export async function* readVersions(pool: Pool, snapshotId: number): AsyncGenerator<CurrentVersion[]> {
  for (let chunk = 0; ; chunk += CHUNKS_AT_A_TIME) {
    // PostgreSQL finds all versions of a chunk in one pass over their index, a quarter of what finding each takes, and hands
    // out each column in one text: the driver would spend more on each value than all the rest takes.
    const { rows } = await pool.query<ChunkColumns>({
      name: 'snapshot-versions',
      rowMode: 'array',
      text: `
        SELECT array_to_string(c.version_ids, ','), string_agg(v.id::text, ','), json_agg(v.aff_id)::text,
          json_agg(v.scope)::text, string_agg(v.record_hash, ','), string_agg(v.content_hash, ','),
          json_agg(v.revision)::text, string_agg(v.fill::text, ',')
        FROM snapshot_chunk c JOIN listing_version v ON v.id = ANY (c.version_ids)
        WHERE c.snapshot_id = $1 AND c.chunk >= $2 AND c.chunk < $3
        GROUP BY c.snapshot_id, c.chunk ORDER BY c.chunk`,
      values: [snapshotId, chunk, chunk + CHUNKS_AT_A_TIME],
    });
    // Chunk by chunk: all at once would outlive what V8 collects at little cost, and have it collect everything.
    for (const columns of rows) yield versionsOf(columns);
    if (rows.length < CHUNKS_AT_A_TIME) return;
  }
}

/** Reading in pieces is safe because a snapshot never changes. */
const CHUNKS_AT_A_TIME = 50;

/** The ids of a chunk's versions in its order, and the columns of the versions as they are stored, each in one text. */
type ChunkColumns = [
  order: string,
  ids: string,
  affIds: string,
  scopes: string,
  recordHashes: string,
  contentHashes: string,
  revisions: string,
  fills: string,
];

function versionsOf([order, ids, ...columns]: ChunkColumns): CurrentVersion[] {
  const [affIds, scopes, recordHashes, contentHashes, revisions, fills] = columns;
  const [affId, scope] = [JSON.parse(affIds) as string[], JSON.parse(scopes) as string[]];
  const [recordHash, contentHash] = [recordHashes.split(','), contentHashes.split(',')];
  const revision = JSON.parse(revisions) as (string | null)[];
  const fill = fills.split(',').map(Number);
  const places = new Map(ids.split(',').map((id, place) => [id, place]));
  return order.split(',').map((id) => {
    const at = places.get(id);
    if (at === undefined) throw new Error(`the listing version ${id} is gone: its snapshot was pruned`);
    return {
      id: Number(id),
      affId: affId[at]!,
      scope: scope[at]!,
      recordHash: recordHash[at]!,
      contentHash: contentHash[at]!,
      revision: revision[at]!,
      fill: fill[at]!,
    };
  });
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
