export type { ImportedGateway, NeededSecrets } from './backup/gateway-import';
export { checkBackup } from './backup/check-backup';
export type { BackupManifest, ReadManifest, Trust } from './backup/manifest';
export { type OpenBackups, openBackups } from './backup/open-backups';
import type { GatewayPause, ListingTrace } from '@passerelle/domain';
import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from './connection-settings';
import { LAST_TO_END, PAUSE_JSON } from './gateway/pause-sql';
import { ListingTraces } from './run/listing-traces';

/** A gateway with the facts that may explain why its list is not served or not updated. */
export interface TracedGateway {
  id: number;
  crm: string;
  client: string;
  enabled: boolean;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
  paused: GatewayPause | null;
  /** ISO 8601 in UTC; null when the gateway does not fail. */
  failingSince: string | null;
  failingReason: string | null;
}

/** Listing traces, without the rest of the database. */
export interface OpenListingTraces {
  findGateway(crm: string, client: string): Promise<TracedGateway | null>;
  /** Gateways that have, had or rejected a listing; those that serve it come first. */
  gatewaysWith(id: string, limit: number): Promise<TracedGateway[]>;
  trace(gatewayId: number, id: string): Promise<ListingTrace>;
  close(): Promise<void>;
}

/** For the operators' command line: without the ORM, which loads slowly. @throws the driver's error */
export async function openListingTraces(options: DatabaseOptions): Promise<OpenListingTraces> {
  const pool = new Pool({
    ...connectionSettings(options),
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 10,
  });
  pool.on('error', () => undefined);
  const first = await pool.connect();
  first.release();
  const traces = new ListingTraces(pool);
  return {
    findGateway: (crm, client) => findGateway(pool, crm, client),
    async gatewaysWith(id, limit) {
      const ids = await traces.gatewaysWith(id, limit);
      const { rows } = await pool.query<TracedGateway>(`${TRACED_GATEWAYS} WHERE g.id = ANY($1)`, [ids]);
      return ids.flatMap((gatewayId) => rows.find((row) => row.id === gatewayId) ?? []);
    },
    trace: (gatewayId, id) => traces.trace(gatewayId, id),
    close: () => pool.end(),
  };
}

const TRACED_GATEWAYS = `SELECT g.id, g.crm, g.client, g.enabled, g.contract_end AS "contractEnd",
    (SELECT ${PAUSE_JSON} FROM gateway_pause p WHERE p.gateway_id = g.id ${LAST_TO_END} LIMIT 1) AS paused,
    to_json(t.failing_since) AS "failingSince",
    CASE WHEN t.failures > 0 THEN (
      SELECT r.reason FROM run r WHERE r.gateway_id = g.id AND r.state = 'failed' AND NOT r.dry_run
      ORDER BY r.id DESC LIMIT 1) END AS "failingReason"
  FROM gateway g JOIN gateway_schedule t ON t.gateway_id = g.id`;

async function findGateway(pool: Pool, crm: string, client: string): Promise<TracedGateway | null> {
  const { rows } = await pool.query<TracedGateway>(`${TRACED_GATEWAYS} WHERE g.crm = $1 AND g.client = $2`, [
    crm,
    client,
  ]);
  return rows[0] ?? null;
}
