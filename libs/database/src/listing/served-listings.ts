import type { Pool } from 'pg';
import { CHUNK_SIZE } from '../snapshot/chunk';

export type ListingFormat = 'normalized' | 'raw';

const BODY_TABLE = { normalized: 'listing_normalized', raw: 'listing_raw' } as const;

/** The listings of published snapshots as ready-to-send JSON text. */
export class ServedListings {
  constructor(private readonly pool: Pool) {}

  /**
   * The listings from `offset` on, at most `limit`, in the feed's order: their JSON texts joined by commas, '' for none.
   * Any page touches the one or two chunks that hold it, so that the last costs what the first does.
   */
  async page(snapshotId: number, format: ListingFormat, offset: number, limit: number): Promise<string> {
    const end = offset + limit;
    const { rows } = await this.pool.query<[string | null]>({
      name: `page-${format}`,
      rowMode: 'array',
      text: PAGE_SQL[format],
      values: [snapshotId, Math.floor(offset / CHUNK_SIZE), Math.floor((end - 1) / CHUNK_SIZE), offset, end],
    });
    return rows[0]?.[0] ?? '';
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

// The scalar sub-select makes a plan of index look-ups by the version's id the only possible one.
const pageSql = (format: ListingFormat): string => `
  SELECT string_agg((SELECT b.body FROM ${BODY_TABLE[format]} b WHERE b.version_id = w.version_id), ',' ORDER BY w.position)
  FROM (
    SELECT c.chunk * ${CHUNK_SIZE} + u.ordinal - 1 AS position, u.version_id
    FROM snapshot_chunk c, unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
    WHERE c.snapshot_id = $1 AND c.chunk BETWEEN $2 AND $3
  ) w
  WHERE w.position >= $4 AND w.position < $5`;

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

const PAGE_SQL = { normalized: pageSql('normalized'), raw: pageSql('raw') };
const ONE_SQL = { normalized: oneSql('normalized'), raw: oneSql('raw') };
