import { entryOf, type Listing, READ_FORMS, type SearchEntry, searchEntryOf } from '@passerelle/domain';
import { Pool } from 'pg';
import { inBatches } from '../batches';
import { copyOut, integers } from '../copy/copy-out';
import { RowFields } from '../copy/row-fields';
import type { SnapshotOfGateway } from '../listing/served-listings';
import type { NamedSnapshot } from '../snapshot/read-versions';
import { RowMissing, ReplicaReads } from '../listing/replica-reads';
import { withConnection } from '../transaction';

export interface SearchRow extends SearchEntry {
  versionId: number;
}

const VERSIONS_AT_A_TIME = 1_000;
const FIELD = { id: 0, form: 1, fields: 2, words: 3, count: 4 } as const;

export class SearchRows {
  constructor(private readonly replicaReads: ReplicaReads) {}

  /** In its order. @throws Error when the snapshot was pruned meanwhile: a search covers the whole list, or fails */
  versionsOf(snapshot: SnapshotOfGateway): Promise<number[]> {
    const { gatewayId, id, total, token = null } = snapshot;
    return this.replicaReads.read(snapshot, async (pool) => {
      const { rows } = await pool.query<[number[]]>({
        name: 'versions-of-snapshot',
        rowMode: 'array',
        text: `SELECT c.version_ids FROM snapshot s JOIN snapshot_chunk c ON c.gateway_id = $2 AND c.snapshot_id = s.id
               WHERE s.gateway_id = $2 AND s.id = $1 AND s.pruned_at IS NULL AND ($3::text IS NULL OR s.token = $3) ORDER BY c.chunk`,
        values: [id, gatewayId, token],
      });
      const ids = rows.flatMap(([versionIds]) => versionIds);
      if (ids.length !== total) throw new RowMissing(`the snapshot ${id} is gone: it was pruned`);
      return ids;
    });
  }

  /** In any order. Missing or unknown rows are derived from their listings. @throws Error when a version was pruned */
  async load(snapshot: NamedSnapshot, versionIds: readonly number[], take: (row: SearchRow) => void): Promise<void> {
    for (const ids of inBatches(versionIds, VERSIONS_AT_A_TIME)) {
      const rows = await this.replicaReads.read(snapshot, (pool) => this.rowsOf(pool, snapshot.gatewayId, ids));
      rows.forEach(take);
    }
  }

  private async rowsOf(pool: Pool, gatewayId: number, ids: readonly number[]): Promise<SearchRow[]> {
    const rows = await storedRows(pool, gatewayId, ids);
    if (rows.length === ids.length) return rows;
    const stored = new Set(rows.map(({ versionId }) => versionId));
    const made = await madeRows(
      pool,
      gatewayId,
      ids.filter((id) => !stored.has(id)),
    );
    return [...rows, ...made];
  }
}

function storedRows(pool: Pool, gatewayId: number, ids: readonly number[]): Promise<SearchRow[]> {
  const query = `SELECT version_id, form, fields, words FROM listing_search
                 WHERE gateway_id = ${integers(gatewayId)} AND version_id = ANY ('{${integers(...ids)}}'::bigint[]) AND form IN (${integers(...READ_FORMS)})`;
  return withConnection(pool, async (client, abandon) => {
    try {
      const fields = new RowFields(FIELD.count);
      return await copyOut(client, query, fields, (copied) => {
        const rows: SearchRow[] = [];
        copied.forEach(() => {
          const entry: SearchEntry = {
            fields: copied.bytes.toString('utf8', fields.startOf(FIELD.fields), fields.endOf(FIELD.fields)),
            words: Buffer.from(copied.bytes.subarray(fields.startOf(FIELD.words), fields.endOf(FIELD.words))),
          };
          rows.push({ versionId: fields.bigint(FIELD.id), ...entryOf(fields.int32(FIELD.form), entry) });
        });
        return rows;
      });
    } catch (error) {
      // Discard the connection, as the pool does after its own queries fail.
      abandon();
      throw error;
    }
  });
}

/** For versions of an older release without a row, and rows of an unknown form. @throws RowMissing */
async function madeRows(pool: Pool, gatewayId: number, ids: readonly number[]): Promise<SearchRow[]> {
  const { rows } = await pool.query<[number, string]>({
    name: 'texts-to-search',
    rowMode: 'array',
    text: 'SELECT version_id, body FROM listing_normalized WHERE gateway_id = $2 AND version_id = ANY ($1::bigint[])',
    values: [ids, gatewayId],
  });
  if (rows.length !== ids.length) throw new RowMissing('listing versions are gone: their snapshot was pruned');
  return rows.map(([versionId, body]) => ({ versionId, ...searchEntryOf(JSON.parse(body) as Partial<Listing>) }));
}
