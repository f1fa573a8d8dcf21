import { ReplicaReads } from './replica-reads';
import type { NamedSnapshot } from '../snapshot/read-versions';
import { empreinteOf, joinText, photosEmpreinteOf } from '../snapshot/version-sql';
import type { RemovalReason } from '../snapshot/snapshot-writer';

/** Listings as sites show them, or as the CRM delivered them. */
export type ListingFormat = 'normalized' | 'raw';

/** Two snapshots of one gateway by id, the older one first. */
export interface SnapshotRange {
  gatewayId: number;
  since: number;
  until: number;
  /** The token of the newer snapshot. */
  token?: string;
  format: ListingFormat;
}

export interface NetChange {
  affId: string;
  affNum: string | null;
  change: 'removed' | 'added' | 'changed';
  /** The publication time of the listing's last change in the range, ISO 8601 in UTC. */
  at: string;
  reason: RemovalReason | null;
  approved: boolean;
  /** The former `affId`, if the listing came back under this one. */
  replaces: string | null;
  /** The fingerprints of the present listing and its photos, as in the manifest; null when it was removed. */
  empreinte: string | null;
  photos: string | null;
  /** JSON text of the listing; null when it was removed. */
  property: string | null;
}

export type ChangeCounts = Record<NetChange['change'], number>;

/** Each listing appears once: its first change gives its state before, its last change its state after. */
export class SnapshotChanges {
  constructor(private readonly replicaReads: ReplicaReads) {}

  async count(range: SnapshotRange): Promise<ChangeCounts> {
    const { rows } = await this.replicaReads.readAt(newestOf(range), (pool) =>
      pool.query<{ change: NetChange['change']; count: number }>({
        name: `count-changes-${range.format}`,
        text: `${NET_CHANGES[range.format]} SELECT change, count(*)::int AS count FROM net GROUP BY change`,
        values: [range.gatewayId, range.since, range.until],
      }),
    );
    const counts: ChangeCounts = { removed: 0, added: 0, changed: 0 };
    for (const { change, count } of rows) counts[change] = count;
    return counts;
  }

  /** Reads changes in a fixed order: removed, added, changed; within each group by `affId`. */
  async page(range: SnapshotRange, offset: number, limit: number): Promise<NetChange[]> {
    const { rows } = await this.replicaReads.readAt(newestOf(range), (pool) =>
      pool.query<NetChange>({
        name: `changes-${range.format}`,
        text: `${NET_CHANGES[range.format]}, page AS (
               SELECT * FROM net ORDER BY rank, aff_id COLLATE "C" OFFSET $4 LIMIT $5
             )
             SELECT p.aff_id AS "affId", p.aff_num AS "affNum", p.change, to_json(s.published_at) #>> '{}' AS at, p.reason,
                    s.approved, p.replaces, ${empreinteOf('v', '$1')} AS empreinte, ${photosEmpreinteOf('v', '$1')} AS photos, b.body AS property
             FROM page p
             JOIN snapshot s ON s.gateway_id = $1 AND s.id = p.snapshot_id
             LEFT JOIN listing_version v ON v.gateway_id = $1 AND v.id = p.version_id
             LEFT ${joinText(`listing_${range.format}`, 'b', 'p.version_id')}
             ORDER BY p.rank, p.aff_id COLLATE "C"`,
        values: [range.gatewayId, range.since, range.until, offset, limit],
      }),
    );
    return rows;
  }
}

/** The snapshot that a server must have: it was committed with its changes and after all earlier changes. */
function newestOf({ gatewayId, until, token }: SnapshotRange): NamedSnapshot {
  return { gatewayId, id: until, ...(token !== undefined && { token }) };
}

/** SQL: for `normalized`, a change in the raw record alone does not count. */
const DIFFERS = {
  normalized: 'empreinte IS DISTINCT FROM previous_empreinte',
  raw: 'version_id <> previous_version_id',
};

const net = (format: ListingFormat): string => `
  WITH range AS (
    SELECT h.* FROM snapshot s JOIN listing_change h ON h.snapshot_id = s.id AND h.gateway_id = $1
    WHERE s.gateway_id = $1 AND s.id > $2 AND s.id <= $3 AND s.published_at IS NOT NULL
  ), ends AS (
    -- No join: of changes that are in no statistics PostgreSQL would hold each against each.
    SELECT DISTINCT ON (aff_id) aff_id, kind, snapshot_id, aff_num, version_id, empreinte, reason,
      max(replaces) OVER (PARTITION BY aff_id) AS replaces,
      first_value(kind) OVER earlier AS first_kind,
      first_value(previous_version_id) OVER earlier AS previous_version_id,
      first_value(previous_empreinte) OVER earlier AS previous_empreinte
    FROM range WINDOW earlier AS (PARTITION BY aff_id ORDER BY snapshot_id)
    ORDER BY aff_id, snapshot_id DESC
  ), net AS (
    SELECT aff_id, aff_num, snapshot_id, version_id, reason, CASE WHEN c.rank > 0 THEN replaces END AS replaces, c.change, c.rank
    FROM ends CROSS JOIN LATERAL (
      SELECT 'removed' AS change, 0 AS rank WHERE first_kind <> 'added' AND kind = 'removed'
      UNION ALL
      SELECT 'added', 1 WHERE first_kind = 'added' AND kind <> 'removed'
      UNION ALL
      SELECT 'changed', 2 WHERE first_kind <> 'added' AND kind <> 'removed' AND ${DIFFERS[format]}
    ) c
  )`;

/** SQL of `net`: the differences between the snapshots $2 and $3 of the gateway $1, one row per listing. */
export const NET_CHANGES = { normalized: net('normalized'), raw: net('raw') };
