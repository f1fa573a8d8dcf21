import type { Pool } from 'pg';

/** Chunks kept, at about 2 KB each. */
const MAX_CHUNKS = 5_000;

/** The version ids of snapshots' chunks. Snapshots never change, so that what was read once stays right. */
export class ChunkCache {
  private readonly chunks = new Map<string, readonly number[]>();

  constructor(private readonly pool: Pool) {}

  /** The ids in a chunk, in order; none when the snapshot does not reach so far. */
  async load(snapshotId: number, chunk: number): Promise<readonly number[]> {
    const key = `${snapshotId}/${chunk}`;
    const known = this.chunks.get(key);
    if (known !== undefined) {
      // Moved to the end: the map's order is the order of last use.
      this.chunks.delete(key);
      this.chunks.set(key, known);
      return known;
    }
    const { rows } = await this.pool.query<[number[]]>({
      name: 'chunk',
      rowMode: 'array',
      text: 'SELECT version_ids FROM snapshot_chunk WHERE snapshot_id = $1 AND chunk = $2',
      values: [snapshotId, chunk],
    });
    const ids = rows[0]?.[0];
    // A chunk that is not there may have been pruned: only what exists is kept.
    if (ids === undefined) return [];
    this.chunks.set(key, ids);
    if (this.chunks.size > MAX_CHUNKS) this.chunks.delete(this.chunks.keys().next().value ?? '');
    return ids;
  }
}
