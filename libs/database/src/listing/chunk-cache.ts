import type { Pool } from 'pg';

/** Chunks kept, at about 2 KB each. */
const MAX_CHUNKS = 5_000;

/** The version ids of snapshots' chunks. Snapshots never change, so that what was read once stays right. */
export class ChunkCache {
  private readonly chunks = new Map<string, readonly number[]>();

  constructor(private readonly pool: Pool) {}

  /** The ids in a chunk, in order; none when the snapshot does not reach so far. @throws Error when it was pruned. */
  async load(snapshotId: number, chunk: number): Promise<readonly number[]> {
    const key = `${snapshotId}/${chunk}`;
    const known = this.chunks.get(key);
    if (known !== undefined) {
      // Moved to the end: the map's order is the order of last use.
      this.chunks.delete(key);
      this.chunks.set(key, known);
      return known;
    }
    const { rows } = await this.pool.query<[number[] | null]>({
      name: 'chunk',
      rowMode: 'array',
      text: `SELECT c.version_ids
             FROM snapshot s LEFT JOIN snapshot_chunk c ON c.snapshot_id = s.id AND c.chunk = $2 WHERE s.id = $1`,
      values: [snapshotId, chunk],
    });
    const row = rows[0];
    // What was pruned must never look like an empty list.
    if (row === undefined) throw new Error(`the snapshot ${snapshotId} is gone: it was pruned`);
    const [ids] = row;
    if (ids === null) return [];
    this.chunks.set(key, ids);
    if (this.chunks.size > MAX_CHUNKS) this.chunks.delete(this.chunks.keys().next().value ?? '');
    return ids;
  }
}
