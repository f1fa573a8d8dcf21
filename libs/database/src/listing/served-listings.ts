import type { Pool } from 'pg';
import { CHUNK_SIZE } from '../snapshot/chunk';
import { ChunkCache } from './chunk-cache';

export type ListingFormat = 'normalized' | 'raw';

const BODY_TABLE = { normalized: 'listing_normalized', raw: 'listing_raw' } as const;

/** The listings of published snapshots as ready-to-send JSON text. */
export class ServedListings {
  private readonly chunks: ChunkCache;

  constructor(private readonly pool: Pool) {
    this.chunks = new ChunkCache(pool);
  }

  /**
   * The listings from `offset` on, at most `limit`, in the feed's order: their JSON texts joined by commas, '' for none.
   * Any page touches the one or two chunks that hold it, so that the last costs what the first does.
   *
   * @throws Error when the snapshot was pruned in the meantime: a page is whole or it is not sent.
   */
  async page(snapshotId: number, format: ListingFormat, offset: number, limit: number): Promise<string> {
    const ids = await this.idsOf(snapshotId, offset, offset + limit);
    if (ids.length === 0) return '';
    const { rows } = await this.pool.query<[number, string]>({
      name: `bodies-${format}`,
      rowMode: 'array',
      text: `SELECT version_id, body FROM ${BODY_TABLE[format]} WHERE version_id = ANY ($1::bigint[])`,
      values: [ids],
    });
    const bodies = new Map(rows);
    return ids.map((id) => bodies.get(id) ?? missing(id)).join(',');
  }

  private async idsOf(snapshotId: number, offset: number, end: number): Promise<number[]> {
    const ids: number[] = [];
    for (let chunk = Math.floor(offset / CHUNK_SIZE); chunk * CHUNK_SIZE < end; chunk += 1) {
      const start = chunk * CHUNK_SIZE;
      const inChunk = await this.chunks.load(snapshotId, chunk);
      ids.push(...inChunk.slice(Math.max(offset - start, 0), end - start));
      if (inChunk.length < CHUNK_SIZE) break;
    }
    return ids;
  }

  /**
   * One listing of a gateway's current snapshot, by `affId`, else by `affNum` (the first in the feed's order).
   *
   * @returns its JSON text, or null when there is none.
   */
  async one(gatewayId: number, format: ListingFormat, id: string): Promise<string | null> {
    // A text with a NUL cannot be stored, and so cannot be found.
    if (id.includes('\0')) return null;
    const { rows } = await this.pool.query<[string]>({
      name: `one-${format}`,
      rowMode: 'array',
      text: ONE_SQL[format],
      values: [gatewayId, id],
    });
    return rows[0]?.[0] ?? null;
  }
}

function missing(versionId: number): never {
  throw new Error(`the listing version ${versionId} is gone: its snapshot was pruned`);
}

const oneSql = (format: ListingFormat): string => `
  SELECT b.body
  FROM (
    SELECT version_id, 0 AS rank, 0 AS position FROM current_listing WHERE gateway_id = $1 AND aff_id = $2
    UNION ALL
    SELECT c.version_id, 1, (
        SELECT s.chunk * ${CHUNK_SIZE} + array_position(s.version_ids, c.version_id)
        FROM gateway g JOIN snapshot_chunk s ON s.snapshot_id = g.current_snapshot_id
        WHERE g.id = $1 AND s.version_ids @> ARRAY[c.version_id])
    FROM listing_version v
    JOIN current_listing c ON c.gateway_id = $1 AND c.aff_id = v.aff_id AND c.version_id = v.id
    WHERE v.gateway_id = $1 AND v.aff_num = $2
  ) found
  JOIN ${BODY_TABLE[format]} b ON b.version_id = found.version_id
  ORDER BY rank, position LIMIT 1`;

const ONE_SQL = { normalized: oneSql('normalized'), raw: oneSql('raw') };
