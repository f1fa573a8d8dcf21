import type { Pool } from 'pg';
import { type CopiedRows, copyOut, integers } from '../copy/copy-out';
import { type ByteText, RowFields } from '../copy/row-fields';
import { withConnection } from '../transaction';
import { joinText } from './version-sql';

/** The listing version with which a run compares a record. It is valid until the next version is passed on. */
export interface CurrentVersion {
  readonly id: number;
  readonly affId: ByteText;
  readonly scope: ByteText;
  readonly recordHash: ByteText;
  readonly contentHash: ByteText;
  /** Empty if the source gives no revision. */
  readonly revision: ByteText;
  readonly fill: number;
  /** The bit mask of duties that the listing lacks. */
  readonly duties: number;
}

/** A snapshot, and the gateway that determines the part of the tables. */
export interface StoredSnapshot {
  gatewayId: number;
  id: number;
}

/** The token is permanently unique; after a failover the id is not. A cache key must contain the token. */
export interface NamedSnapshot extends StoredSnapshot {
  token?: string;
}

type Take = (version: CurrentVersion) => void;

/** Reading chunk by chunk is safe, because a snapshot never changes. */
const CHUNKS_AT_A_TIME = 25;

/** One index scan per chunk takes a quarter of the time of single lookups. Its first row has the chunk's order. */
function versionsOfChunks({ gatewayId, id }: StoredSnapshot, first: number): string {
  return `
  SELECT c.chunk, CASE WHEN v.id = c.version_ids[1] THEN c.version_ids END,
    v.id, v.fill, v.aff_id, v.scope, v.record_hash, v.content_hash, v.revision, v.duties
  FROM snapshot_chunk c JOIN listing_version v ON v.id = ANY (c.version_ids)
  WHERE c.gateway_id = ${integers(gatewayId)} AND v.gateway_id = ${integers(gatewayId)} AND c.snapshot_id = ${integers(id)}
    AND c.chunk >= ${integers(first)} AND c.chunk < ${integers(first + CHUNKS_AT_A_TIME)}
  ORDER BY c.chunk`;
}

const FIELD = {
  ...{ chunk: 0, order: 1, id: 2, fill: 3, affId: 4, scope: 5, recordHash: 6, contentHash: 7, revision: 8 },
  duties: 9,
  count: 10,
} as const;

/** Reads versions in the snapshot's order, without listing texts. @throws Error when a version no longer exists */
export async function readVersions(pool: Pool, snapshot: StoredSnapshot, take: Take): Promise<void> {
  const chunks = new Chunks(take);
  await withConnection(pool, async (client, abandon) => {
    try {
      for (let first = 0; chunks.count === first; first += CHUNKS_AT_A_TIME) {
        await copyOut(client, versionsOfChunks(snapshot, first), chunks.fields, (rows) => {
          chunks.handOut(rows);
        });
      }
    } catch (error) {
      // Discard the connection, as the pool does after its own queries fail.
      abandon();
      throw error;
    }
  });
}

/** Sorts rows into the order of their chunk. */
class Chunks {
  /** How many were passed on. */
  count = 0;
  readonly fields = new RowFields(FIELD.count);
  private readonly leaving = new RowFields(FIELD.count);
  private readonly version = new VersionOfRow(this.leaving);
  private chunk = 0;
  private order: readonly number[] = [];
  /** The start position of each row, by version id. */
  private readonly places = new Map<number, number>();

  constructor(private readonly take: Take) {}

  /** Passes on the rows of whole chunks. */
  handOut(rows: CopiedRows): void {
    const { fields } = this;
    rows.forEach((start) => {
      const chunk = fields.int32(FIELD.chunk);
      if (chunk !== this.chunk) {
        this.endChunk(rows);
        this.chunk = chunk;
      }
      if (!fields.isNull(FIELD.order)) this.order = fields.bigints(FIELD.order);
      this.places.set(fields.bigint(FIELD.id), start);
    });
    this.endChunk(rows);
  }

  private endChunk({ bytes }: CopiedRows): void {
    if (this.places.size === 0) return;
    if (this.order.length !== this.places.size) throw new Error(`listing versions of chunk ${this.chunk} are gone`);
    for (const id of this.order) {
      const start = this.places.get(id);
      if (start === undefined) throw new Error(`the listing version ${id} is gone`);
      this.leaving.read(bytes, start);
      this.take(this.version);
    }
    this.places.clear();
    this.order = [];
    this.count += 1;
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

  get duties(): number {
    return this.fields.int32(FIELD.duties);
  }
}

/** The texts of a stored version. */
export interface VersionTexts {
  normalized: string;
  raw: string;
}

/** Reads the texts of some versions, by id. */
export async function readTexts(
  pool: Pool,
  gatewayId: number,
  versionIds: readonly number[],
): Promise<Map<number, VersionTexts>> {
  const { rows } = await pool.query<{ id: number } & VersionTexts>({
    name: 'texts-of-versions',
    text: `SELECT u.id, n.body AS normalized, r.body AS raw
           FROM unnest($2::bigint[]) AS u (id) ${joinText('listing_normalized', 'n', 'u.id')}
           ${joinText('listing_raw', 'r', 'u.id')}`,
    values: [gatewayId, versionIds],
  });
  return new Map(rows.map(({ id, normalized, raw }) => [id, { normalized, raw }]));
}
