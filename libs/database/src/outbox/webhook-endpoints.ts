import { MOST_WEBHOOKS, type WebhookEvent } from '@passerelle/domain';
import { Pool } from 'pg';
import { inTransaction } from '../transaction';

/** An address at which a site receives notifications. Times are ISO 8601 in UTC. */
export interface WebhookEndpoint {
  id: number;
  url: string;
  events: WebhookEvent[];
  createdAt: string;
  disabledAt: string | null;
  /** `gone`: the endpoint answered 410. `failing`: every delivery has failed for three days. */
  disabledReason: 'gone' | 'failing' | null;
  /** The time since which every delivery has failed; null while the endpoint is healthy. */
  failingSince: string | null;
}

export interface NewWebhookEndpoint {
  gatewayId: number;
  url: string;
  events: readonly WebhookEvent[];
  /** Sealed. */
  secret: Buffer;
}

/** Concurrent requests may compete for a slot, so each attempt can lose to another request. */
const ATTEMPTS = MOST_WEBHOOKS + 1;

/** The first half of an advisory lock; the second half is the gateway's id. */
const ADDING_WEBHOOKS = 20_251_129;

const COLUMNS = `id, url, events, to_json(created_at) #>> '{}' AS "createdAt", to_json(disabled_at) #>> '{}' AS "disabledAt",
  disabled_reason AS "disabledReason", to_json(failing_since) #>> '{}' AS "failingSince"`;

/** The endpoints of gateways, without their secrets. */
export class WebhookEndpoints {
  constructor(private readonly pool: Pool) {}

  /** Replaces an endpoint with the same address and its pending messages. @returns null at the gateway's limit */
  async add({ gatewayId, url, events, secret }: NewWebhookEndpoint): Promise<WebhookEndpoint | null> {
    return inTransaction(this.pool, async (client) => {
      // Without the lock, two transactions that add the same address would not see each other's row.
      await client.query('SELECT pg_advisory_xact_lock($1, $2)', [ADDING_WEBHOOKS, gatewayId]);
      await client.query('SELECT remove_webhook($1, NULL, $2)', [gatewayId, url]);
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { rows } = await client.query<WebhookEndpoint>(
          `INSERT INTO webhook_endpoint (gateway_id, slot, url, events, secret)
           SELECT $1::integer, slot, $2, $3::text[], $4 FROM generate_series(1, ${MOST_WEBHOOKS}) AS slot
           WHERE slot NOT IN (SELECT e.slot FROM webhook_endpoint e WHERE e.gateway_id = $1)
           ORDER BY slot LIMIT 1
           ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
          [gatewayId, url, events, secret],
        );
        if (rows[0] !== undefined) return rows[0];
      }
      return null;
    });
  }

  /** Oldest first. */
  async list(gatewayId: number): Promise<WebhookEndpoint[]> {
    const { rows } = await this.pool.query<WebhookEndpoint>({
      name: 'webhook-endpoints',
      text: `SELECT ${COLUMNS} FROM webhook_endpoint WHERE gateway_id = $1 ORDER BY webhook_endpoint.id`,
      values: [gatewayId],
    });
    return rows;
  }

  /** @returns false when the gateway has no such endpoint. */
  async remove(gatewayId: number, id: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ isGone: boolean }>('SELECT remove_webhook($1, $2, NULL) AS "isGone"', [
      gatewayId,
      id,
    ]);
    return rows[0]?.isGone === true;
  }
}
