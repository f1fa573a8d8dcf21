import type { FillCounts } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { inBatches } from '../batches';
import { inTransaction } from '../transaction';
import { CHUNK_SIZE } from './chunk';

/** A listing version to be stored. */
export interface NewVersion {
  affId: string;
  affNum: string | null;
  scope: string;
  recordHash: string;
  contentHash: string;
  revision: string | null;
  fill: number;
  /** JSON texts. */
  normalized: string;
  raw: string;
}

export interface ListingChange {
  kind: 'added' | 'changed' | 'removed';
  affId: string;
  versionId: number | null;
  previousVersionId: number | null;
}

/** JSON text has no control characters: joined by one, texts need not be escaped one by one as an array's members are. */
const SEPARATOR = '\x1e';

/** A first import is nothing but changes: their texts need not all be there at once. */
const CHANGES_AT_A_TIME = 5_000;

/**
 * Builds a snapshot beside the current one. Nothing of it is visible until it is published; what is left of a run that
 * ended otherwise is swept away by `prune`.
 */
export class SnapshotWriter {
  private snapshotId: number | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly gatewayId: number,
    private readonly runId: number,
  ) {}

  /** Stores new versions with their texts, in one round trip. @returns their ids, in the same order. */
  async addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    const snapshotId = await this.begin();
    const { rows } = await this.pool.query<{ ids: number[] }>({
      name: 'add-versions',
      // Identifiers are drawn first so that the three inserts agree on them whatever order each runs in.
      text: `
        WITH new AS MATERIALIZED (
          SELECT nextval(pg_get_serial_sequence('listing_version', 'id')) AS id, u.*
          FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
                      string_to_array($10, E'\\x1e'), string_to_array($11, E'\\x1e'))
            WITH ORDINALITY AS u (aff_id, aff_num, scope, record_hash, content_hash, revision, fill, normalized, raw, ordinal)
        ), versions AS (
          INSERT INTO listing_version
            (id, gateway_id, snapshot_id, aff_id, aff_num, scope, record_hash, content_hash, revision, fill)
          OVERRIDING SYSTEM VALUE
          SELECT id, $1, $2, aff_id, aff_num, scope, record_hash, content_hash, revision, fill FROM new ORDER BY ordinal
        ), normalized AS (
          INSERT INTO listing_normalized (version_id, body) SELECT id, normalized FROM new ORDER BY ordinal
        ), raw AS (
          INSERT INTO listing_raw (version_id, body) SELECT id, raw FROM new ORDER BY ordinal
        )
        SELECT array_agg(id ORDER BY ordinal) AS ids FROM new`,
      values: [
        this.gatewayId,
        snapshotId,
        versions.map((version) => version.affId),
        versions.map((version) => version.affNum),
        versions.map((version) => version.scope),
        versions.map((version) => version.recordHash),
        versions.map((version) => version.contentHash),
        versions.map((version) => version.revision),
        versions.map((version) => version.fill),
        versions.map((version) => version.normalized).join(SEPARATOR),
        versions.map((version) => version.raw).join(SEPARATOR),
      ],
    });
    return rows[0]?.ids ?? [];
  }

  /** Removes versions that turned out to have no place in the snapshot. */
  async dropVersions(versionIds: readonly number[]): Promise<void> {
    await this.pool.query('DELETE FROM listing_version WHERE id = ANY ($1::bigint[])', [versionIds]);
  }

  /** Closes the snapshot: its order, its changes and its counts. @returns the snapshot's id. */
  async finish(versionIds: readonly number[], fill: FillCounts, changes: Iterable<ListingChange>): Promise<number> {
    const snapshotId = await this.begin();
    await inTransaction(this.pool, async (client) => {
      await client.query('UPDATE snapshot SET total = $2, fill = $3, built_at = now() WHERE id = $1', [
        snapshotId,
        versionIds.length,
        JSON.stringify(fill),
      ]);
      for (let chunk = 0; chunk * CHUNK_SIZE < versionIds.length; chunk += 1) {
        await client.query({
          name: 'add-chunk',
          text: 'INSERT INTO snapshot_chunk (snapshot_id, chunk, version_ids) VALUES ($1, $2, $3::bigint[])',
          values: [snapshotId, chunk, versionIds.slice(chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE)],
        });
      }
      const ids = { gatewayId: this.gatewayId, runId: this.runId, snapshotId };
      for (const some of inBatches(changes, CHANGES_AT_A_TIME)) await addChanges(client, ids, some);
    });
    return snapshotId;
  }

  /** Removes what was stored for a snapshot that will not be published. */
  async abandon(): Promise<void> {
    if (this.snapshotId !== null) await dropSnapshot(this.pool, this.snapshotId);
  }

  private async begin(): Promise<number> {
    if (this.snapshotId !== null) return this.snapshotId;
    const { rows } = await this.pool.query<{ id: number }>(
      'INSERT INTO snapshot (gateway_id, run_id) VALUES ($1, $2) RETURNING id',
      [this.gatewayId, this.runId],
    );
    this.snapshotId = rows[0]?.id ?? null;
    if (this.snapshotId === null) throw new Error('the snapshot was not stored');
    return this.snapshotId;
  }
}

async function addChanges(
  client: PoolClient,
  { gatewayId, runId, snapshotId }: { gatewayId: number; runId: number; snapshotId: number },
  changes: readonly ListingChange[],
): Promise<void> {
  await client.query({
    name: 'add-changes',
    text: `INSERT INTO listing_change (snapshot_id, gateway_id, run_id, kind, aff_id, version_id, previous_version_id)
     SELECT $1, $2, $3, u.* FROM unnest($4::text[], $5::text[], $6::bigint[], $7::bigint[]) AS u`,
    values: [
      snapshotId,
      gatewayId,
      runId,
      changes.map((change) => change.kind),
      changes.map((change) => change.affId),
      changes.map((change) => change.versionId),
      changes.map((change) => change.previousVersionId),
    ],
  });
}

/** Removes an unpublished snapshot and the versions made for it. */
export async function dropSnapshot(pool: Pool, snapshotId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('DELETE FROM snapshot WHERE id = $1 AND published_at IS NULL', [
      snapshotId,
    ]);
    if (rowCount !== 1) return;
    await client.query('DELETE FROM listing_change WHERE snapshot_id = $1', [snapshotId]);
    await client.query('DELETE FROM listing_version WHERE snapshot_id = $1', [snapshotId]);
  });
}
