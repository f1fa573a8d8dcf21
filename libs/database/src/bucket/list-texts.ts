import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { copyOut, integers } from '../copy/copy-out';
import { RowFields } from '../copy/row-fields';
import { empreinteOf, photosEmpreinteOf } from '../snapshot/version-sql';
import { withConnection } from '../transaction';

/** A listing of a snapshot without its text. */
export interface SnapshotLine {
  versionId: number;
  affId: string;
  affNum: string | null;
  empreinte: string;
  photos: string | null;
}

const FIELD = { id: 0, body: 1, count: 2 } as const;
const CHUNKS_AT_A_TIME = 50;

/** Snapshots as the bucket of lists gets them, published or about to be. For the ingestor only. */
@Injectable()
export class ListTexts {
  constructor(private readonly pool: Pool) {}

  /** Every listing of a snapshot, in its order. @throws Error when the snapshot is gone, or a part of it */
  async lines(gatewayId: number, snapshotId: number): Promise<SnapshotLine[]> {
    const { rows: found } = await this.pool.query<{ total: number }>(
      'SELECT total FROM snapshot WHERE gateway_id = $2 AND id = $1 AND pruned_at IS NULL',
      [snapshotId, gatewayId],
    );
    const total = found[0]?.total ?? -1;
    const lines: SnapshotLine[] = [];
    for (let chunk = 0; lines.length < total; chunk += CHUNKS_AT_A_TIME) {
      const { rows } = await this.pool.query<SnapshotLine>({
        name: 'lines-of-list',
        text: `SELECT v.id AS "versionId", v.aff_id AS "affId", v.aff_num AS "affNum", ${empreinteOf('v', '$4')} AS empreinte,
                      ${photosEmpreinteOf('v', '$4')} AS photos
               FROM snapshot_chunk c
               CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
               JOIN listing_version v ON v.gateway_id = $4 AND v.id = u.version_id
               WHERE c.gateway_id = $4 AND c.snapshot_id = $1 AND c.chunk >= $2 AND c.chunk < $3
               ORDER BY c.chunk, u.ordinal`,
        values: [snapshotId, chunk, chunk + CHUNKS_AT_A_TIME, gatewayId],
      });
      if (rows.length === 0) break;
      lines.push(...rows);
    }
    if (lines.length !== total) throw new Error(`the snapshot ${snapshotId} is gone: it was pruned`);
    return lines;
  }

  /** The normalized texts of versions of a gateway, in their order. @throws Error when one of them is gone */
  async texts(gatewayId: number, versionIds: readonly number[]): Promise<Buffer[]> {
    const texts = new Map<number, Buffer>();
    await withConnection(this.pool, async (client, abandon) => {
      const fields = new RowFields(FIELD.count);
      const query = `SELECT version_id, body FROM listing_normalized
                     WHERE gateway_id = ${integers(gatewayId)} AND version_id = ANY ('{${integers(...versionIds)}}'::bigint[])`;
      try {
        await copyOut(client, query, fields, (rows) => {
          rows.forEach(() => {
            const body = rows.bytes.subarray(fields.startOf(FIELD.body), fields.endOf(FIELD.body));
            texts.set(fields.bigint(FIELD.id), Buffer.from(body));
          });
        });
      } catch (error) {
        abandon();
        throw error;
      }
    });
    return versionIds.map((id) => {
      const text = texts.get(id);
      if (text === undefined) throw new Error(`the listing version ${id} is gone: its snapshot was pruned`);
      return text;
    });
  }
}
