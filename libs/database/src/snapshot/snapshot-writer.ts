import type { FillCounts } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { inBatches } from '../batches';
import { addPhotos, type PhotoRow } from '../photo/photo-rows';
import { inTransaction } from '../transaction';
import { CHUNK_SIZE } from './chunk';
import { empreinteOf } from './empreintes';

/** A listing version to be stored. */
export interface NewVersion {
  affId: string;
  affNum: string | null;
  scope: string;
  recordHash: string;
  contentHash: string;
  revision: string | null;
  fill: number;
  /** 16 hex digits of SHA-256 over the normalized text. */
  empreinte: string;
  /** The same over the photos' own; null without photos. */
  photosEmpreinte: string | null;
  /** Those that came as files. */
  photoFiles?: readonly PhotoRow[];
  /** JSON texts. */
  normalized: string;
  raw: string;
}

export interface ListingChange {
  kind: 'added' | 'changed' | 'removed';
  affId: string;
  versionId: number | null;
  previousVersionId: number | null;
  /** Why it was removed; null with the others. */
  reason: RemovalReason | null;
}

/** The feed no longer has it, says that it is withdrawn, or has a record of it that cannot be read. */
export type RemovalReason = 'absent' | 'withdrawn' | 'rejected';

/** JSON text has no control characters, so texts joined by one need no escaping, as the members of an array would. */
const SEPARATOR = '\x1e';

/** In a first import every listing is a change: they are sent in batches, to bound the memory. */
const CHANGES_AT_A_TIME = 5_000;

/**
 * Builds a snapshot beside the current one. It is invisible until it is published; pruning removes what runs that ended
 * otherwise have left.
 */
export class SnapshotWriter {
  private snapshotId: number | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly gatewayId: number,
    private readonly runId: number,
  ) {}

  /** Stores new versions with their texts and photos, in one round trip or two. @returns their ids, in the same order. */
  async addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    const snapshotId = await this.begin();
    const { rows } = await this.pool.query<{ ids: number[] }>({
      name: 'add-versions',
      // Identifiers are drawn first, so that the three inserts agree on them in whatever order they run.
      text: `
        WITH new AS MATERIALIZED (
          SELECT nextval(pg_get_serial_sequence('listing_version', 'id')) AS id, u.*
          FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
                      $10::text[], $11::text[], string_to_array($12, E'\\x1e'), string_to_array($13, E'\\x1e'))
            WITH ORDINALITY AS u (aff_id, aff_num, scope, record_hash, content_hash, revision, fill,
                                  empreinte, photos_empreinte, normalized, raw, ordinal)
        ), versions AS (
          INSERT INTO listing_version
            (id, gateway_id, snapshot_id, aff_id, aff_num, scope, record_hash, content_hash, revision, fill,
             empreinte, photos_empreinte)
          OVERRIDING SYSTEM VALUE
          SELECT id, $1, $2, aff_id, aff_num, scope, record_hash, content_hash, revision, fill,
                 empreinte, photos_empreinte FROM new ORDER BY ordinal
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
        versions.map((version) => version.empreinte),
        versions.map((version) => version.photosEmpreinte),
        versions.map((version) => version.normalized).join(SEPARATOR),
        versions.map((version) => version.raw).join(SEPARATOR),
      ],
    });
    const ids = rows[0]?.ids ?? [];
    const photos = versions.map(({ photoFiles = [] }, index) => ({ versionId: ids[index]!, photos: photoFiles }));
    await addPhotos(this.pool, this.gatewayId, photos);
    return ids;
  }

  /** Removes versions that did not make it into the snapshot. */
  async dropVersions(versionIds: readonly number[]): Promise<void> {
    await this.pool.query('DELETE FROM listing_version WHERE id = ANY ($1::bigint[])', [versionIds]);
  }

  /** Stores the snapshot's order, changes and counts. @returns its id. */
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
    // The versions are both there now; the change outlives them.
    text: `
      INSERT INTO listing_change
        (snapshot_id, gateway_id, run_id, kind, aff_id, version_id, previous_version_id, reason,
         aff_num, empreinte, previous_empreinte)
      SELECT $1, $2, $3, u.kind, u.aff_id, u.version_id, u.previous_version_id, u.reason,
             CASE WHEN v.id IS NULL THEN p.aff_num ELSE v.aff_num END, ${empreinteOf('v')}, ${empreinteOf('p')}
      FROM unnest($4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[])
        AS u (kind, aff_id, version_id, previous_version_id, reason)
      LEFT JOIN listing_version v ON v.id = u.version_id
      LEFT JOIN listing_version p ON p.id = u.previous_version_id`,
    values: [
      snapshotId,
      gatewayId,
      runId,
      changes.map((change) => change.kind),
      changes.map((change) => change.affId),
      changes.map((change) => change.versionId),
      changes.map((change) => change.previousVersionId),
      changes.map((change) => change.reason),
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
