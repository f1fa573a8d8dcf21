import type { DutyCounts } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { inBatches } from '../batches';
import { addPhotos } from '../photo/photo-rows';
import { copyIn } from '../copy/copy-in';
import { inTransaction, withConnection } from '../transaction';
import { CHUNK_SIZE, empreinteOf } from './version-sql';
import type { StoredSnapshot } from './read-versions';
import { type NewVersion, versionCopies } from './version-copies';

export interface ListingChange {
  kind: 'added' | 'changed' | 'removed';
  affId: string;
  versionId: number | null;
  previousVersionId: number | null;
  /** Why the listing was removed; null for other changes. */
  reason: RemovalReason | null;
  /** True when the change was stored together with its version. */
  isStored?: boolean;
}

/** The feed lacks the listing, marks it as withdrawn, or has only an unreadable record of it. */
export type RemovalReason = 'absent' | 'withdrawn' | 'rejected';

/** Changes are sent in batches, to limit the memory. */
const CHANGES_AT_A_TIME = 5_000;
const CHUNKS_AT_A_TIME = 50;
/** More batches follow a large batch, so get their identifiers in one round trip. Unused identifiers are lost. */
const LARGE_BATCH = 100;
const IDS_AT_A_TIME = 2_000;

/** The snapshot is invisible until it is published. Pruning removes it when its run ends without publishing. */
export class SnapshotWriter {
  private snapshotId: number | null = null;
  private drawnIds: number[] = [];
  /** The write of the last batch. */
  private adding: Promise<unknown> = Promise.resolve();
  private isGivenUp = false;

  constructor(
    private readonly pool: Pool,
    private readonly gatewayId: number,
    private readonly runId: number,
  ) {}

  /** Adds one batch, in one to three round trips. @returns ids in the same order @throws Error when abandoned */
  async addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    if (this.isGivenUp) throw new Error('the snapshot was abandoned');
    const adding = this.add(versions);
    this.adding = adding.catch(() => undefined);
    return adding;
  }

  private async add(versions: readonly NewVersion[]): Promise<number[]> {
    const { gatewayId, runId } = this;
    const snapshotId = await this.begin();
    return await withConnection(this.pool, async (client) => {
      const ids = await this.takeIds(client, versions.length);
      await copyIn(client, versionCopies(versions, { gatewayId, runId, snapshotId, ids }));
      const photos = versions.map(({ photoFiles = [] }, index) => ({ versionId: ids[index]!, photos: photoFiles }));
      await addPhotos(client, this.gatewayId, photos);
      return ids;
    });
  }

  /** Copies versions with texts and photos. @returns their new ids, in the same order */
  async copyVersions(versionIds: readonly number[]): Promise<number[]> {
    const snapshotId = await this.begin();
    return inTransaction(this.pool, async (client) => {
      const ids = await drawIds(client, versionIds.length);
      const which = [this.gatewayId, versionIds, ids];
      await client.query(
        `INSERT INTO listing_version (gateway_id, id, snapshot_id, ${VERSION_COLUMNS}) OVERRIDING SYSTEM VALUE
         SELECT $1::integer, u.copy, $4::bigint, ${VERSION_COLUMNS}
         FROM unnest($2::bigint[], $3::bigint[]) AS u (original, copy)
         JOIN listing_version o ON o.gateway_id = $1::integer AND o.id = u.original`,
        [...which, snapshotId],
      );
      for (const [table, columns] of Object.entries(COPIED_COLUMNS)) {
        await client.query(
          `INSERT INTO ${table} (gateway_id, version_id, ${columns})
           SELECT $1::integer, u.copy, ${columns}
           FROM unnest($2::bigint[], $3::bigint[]) AS u (original, copy)
           JOIN ${table} o ON o.gateway_id = $1::integer AND o.version_id = u.original`,
          which,
        );
      }
      return ids;
    });
  }

  /** Removes versions that the finished snapshot does not contain. */
  async dropVersions(versionIds: readonly number[]): Promise<void> {
    await this.pool.query(
      `WITH change AS (
         DELETE FROM listing_change WHERE gateway_id = $3 AND snapshot_id = $1 AND version_id = ANY ($2::bigint[])
       )
       DELETE FROM listing_version WHERE gateway_id = $3 AND id = ANY ($2::bigint[])`,
      [this.snapshotId, versionIds, this.gatewayId],
    );
  }

  /** Stores the order, the counts, and unstored changes. @returns the id @throws Error when the snapshot was removed */
  async finish(
    versionIds: readonly number[],
    changes: Iterable<ListingChange>,
    duties: DutyCounts = {},
  ): Promise<number> {
    const snapshotId = await this.begin();
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE snapshot SET total = $2, duties = $3, built_at = now() WHERE gateway_id = $4 AND id = $1`,
        [snapshotId, versionIds.length, JSON.stringify(duties), this.gatewayId],
      );
      // The row is now locked, which prevents the removal of the gateway before its changes are stored.
      if (rowCount !== 1) throw new Error('the snapshot was removed, perhaps with its gateway');
      let chunks = 0;
      for (const some of inBatches(chunksOf(versionIds), CHUNKS_AT_A_TIME)) {
        await addChunks(client, { gatewayId: this.gatewayId, id: snapshotId }, chunks, some);
        chunks += some.length;
      }
      const ids = { gatewayId: this.gatewayId, runId: this.runId, snapshotId };
      for (const some of inBatches(notStored(changes), CHANGES_AT_A_TIME)) await addChanges(client, ids, some);
    });
    return snapshotId;
  }

  async abandon(): Promise<void> {
    this.isGivenUp = true;
    // Wait for the last batch: rows stored after the removal would belong to no snapshot, and would stay forever.
    await this.adding;
    if (this.snapshotId !== null) await dropSnapshot(this.pool, this.gatewayId, this.snapshotId);
  }

  private async takeIds(client: PoolClient, count: number): Promise<number[]> {
    const missing = count - this.drawnIds.length;
    if (missing > 0) {
      this.drawnIds.push(...(await drawIds(client, count < LARGE_BATCH ? missing : Math.max(missing, IDS_AT_A_TIME))));
    }
    return this.drawnIds.splice(0, count);
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

const VERSION_COLUMNS =
  'aff_id, aff_num, scope, record_hash, content_hash, revision, fill, duties, empreinte, photos_empreinte';

const COPIED_COLUMNS = {
  listing_normalized: 'body',
  listing_raw: 'body',
  listing_search: 'form, fields, words',
  listing_photo:
    'position, name, folder, size_bytes, crc32, refusal, elsewhere, token, extension, width, height, empreinte',
};

/** Reserves identifiers first, so that the three tables use the same ones. */
async function drawIds(client: PoolClient, count: number): Promise<number[]> {
  const { rows } = await client.query<{ ids: number[] }>({
    name: 'draw-version-ids',
    // Materialize the name: otherwise PostgreSQL looks up the sequence again for each identifier.
    text: `WITH sequence AS MATERIALIZED (SELECT pg_get_serial_sequence('listing_version', 'id')::regclass AS name)
           SELECT array_agg(nextval(name)) AS ids FROM sequence, generate_series(1, $1)`,
    values: [count],
  });
  return rows[0]?.ids ?? [];
}

/** Formats chunks in PostgreSQL's array syntax. */
function* chunksOf(versionIds: readonly number[]): Generator<string> {
  for (let at = 0; at < versionIds.length; at += CHUNK_SIZE) yield `{${versionIds.slice(at, at + CHUNK_SIZE).join()}}`;
}

async function addChunks(
  client: PoolClient,
  { gatewayId, id }: StoredSnapshot,
  first: number,
  chunks: readonly string[],
): Promise<void> {
  await client.query({
    name: 'add-chunks',
    text: `INSERT INTO snapshot_chunk (snapshot_id, chunk, version_ids, gateway_id)
           SELECT $1, $2 + u.ordinal - 1, u.version_ids::bigint[], $4::integer
           FROM unnest($3::text[]) WITH ORDINALITY AS u (version_ids, ordinal)`,
    values: [id, first, chunks, gatewayId],
  });
}

function* notStored(changes: Iterable<ListingChange>): Generator<ListingChange> {
  for (const change of changes) if (change.isStored !== true) yield change;
}

async function addChanges(
  client: PoolClient,
  { gatewayId, runId, snapshotId }: { gatewayId: number; runId: number; snapshotId: number },
  changes: readonly ListingChange[],
): Promise<void> {
  await client.query({
    // A change outlives both versions. The statement has no name: see `makeCurrent`.
    text: `
      INSERT INTO listing_change
        (snapshot_id, gateway_id, run_id, kind, aff_id, version_id, previous_version_id, reason,
         aff_num, empreinte, previous_empreinte)
      SELECT $1, $2, $3, u.kind, u.aff_id, u.version_id, u.previous_version_id, u.reason,
             CASE WHEN v.id IS NULL THEN p.aff_num ELSE v.aff_num END, ${empreinteOf('v', '$2')}, ${empreinteOf('p', '$2')}
      FROM unnest($4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[])
        AS u (kind, aff_id, version_id, previous_version_id, reason)
      LEFT JOIN listing_version v ON v.gateway_id = $2 AND v.id = u.version_id
      LEFT JOIN listing_version p ON p.gateway_id = $2 AND p.id = u.previous_version_id`,
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

/** Removes an unpublished snapshot and the versions that were created for it. */
export async function dropSnapshot(pool: Pool, gatewayId: number, snapshotId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const which = [snapshotId, gatewayId];
    const { rowCount } = await client.query(
      'DELETE FROM snapshot WHERE gateway_id = $2 AND id = $1 AND published_at IS NULL',
      which,
    );
    if (rowCount !== 1) return;
    await client.query('DELETE FROM listing_change WHERE gateway_id = $2 AND snapshot_id = $1', which);
    await client.query('DELETE FROM listing_version WHERE gateway_id = $2 AND snapshot_id = $1', which);
  });
}
