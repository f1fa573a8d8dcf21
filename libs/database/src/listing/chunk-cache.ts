import { LRUCache } from 'lru-cache';
import type { NamedSnapshot } from '../snapshot/read-versions';
import { type Queryable, RowMissing, RowPruned } from './replica-reads';

/** Each takes about 2 KB. */
const MAX_CHUNKS = 5_000;

/** Caches the version ids of snapshots' chunks. Snapshots never change, so an entry never becomes stale. */
export class ChunkCache {
  private readonly chunks = new LRUCache<string, readonly number[]>({ max: MAX_CHUNKS });

  /** @throws RowMissing when the snapshot was pruned, or a replica does not have its chunk yet */
  async load(
    asked: Queryable,
    { gatewayId, id: snapshotId, token }: NamedSnapshot,
    chunk: number,
  ): Promise<readonly number[]> {
    const key = token === undefined ? null : `${gatewayId}/${token}/${chunk}`;
    const known = key === null ? undefined : this.chunks.get(key);
    if (known !== undefined) return known;
    const { rows } = await asked.query<[number[] | null, boolean]>({
      name: 'chunk',
      rowMode: 'array',
      text: `SELECT c.version_ids, s.pruned_at IS NOT NULL
             FROM snapshot s LEFT JOIN snapshot_chunk c ON c.gateway_id = $3 AND c.snapshot_id = s.id AND c.chunk = $2
             WHERE s.gateway_id = $3 AND s.id = $1 AND ($4::text IS NULL OR s.token = $4)`,
      values: [snapshotId, chunk, gatewayId, token ?? null],
    });
    const [ids, isPruned] = rows[0] ?? [null, false];
    // A pruned snapshot must never look empty, and a partly replicated snapshot must never look shorter.
    if (isPruned) throw new RowPruned(`the snapshot ${snapshotId} is gone: it was pruned`);
    if (ids === null) throw new RowMissing(`chunk ${chunk} of the snapshot ${snapshotId} is not there`);
    if (key !== null) this.chunks.set(key, ids);
    return ids;
  }
}
