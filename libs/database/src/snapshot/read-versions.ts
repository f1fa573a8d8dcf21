import type { Pool } from 'pg';
import { withConnection } from '../transaction';
import { messageBytes } from '../wire/message-buffer';
import { readRows } from '../wire/read-rows';
import { type ByteText, RowFields } from '../wire/row-fields';

/** A listing version as a run compares against it. It is good until the next one is handed out. */
export interface CurrentVersion {
  readonly id: number;
  readonly affId: ByteText;
  readonly scope: ByteText;
  readonly recordHash: ByteText;
  readonly contentHash: ByteText;
  /** Empty when it has none. */
  readonly revision: ByteText;
  readonly fill: number;
}

type Take = (version: CurrentVersion) => void;

/** Reading in pieces is safe because a snapshot never changes. */
const CHUNKS_AT_A_TIME = 50;

/**
 * PostgreSQL finds all versions of a chunk in one pass over their index, a quarter of what finding each takes, and gives them
 * in that order. The chunk's own order comes with its first version.
 */
const VERSIONS_OF_CHUNKS = `
  SELECT c.chunk, CASE WHEN v.id = c.version_ids[1] THEN c.version_ids END,
    v.id, v.fill, v.aff_id, v.scope, v.record_hash, v.content_hash, v.revision
  FROM snapshot_chunk c JOIN listing_version v ON v.id = ANY (c.version_ids)
  WHERE c.snapshot_id = $1::bigint AND c.chunk >= $2::int AND c.chunk < $3::int
  ORDER BY c.chunk`;

const FIELD = {
  ...{ chunk: 0, order: 1, id: 2, fill: 3, affId: 4, scope: 5, recordHash: 6, contentHash: 7, revision: 8 },
  count: 9,
} as const;

/**
 * Hands out the versions of a snapshot in its order, without the texts of their listings.
 *
 * @throws Error when one of them is gone
 */
export async function readVersions(pool: Pool, snapshotId: number, take: Take): Promise<void> {
  await withConnection(pool, async (client, abandon) => {
    const chunks = new Chunks(take);
    try {
      for (let first = 0; chunks.count === first; first += CHUNKS_AT_A_TIME) {
        const values = [snapshotId, first, first + CHUNKS_AT_A_TIME].map(String);
        await readRows(client, { text: VERSIONS_OF_CHUNKS, values }, (messages) => {
          chunks.add(messages);
        });
        chunks.endChunk();
      }
    } catch (error) {
      // As the pool does with its own queries that fail.
      abandon();
      throw error;
    }
  });
}

const SCRATCH_BYTES = 64 * 1024;

/** Rows, put into the order of their chunk. */
class Chunks {
  /** How many were handed out. */
  count = 0;
  private chunk = 0;
  private order: readonly number[] = [];
  /** By the id of a version, where its row begins. */
  private readonly places = new Map<number, number>();
  private scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  private used = 0;
  private readonly arriving = new RowFields(FIELD.count);
  private readonly leaving = new RowFields(FIELD.count);
  private readonly version = new VersionOfRow(this.leaving);

  constructor(private readonly take: Take) {}

  /** Takes messages of rows, one after the other. */
  add(messages: Buffer): void {
    const { arriving } = this;
    let kept = 0;
    for (let at = 0, end = 0; at < messages.length; at = end) {
      end = at + messageBytes(messages, at);
      arriving.read(messages, at, end);
      const chunk = arriving.int32(FIELD.chunk);
      if (chunk !== this.chunk) {
        this.keep(messages, kept, at);
        kept = at;
        this.endChunk();
        this.chunk = chunk;
      }
      if (!arriving.isNull(FIELD.order)) this.order = arriving.bigints(FIELD.order);
      this.places.set(arriving.bigint(FIELD.id), this.used + at - kept);
    }
    this.keep(messages, kept, messages.length);
  }

  /** Hands out the rows that have come: they are all of a chunk. */
  endChunk(): void {
    if (this.places.size === 0) return;
    if (this.order.length !== this.places.size) throw new Error(`listing versions of chunk ${this.chunk} are gone`);
    for (const id of this.order) {
      const place = this.places.get(id)!;
      this.leaving.read(this.scratch, place, place + messageBytes(this.scratch, place));
      this.take(this.version);
    }
    this.places.clear();
    this.order = [];
    this.used = 0;
    this.count += 1;
  }

  private keep(messages: Buffer, start: number, end: number): void {
    const used = this.used + end - start;
    if (used > this.scratch.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(used, this.scratch.length * 2));
      this.scratch.copy(larger, 0, 0, this.used);
      this.scratch = larger;
    }
    messages.copy(this.scratch, this.used, start, end);
    this.used = used;
  }
}

class VersionOfRow implements CurrentVersion {
  readonly affId: ByteText;
  readonly scope: ByteText;
  readonly recordHash: ByteText;
  readonly contentHash: ByteText;
  readonly revision: ByteText;

  constructor(private readonly fields: RowFields) {
    this.affId = fields.textOf(FIELD.affId);
    this.scope = fields.textOf(FIELD.scope);
    this.recordHash = fields.textOf(FIELD.recordHash);
    this.contentHash = fields.textOf(FIELD.contentHash);
    this.revision = fields.textOf(FIELD.revision);
  }

  get id(): number {
    return this.fields.bigint(FIELD.id);
  }

  get fill(): number {
    return this.fields.int32(FIELD.fill);
  }
}
