import { Injectable } from '@nestjs/common';
import type { ConnectorRecord } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { snapshotJson, type PublishedSnapshot } from '../gateway/served-gateways';
import { inTransaction } from '../transaction';

/** A snapshot whose pages are in the bucket. */
export interface BucketList {
  id: number;
  /** The hash of its index. */
  index: string;
}

/** What the API has to know of a gateway while the database does not answer. */
export interface BucketState {
  crm: string;
  client: string;
  enabled: boolean;
  contractEnd: string | null;
  /** Those that have not ended. The hash is hexadecimal. */
  keys: {
    id: number;
    hash: string;
    keyId: string | null;
    scope: string;
    networks: string[] | null;
    expiresAtMs: number | null;
  }[];
  connector: ConnectorRecord | null;
  confirmedAtMs: number | null;
  current: number | null;
  /** Those that can be read, oldest first. */
  snapshots: PublishedSnapshot[];
}

/** What the bucket holds of a gateway. */
export interface BucketRow {
  /** Whether there is a gateway of this name: this one, or another that was added since. */
  isNamed?: boolean;
  crm: string;
  client: string;
  /** Of what was written last. */
  generation: number;
  lists: BucketList[];
}

/** What was put into the bucket of a gateway. */
export interface BucketWord {
  /** The lists that it names. */
  lists: BucketList[];
  /** Whether that is all: else a look finds the gateway behind until it is. */
  isWhole: boolean;
}

/** What a look through some gateways has found. */
export interface BucketLook {
  /** Those of which the bucket says something else than the database, or that it still has. */
  behind: number[];
  /** Where the next look begins; null when these were the last. */
  next: number | null;
}

/** SQL: the state of the gateway `g`, as JSON. */
const STATE = `jsonb_build_object(
  'crm', g.crm, 'client', g.client, 'enabled', g.enabled, 'contractEnd', g.contract_end,
  'keys', (SELECT coalesce(jsonb_agg(jsonb_build_object(
             'id', k.id, 'hash', encode(coalesce(k.keyed_hash, k.hash), 'hex'), 'keyId', k.key_id, 'scope', k.scope,
             'networks', k.networks, 'expiresAtMs', extract(epoch FROM k.expires_at) * 1000) ORDER BY k.id), '[]')
           FROM api_key k WHERE k.gateway_id = g.id AND (k.expires_at IS NULL OR k.expires_at > now())),
  'connector', (SELECT jsonb_build_object('id', c.id, 'label', c.label, 'type', c.type, 'notes', c.notes)
                FROM connector c WHERE c.id = g.crm),
  'confirmedAtMs', (extract(epoch FROM g.confirmed_at) * 1000)::float8,
  'current', g.current_snapshot_id,
  'snapshots', (SELECT coalesce(jsonb_agg(${snapshotJson('s')} ORDER BY s.id), '[]') FROM snapshot s
                WHERE s.gateway_id = g.id AND s.pruned_at IS NULL AND s.published_at IS NOT NULL))`;

const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Which gateways the bucket of lists holds, and what it holds of them. For the ingestor only. */
@Injectable()
export class BucketRows {
  constructor(private readonly pool: Pool) {}

  /**
   * Looks through the next gateways by their ids, those included that were removed.
   *
   * @param after the last one of the look before; 0 begins
   * @param limit of gateways that are looked at: each costs its state to be composed
   * @param seal names the key that seals what the bucket says: with another one everything is said anew
   */
  async look(after: number, limit: number, seal: string): Promise<BucketLook> {
    const { rows } = await this.pool.query<{ id: number; is_behind: boolean }>({
      name: 'look-through-the-bucket',
      text: `WITH next AS MATERIALIZED (
               SELECT id FROM (
                 (SELECT id FROM gateway WHERE id > $1 ORDER BY id LIMIT $2)
                 UNION
                 (SELECT gateway_id FROM bucket_gateway WHERE gateway_id > $1 ORDER BY gateway_id LIMIT $2)
               ) both_of ORDER BY id LIMIT $2
             )
             SELECT next.id, g.id IS NULL OR b.digest IS DISTINCT FROM md5((${STATE})::text || $3) AS is_behind
             FROM next LEFT JOIN gateway g ON g.id = next.id LEFT JOIN bucket_gateway b ON b.gateway_id = next.id
             ORDER BY next.id`,
      values: [after, limit, seal],
    });
    return {
      behind: rows.flatMap(({ id, is_behind }) => (is_behind ? [id] : [])),
      next: rows.length < limit ? null : rows.at(-1)!.id,
    };
  }

  /** The gateway's state now, null when it was removed, and its row, null when the bucket holds nothing of it. */
  async load(gatewayId: number): Promise<{ state: BucketState | null; row: BucketRow | null }> {
    const { rows } = await this.pool.query<{ state: BucketState | null; row: BucketRow | null }>({
      name: 'bucket-of-gateway',
      text: `SELECT (SELECT ${STATE} FROM gateway g WHERE g.id = $1) AS state,
                    (SELECT to_jsonb(b) || jsonb_build_object('isNamed', EXISTS (
                       SELECT 1 FROM gateway g WHERE g.crm = b.crm AND g.client = b.client))
                     FROM bucket_gateway b WHERE b.gateway_id = $1) AS row`,
      values: [gatewayId],
    });
    return rows[0] ?? { state: null, row: null };
  }

  /**
   * Writes what the bucket is to say of a gateway. Nobody else does so for the same gateway meanwhile, so the newest state is
   * what is written last.
   *
   * @param write puts it into the bucket.
   */
  async write(
    gatewayId: number,
    seal: string,
    write: (state: BucketState, row: BucketRow) => Promise<BucketWord>,
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        // By the clock, so that it grows also behind a backup that was restored.
        `INSERT INTO bucket_gateway AS b (gateway_id, crm, client, generation)
         SELECT id, crm, client, ${NOW_MS} FROM gateway WHERE id = $1
         ON CONFLICT (gateway_id) DO UPDATE SET generation = greatest(b.generation + 1, ${NOW_MS})`,
        [gatewayId],
      );
      if (rowCount !== 1) return;
      const { rows } = await client.query<{ state: BucketState; digest: string; row: BucketRow }>(
        `SELECT s.state, md5(s.state::text || $2) AS digest, to_jsonb(b) AS row
         FROM gateway g JOIN bucket_gateway b ON b.gateway_id = g.id, LATERAL (SELECT ${STATE} AS state) s
         WHERE g.id = $1`,
        [gatewayId, seal],
      );
      const [found] = rows;
      if (found === undefined) return;
      const { lists, isWhole } = await write(found.state, found.row);
      await this.note(client, gatewayId, lists, isWhole ? found.digest : null);
    });
  }

  private async note(client: PoolClient, gatewayId: number, lists: BucketList[], digest: string | null): Promise<void> {
    await client.query('UPDATE bucket_gateway SET lists = $2, digest = $3 WHERE gateway_id = $1', [
      gatewayId,
      JSON.stringify(lists),
      digest,
    ]);
  }

  /** Notes a list that is in the bucket, whatever the bucket says of its gateway. */
  async addList(gatewayId: number, list: BucketList): Promise<void> {
    await this.pool.query(
      `INSERT INTO bucket_gateway AS b (gateway_id, crm, client, lists)
       SELECT id, crm, client, jsonb_build_array($2::jsonb) FROM gateway WHERE id = $1
       ON CONFLICT (gateway_id) DO UPDATE SET lists = b.lists || $2::jsonb`,
      [gatewayId, JSON.stringify(list)],
    );
  }

  /** The bucket holds nothing any more of a gateway that was removed. */
  async forget(gatewayId: number): Promise<void> {
    await this.pool.query(
      `DELETE FROM bucket_gateway b WHERE gateway_id = $1 AND NOT EXISTS (SELECT 1 FROM gateway g WHERE g.id = $1)`,
      [gatewayId],
    );
  }
}
