import type { Pool } from 'pg';
import { integers } from '../copy/copy-out';
import {
  CHUNK_SIZE,
  empreinteOf,
  joinText,
  photosEmpreinteOf,
  versionsAt,
  versionsByReference,
} from '../snapshot/version-sql';
import type { NamedSnapshot } from '../snapshot/read-versions';
import type { ListingFormat } from './snapshot-changes';
import { ChunkCache } from './chunk-cache';
import { type BodiesForm, readBodies, readEachBody } from './bodies';
import { type Queryable, ReplicaReads, RowMissing } from './replica-reads';

const BODY_TABLE = { normalized: 'listing_normalized', raw: 'listing_raw' } as const;

const AS_THEY_ARE: BodiesForm = { frame: { before: '', after: '' } };

export interface SnapshotOfGateway extends NamedSnapshot {
  total: number;
}

/** `affId`, the listing's `empreinte`, and the `empreinte` of its photos or null. */
export type ManifestLine = [string, string, string | null];

/** Manifest chunks that are read together: 10,000 listings. */
const CHUNKS_AT_A_TIME = 50;

/** The listings of published snapshots as JSON text that is ready to send. */
export class ServedListings {
  private readonly chunks = new ChunkCache();

  constructor(private readonly replicaReads: ReplicaReads) {}

  /** Texts separated by commas within a frame; null for none. @throws Error when the snapshot was pruned meanwhile */
  async page(
    snapshot: SnapshotOfGateway,
    format: ListingFormat,
    offset: number,
    limit: number,
    form: BodiesForm = AS_THEY_ARE,
  ): Promise<Buffer | null> {
    return this.replicaReads.read(snapshot, async (pool) => {
      const ids = await this.idsOf(pool, snapshot, offset, offset + limit);
      return ids.length === 0 ? null : readBodies(pool, bodiesOf(snapshot.gatewayId, ids, format), ids, form);
    });
  }

  /** JSON texts in UTF-8, in the order of `ids`. @throws Error when one of them was pruned */
  async textsOfVersions(snapshot: NamedSnapshot, ids: readonly number[], format: ListingFormat): Promise<Buffer[]> {
    return this.replicaReads.read(snapshot, (pool) =>
      readEachBody(pool, bodiesOf(snapshot.gatewayId, ids, format), ids),
    );
  }

  /** When each listing's present version was first published, in ms; null when this time is no longer known. */
  async publishedAt(snapshot: SnapshotOfGateway, offset: number, limit: number): Promise<(number | null)[]> {
    return this.replicaReads.read(snapshot, async (pool) => {
      const ids = await this.idsOf(pool, snapshot, offset, offset + limit);
      const { rows } = await pool.query<[number, Date | null]>({
        name: 'published-at',
        rowMode: 'array',
        text: `SELECT v.id, s.published_at FROM listing_version v LEFT JOIN snapshot s ON s.gateway_id = $2 AND s.id = v.snapshot_id
               WHERE v.gateway_id = $2 AND v.id = ANY ($1::bigint[])`,
        values: [ids, snapshot.gatewayId],
      });
      const times = new Map(rows);
      return ids.map((id) => times.get(id)?.getTime() ?? null);
    });
  }

  private async idsOf(pool: Pool, snapshot: SnapshotOfGateway, offset: number, until: number): Promise<number[]> {
    const ids: number[] = [];
    const end = Math.min(until, snapshot.total);
    for (let chunk = Math.floor(offset / CHUNK_SIZE); chunk * CHUNK_SIZE < end; chunk += 1) {
      const start = chunk * CHUNK_SIZE;
      const inChunk = await this.chunks.load(pool, snapshot, chunk);
      ids.push(...inChunk.slice(Math.max(offset - start, 0), end - start));
    }
    return ids;
  }

  /** JSON texts in the snapshot's order. Unknown identifiers are skipped. */
  async byIds(snapshot: SnapshotOfGateway, format: ListingFormat, affIds: readonly string[]): Promise<string[]> {
    return this.replicaReads.readAt(snapshot, async (asked) => {
      const { rows } = await asked.query<[number, string]>({
        name: `by-ids-${format}`,
        rowMode: 'array',
        text: `SELECT f.version_id, b.body
               FROM (${versionsAt('SELECT DISTINCT aff_id FROM unnest($3::text[]) AS u (aff_id)')}) f
               ${joinText(BODY_TABLE[format], 'b', 'f.version_id')}`,
        values: [snapshot.gatewayId, snapshot.id, affIds.filter(isStorable)],
      });
      return this.inOrder(asked, snapshot, rows);
    });
  }

  /** The JSON text of a listing by `affId`, or else by `affNum` (the first in the snapshot's order); null for none. */
  async one(snapshot: SnapshotOfGateway, format: ListingFormat, id: string): Promise<string | null> {
    if (!isStorable(id)) return null;
    const [byId] = await this.byIds(snapshot, format, [id]);
    if (byId !== undefined) return byId;
    const [byReference] = await this.replicaReads.readAt(snapshot, async (asked) => {
      const { rows } = await asked.query<[number, string]>({
        name: `by-aff-num-${format}`,
        rowMode: 'array',
        text: `SELECT f.version_id, b.body
               FROM (${versionsByReference()}) f ${joinText(BODY_TABLE[format], 'b', 'f.version_id')}`,
        values: [snapshot.gatewayId, snapshot.id, id],
      });
      return this.inOrder(asked, snapshot, rows);
    });
    return byReference ?? null;
  }

  private async inOrder(
    asked: Queryable,
    snapshot: SnapshotOfGateway,
    rows: readonly [number, string][],
  ): Promise<string[]> {
    if (rows.length < 2) return rows.map(([, body]) => body);
    const bodies = new Map(rows);
    const texts: string[] = [];
    for (let chunk = 0; texts.length < rows.length && chunk * CHUNK_SIZE < snapshot.total; chunk += 1) {
      for (const id of await this.chunks.load(asked, snapshot, chunk)) {
        const body = bodies.get(id);
        if (body !== undefined) texts.push(body);
      }
    }
    return texts;
  }

  /** Lets a client prove that its copy is complete: one line per listing, in the snapshot's order. */
  async manifest(snapshot: SnapshotOfGateway): Promise<ManifestLine[]> {
    return this.replicaReads.read(snapshot, (pool) => manifestOf(pool, snapshot));
  }
}

/** @throws RowMissing when the snapshot lacks a listing */
async function manifestOf(pool: Pool, { gatewayId, id, total }: SnapshotOfGateway): Promise<ManifestLine[]> {
  const lines: ManifestLine[] = [];
  for (let chunk = 0; chunk * CHUNK_SIZE < total; chunk += CHUNKS_AT_A_TIME) {
    const { rows } = await pool.query<ManifestLine>({
      name: 'manifest',
      rowMode: 'array',
      text: `SELECT v.aff_id, ${empreinteOf('v', '$4')}, ${photosEmpreinteOf('v', '$4')}
             FROM snapshot_chunk c
             CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
             JOIN listing_version v ON v.gateway_id = $4 AND v.id = u.version_id
             WHERE c.gateway_id = $4 AND c.snapshot_id = $1 AND c.chunk >= $2 AND c.chunk < $3
             ORDER BY c.chunk, u.ordinal`,
      values: [id, chunk, chunk + CHUNKS_AT_A_TIME, gatewayId],
    });
    for (const row of rows) lines.push(row);
  }
  // An incomplete manifest would prove that a wrong list is complete.
  if (lines.length !== total) throw new RowMissing(`the snapshot ${id} is gone: it was pruned`);
  return lines;
}

/** PostgreSQL refuses texts with a NUL, so no listing contains a NUL. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

function bodiesOf(gatewayId: number, ids: readonly number[], format: ListingFormat): string {
  return `SELECT version_id, body FROM ${BODY_TABLE[format]}
    WHERE gateway_id = ${integers(gatewayId)} AND version_id = ANY ('{${integers(...ids)}}'::bigint[])`;
}
