import { Injectable } from '@nestjs/common';
import { ReplicaReads } from './replica-reads';
import type { StoredSnapshot } from '../snapshot/read-versions';
import { empreinteOf, photosEmpreinteOf } from '../snapshot/version-sql';
import type { RemovalReason } from '../snapshot/snapshot-writer';

/** Listings as sites show them, or as the CRM delivered them. */
export type ListingFormat = 'normalized' | 'raw';

/** Two snapshots of one gateway, the older first, by id. */
export interface SnapshotRange {
  gatewayId: number;
  since: number;
  until: number;
  format: ListingFormat;
}

/** One listing that differs between two snapshots. */
export interface NetChange {
  affId: string;
  affNum: string | null;
  change: 'removed' | 'added' | 'changed';
  /** When the later of its states was published, ISO 8601 in UTC. */
  at: string;
  reason: RemovalReason | null;
  approved: boolean;
  /** Of the listing and of its photos as it is now, as the manifest has them; null when it was removed. */
  empreinte: string | null;
  photos: string | null;
  /** JSON text of the listing; null when it was removed. */
  property: string | null;
}

export type ChangeCounts = Record<NetChange['change'], number>;

/**
 * The net difference between two snapshots: each listing once, whatever happened to it in between. The first change of
 * a listing says how it stood before, the last how it stands now.
 */
@Injectable()
export class SnapshotChanges {
  constructor(private readonly replicaReads: ReplicaReads) {}

  async count(range: SnapshotRange): Promise<ChangeCounts> {
    const { rows } = await this.replicaReads.readAt(newestOf(range), (pool) =>
      pool.query<{ change: NetChange['change']; count: number }>({
        name: `count-changes-${range.format}`,
        text: `${NET[range.format]} SELECT change, count(*)::int AS count FROM net GROUP BY change`,
        values: [range.gatewayId, range.since, range.until],
      }),
    );
    const counts: ChangeCounts = { removed: 0, added: 0, changed: 0 };
    for (const { change, count } of rows) counts[change] = count;
    return counts;
  }

  /** In their order: removed, added, changed; within each by `affId`. */
  async page(range: SnapshotRange, offset: number, limit: number): Promise<NetChange[]> {
    const { rows } = await this.replicaReads.readAt(newestOf(range), (pool) =>
      pool.query<NetChange>({
        name: `changes-${range.format}`,
        text: `${NET[range.format]}, page AS (
               SELECT * FROM net ORDER BY rank, aff_id COLLATE "C" OFFSET $4 LIMIT $5
             )
             SELECT p.aff_id AS "affId", p.aff_num AS "affNum", p.change, to_json(s.published_at) #>> '{}' AS at, p.reason,
                    s.approved, ${empreinteOf('v', '$1')} AS empreinte, ${photosEmpreinteOf('v', '$1')} AS photos, b.body AS property
             FROM page p
             JOIN snapshot s ON s.gateway_id = $1 AND s.id = p.snapshot_id
             LEFT JOIN listing_version v ON v.gateway_id = $1 AND v.id = p.version_id
             LEFT JOIN listing_${range.format} b ON b.gateway_id = $1 AND b.version_id = p.version_id
             ORDER BY p.rank, p.aff_id COLLATE "C"`,
        values: [range.gatewayId, range.since, range.until, offset, limit],
      }),
    );
    return rows;
  }
}

/** Its changes are committed with it, and those before it were. */
function newestOf({ gatewayId, until }: SnapshotRange): StoredSnapshot {
  return { gatewayId, id: until };
}

/** What differs for readers of this format: a change of `raw` alone is none to readers of `normalized`. */
const DIFFERS = {
  normalized: 'l.empreinte IS DISTINCT FROM f.previous_empreinte',
  raw: 'l.version_id <> f.previous_version_id',
};

const net = (format: ListingFormat): string => `
  WITH range AS (
    SELECT h.* FROM snapshot s JOIN listing_change h ON h.snapshot_id = s.id AND h.gateway_id = $1
    WHERE s.gateway_id = $1 AND s.id > $2 AND s.id <= $3 AND s.published_at IS NOT NULL
  ), first AS (
    SELECT DISTINCT ON (aff_id) aff_id, kind, previous_version_id, previous_empreinte
    FROM range ORDER BY aff_id, snapshot_id
  ), last AS (
    SELECT DISTINCT ON (aff_id) aff_id, kind, snapshot_id, aff_num, version_id, empreinte, reason
    FROM range ORDER BY aff_id, snapshot_id DESC
  ), net AS (
    SELECT l.aff_id, l.aff_num, l.snapshot_id, l.version_id, l.reason, c.change, c.rank
    FROM first f JOIN last l USING (aff_id)
    CROSS JOIN LATERAL (
      SELECT 'removed' AS change, 0 AS rank WHERE f.kind <> 'added' AND l.kind = 'removed'
      UNION ALL
      SELECT 'added', 1 WHERE f.kind = 'added' AND l.kind <> 'removed'
      UNION ALL
      SELECT 'changed', 2 WHERE f.kind <> 'added' AND l.kind <> 'removed' AND ${DIFFERS[format]}
    ) c
  )`;

const NET = { normalized: net('normalized'), raw: net('raw') };
