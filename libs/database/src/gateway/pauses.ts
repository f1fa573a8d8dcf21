import type { GatewayPause } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '../transaction';
import { LAST_TO_END, PAUSE_JSON } from './pause-sql';

/** The scope of a pause: one gateway; a connector; a host of sources; or the sources of a connector on a host. */
export interface PauseScope {
  gatewayId: number | null;
  crm: string | null;
  host: string | null;
}

export interface PauseTerms {
  until: Date | null;
  reason: string | null;
  by: string;
}

/** A pause with its scope. */
export interface ListedPause extends GatewayPause {
  id: number;
  /** The gateway's client when the pause covers one gateway; else null. */
  client: string | null;
  isOfOneGateway: boolean;
  gateways: number;
}

/** The operators' pauses. Expired pauses are deleted when another pause is set or ended. */
export class Pauses {
  constructor(private readonly pool: Pool) {}

  /** Adds or changes a pause. @returns the number of gateways that it covers; at 0 no pause is stored */
  async set({ gatewayId, crm, host }: PauseScope, { until, reason, by }: PauseTerms): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      await removeEnded(client);
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO pause (gateway_id, crm, host, until, reason, paused_by) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (coalesce(gateway_id, 0), coalesce(crm, ''), coalesce(host, '')) DO UPDATE
           SET until = excluded.until, reason = excluded.reason, paused_by = excluded.paused_by
         RETURNING id`,
        [gatewayId, crm, host, until, reason, by],
      );
      const id = rows[0]?.id;
      const concerned = await client.query('SELECT 1 FROM gateway_pause WHERE pause_id = $1', [id]);
      if (concerned.rows.length === 0) await client.query('DELETE FROM pause WHERE id = $1', [id]);
      return concerned.rows.length;
    });
  }

  /** Ends a pause. Gateways without another pause are due immediately. @returns null when there was no such pause */
  async end({ gatewayId, crm, host }: PauseScope): Promise<{ resumed: number; stillPaused: number } | null> {
    return inTransaction(this.pool, async (client) => {
      await removeEnded(client);
      const { rows } = await client.query<{ gateway_id: number }>(
        `SELECT v.gateway_id FROM gateway_pause v JOIN pause p ON p.id = v.pause_id
         WHERE coalesce(p.gateway_id, 0) = coalesce($1::int, 0) AND coalesce(p.crm, '') = coalesce($2::text, '')
           AND coalesce(p.host, '') = coalesce($3::text, '')`,
        [gatewayId, crm, host],
      );
      const ended = await client.query(
        `DELETE FROM pause WHERE coalesce(gateway_id, 0) = coalesce($1::int, 0)
           AND coalesce(crm, '') = coalesce($2::text, '') AND coalesce(host, '') = coalesce($3::text, '')`,
        [gatewayId, crm, host],
      );
      if (ended.rowCount === 0) return null;
      const ids = rows.map((row) => row.gateway_id);
      const resumed = await client.query(
        `UPDATE gateway_schedule t SET next_run_at = least(next_run_at, now())
         WHERE t.gateway_id = ANY ($1::int[]) AND NOT EXISTS (SELECT FROM gateway_pause p WHERE p.gateway_id = t.gateway_id)`,
        [ids],
      );
      const count = resumed.rowCount ?? 0;
      return { resumed: count, stillPaused: ids.length - count };
    });
  }

  /** Lists pauses that have not ended: connectors and hosts first, then gateways by name. */
  async list(): Promise<ListedPause[]> {
    const { rows } = await this.pool.query<ListedPause>(
      `SELECT p.id, to_json(p.until) #>> '{}' AS until, p.reason, p.paused_by AS by, to_json(p.paused_at) #>> '{}' AS since,
              coalesce(p.crm, g.crm) AS crm, g.client, p.host, p.gateway_id IS NOT NULL AS "isOfOneGateway",
              (SELECT count(*) FROM gateway_pause v WHERE v.pause_id = p.id)::int AS gateways
       FROM pause p LEFT JOIN gateway g ON g.id = p.gateway_id
       WHERE p.until IS NULL OR p.until > now()
       ORDER BY p.gateway_id IS NOT NULL, crm NULLS LAST, p.host, g.client`,
    );
    return rows;
  }

  /** The gateway's pause that ends last; null when the gateway is not paused. */
  async ofGateway(gatewayId: number): Promise<GatewayPause | null> {
    const { rows } = await this.pool.query<{ pause: GatewayPause }>(
      `SELECT ${PAUSE_JSON} AS pause FROM gateway_pause p WHERE p.gateway_id = $1 ${LAST_TO_END} LIMIT 1`,
      [gatewayId],
    );
    return rows[0]?.pause ?? null;
  }
}

async function removeEnded(client: PoolClient): Promise<void> {
  await client.query('DELETE FROM pause WHERE until <= now()');
}
