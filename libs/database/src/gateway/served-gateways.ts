import { CLOCK_TOLERANCE_MS, type ConnectorRecord, type KeyTerms, type StoredApiKey } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import { Pool } from 'pg';
import { DatabaseClock } from '../database-clock';

/** SQL for `isGatewayActive` of the domain, about the statement's gateway `g`, by the database's clock. */
export const IS_GATEWAY_ACTIVE =
  "(g.enabled AND (g.contract_end IS NULL OR (now() AT TIME ZONE 'Europe/Paris')::date <= g.contract_end))";

/** SQL: whether the last confirmation of `g` is in the future, because the clock was set back later. */
export const IS_CONFIRMED_AHEAD = `g.confirmed_at > now() + make_interval(secs => ${CLOCK_TOLERANCE_MS / 1000})`;

export interface PublishedSnapshot {
  id: number;
  token: string;
  total: number;
  /** Milliseconds since 1970, by the database's clock. */
  publishedAtMs: number;
  /** When the source last confirmed the snapshot; null for never, and for the current snapshot: see its gateway. */
  confirmedAtMs: number | null;
}

export type ServedKey = StoredApiKey & KeyTerms;

/** The data that the API needs to answer for a gateway. Valid until the gateway's `gateway changed` notification. */
export interface ServedGateway {
  id: number;
  crm: string;
  client: string;
  enabled: boolean;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
  keys: ServedKey[];
  /** Null before the first publication. */
  snapshot: PublishedSnapshot | null;
  /** Snapshots within a session's lifetime, after their predecessor, oldest first; empty if there are none. */
  recent: PublishedSnapshot[];
  /** The database's clock when this record was read, in ms since 1970. */
  databaseMs: number;
  /** When the source last confirmed the current snapshot, in ms since 1970; null for never. */
  confirmedAtMs: number | null;
  /** Age of the last confirmation by the database's clock when this was read, in ms; null for never. */
  confirmedAgeMs: number | null;
  /** Null when the connector is no longer registered. */
  connector: ConnectorRecord | null;
}

interface Row extends Omit<ServedGateway, 'keys' | 'recent'> {
  keys: (Omit<ServedKey, 'hash'> & { hash: string })[];
  /** Null when snapshots were published within the lifetime of a session, but the query did not select them. */
  recent: PublishedSnapshot[] | null;
}

export function snapshotJson(alias: string): string {
  return `json_build_object('id', ${alias}.id, 'token', ${alias}.token, 'total', ${alias}.total,
    'publishedAtMs', floor(extract(epoch FROM ${alias}.published_at) * 1000),
    'confirmedAtMs', floor(extract(epoch FROM ${alias}.confirmed_at) * 1000))`;
}

/** Each id takes about 200 bytes. */
const MOST_IDS = 100_000;

/** Uses one indexed query per gateway, and a second query for its first read or after a recent publication. */
export class ServedGateways {
  /** The ids of gateways by name. With the id, a statement reads only the gateway's part of the tables. */
  private readonly ids = new LRUCache<string, number>({ max: MOST_IDS });

  constructor(
    private readonly pool: Pool,
    private readonly clock: DatabaseClock,
  ) {}

  /** @param walkSeconds the lifetime of a pagination session; at 0 `recent` is empty. */
  async find(crm: string, client: string, walkSeconds = 0): Promise<ServedGateway | null> {
    const name = JSON.stringify([crm, client]);
    const known = this.ids.get(name);
    if (known !== undefined) {
      const gateway = await this.read(known, crm, client, walkSeconds);
      if (gateway !== null) return gateway;
      // The gateway was removed, and another gateway may have its name now.
      this.ids.delete(name);
    }
    const { rows } = await this.pool.query<{ id: number }>({
      name: 'gateway-id',
      text: 'SELECT id FROM gateway WHERE crm = $1 AND client = $2',
      values: [crm, client],
    });
    const id = rows[0]?.id;
    if (id === undefined) return null;
    this.ids.set(name, id);
    return this.read(id, crm, client, walkSeconds);
  }

  private async read(id: number, crm: string, client: string, walkSeconds: number): Promise<ServedGateway | null> {
    const row = await this.query('served-gateway', NOT_SELECTED, [crm, client, walkSeconds, id]);
    // Few gateways have recent snapshots, and naming the snapshot table makes PostgreSQL plan for every part.
    const whole =
      row?.recent === null ? await this.query('served-gateway-in-walk', RECENT, [crm, client, walkSeconds, id]) : row;
    if (whole === undefined) return null;
    this.clock.note(whole.databaseMs);
    const keys = whole.keys.map((key) => ({ ...key, hash: Buffer.from(key.hash, 'hex') }));
    return { ...whole, keys, recent: whole.recent ?? [] };
  }

  private async query(
    name: string,
    recent: string,
    values: readonly [crm: string, client: string, walkSeconds: number, id: number],
  ): Promise<Row | undefined> {
    const { rows } = await this.pool.query<Row>({
      name,
      text: `
        SELECT g.id, g.crm, g.client, g.enabled, g.contract_end AS "contractEnd",
               (SELECT coalesce(json_agg(json_build_object(
                         'id', k.id,
                         'hash', encode(coalesce(k.keyed_hash, k.hash), 'hex'),
                         'keyId', k.key_id,
                         'scope', k.scope,
                         'networks', k.networks,
                         'expiresAtMs', extract(epoch FROM k.expires_at) * 1000)), '[]')
                FROM api_key k WHERE k.gateway_id = g.id AND (k.expires_at IS NULL OR k.expires_at > now())) AS keys,
               CASE WHEN s.id IS NOT NULL THEN ${snapshotJson('s')} END AS snapshot,
               CASE WHEN s.published_at > clock_timestamp() - make_interval(secs => $3) THEN ${recent} ELSE '[]' END AS recent,
               (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "databaseMs",
               (extract(epoch FROM g.confirmed_at) * 1000)::float8 AS "confirmedAtMs",
               (extract(epoch FROM clock_timestamp() - g.confirmed_at) * 1000)::float8 AS "confirmedAgeMs",
               (SELECT json_build_object('id', c.id, 'label', c.label, 'type', c.type, 'notes', c.notes)
                FROM connector c WHERE c.id = g.crm) AS connector
        FROM gateway g LEFT JOIN snapshot s ON s.gateway_id = $4 AND s.id = g.current_snapshot_id
        WHERE g.id = $4 AND g.crm = $1 AND g.client = $2`,
      values: [...values],
    });
    return rows[0];
  }
}

/** SQL for recent snapshots that are not selected; the second query selects them with `RECENT`. */
const NOT_SELECTED = 'NULL::json';
const RECENT = `(
  SELECT json_agg(${snapshotJson('r')} ORDER BY r.id) FROM snapshot r
  WHERE r.gateway_id = $4 AND r.pruned_at IS NULL AND r.published_at IS NOT NULL AND r.id >= coalesce((
    SELECT max(b.id) FROM snapshot b
    WHERE b.gateway_id = $4 AND b.pruned_at IS NULL
      AND b.published_at <= clock_timestamp() - make_interval(secs => $3)), 0))`;
