import type { ConnectorRecord, StoredApiKey } from '@passerelle/domain';
import type { Pool } from 'pg';

/** What the API needs to answer for a gateway. Fit to be cached until its `gateway changed` notification. */
export interface ServedGateway {
  id: number;
  crm: string;
  client: string;
  enabled: boolean;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
  keys: StoredApiKey[];
  /** Null until something was published. */
  snapshot: { id: number; total: number } | null;
  /** Age of the last confirmation by the database's clock when this was read, in ms; null when there was none. */
  confirmedAgeMs: number | null;
  /** Null when the connector is no longer registered. */
  connector: ConnectorRecord | null;
}

interface Row extends Omit<ServedGateway, 'keys' | 'snapshot'> {
  keys: { hash: string; expiresAtMs: number | null }[];
  snapshotId: number | null;
  total: number | null;
}

/** Gateways as the API reads them: one indexed query each. */
export class ServedGateways {
  constructor(private readonly pool: Pool) {}

  async find(crm: string, client: string): Promise<ServedGateway | null> {
    const { rows } = await this.pool.query<Row>({
      name: 'served-gateway',
      text: `
        SELECT g.id, g.crm, g.client, g.enabled, g.contract_end AS "contractEnd",
               (SELECT coalesce(json_agg(json_build_object(
                         'hash', encode(k.hash, 'hex'),
                         'expiresAtMs', extract(epoch FROM k.expires_at) * 1000)), '[]')
                FROM api_key k WHERE k.gateway_id = g.id AND (k.expires_at IS NULL OR k.expires_at > now())) AS keys,
               s.id AS "snapshotId", s.total,
               (extract(epoch FROM clock_timestamp() - g.confirmed_at) * 1000)::float8 AS "confirmedAgeMs",
               (SELECT row_to_json(c) FROM connector c WHERE c.id = g.crm) AS connector
        FROM gateway g LEFT JOIN snapshot s ON s.id = g.current_snapshot_id
        WHERE g.crm = $1 AND g.client = $2`,
      values: [crm, client],
    });
    const row = rows[0];
    if (row === undefined) return null;
    const { keys, snapshotId, total, ...gateway } = row;
    return {
      ...gateway,
      keys: keys.map(({ hash, expiresAtMs }) => ({ hash: Buffer.from(hash, 'hex'), expiresAtMs })),
      snapshot: snapshotId === null ? null : { id: snapshotId, total: total ?? 0 },
    };
  }
}
