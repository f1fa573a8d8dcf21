import { type SecretBox, WEBHOOK_DUE_CHANNEL } from '@passerelle/domain';
import { Pool } from 'pg';
import { type Resealed, resealRows } from '../reseal';

export class WebhookAdmin {
  constructor(private readonly pool: Pool) {}

  /** The former secret stays valid for `overlapSeconds`. @param secret sealed @returns false for an unknown endpoint */
  async rotate(gatewayId: number, endpointId: number, secret: Buffer, overlapSeconds: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ isThere: boolean }>('SELECT rotate_webhook($1, $2, $3, $4) AS "isThere"', [
      gatewayId,
      endpointId,
      secret,
      overlapSeconds,
    ]);
    return rows[0]?.isThere === true;
  }

  /** Repeats a message with its id. @returns the new delivery; null when the gateway has no such message */
  async replay(gatewayId: number, deliveryId: number): Promise<number | null> {
    return this.sendSoon(
      `SELECT d.gateway_id, d.endpoint_id, d.type, d.message_id, d.at, d.data FROM outbox d
       WHERE d.gateway_id = $1 AND d.id = $2 AND d.kind = 'webhook'`,
      [gatewayId, deliveryId],
    );
  }

  /** Sends a test message. @returns its delivery; null when the gateway has no such endpoint. */
  async test(gatewayId: number, endpointId: number): Promise<number | null> {
    return this.sendSoon(
      `SELECT g.id AS gateway_id, e.id AS endpoint_id, 'webhook.test' AS type,
         'msg_' || replace(gen_random_uuid()::text, '-', '') AS message_id, clock_timestamp() AS at,
         json_build_object('crm', g.crm, 'client', g.client) AS data
       FROM webhook_endpoint e JOIN gateway g ON g.id = e.gateway_id WHERE g.id = $1 AND e.id = $2`,
      [gatewayId, endpointId],
    );
  }

  /** Ends the endpoint's pause, because an operator wants the message now. */
  private async sendSoon(message: string, values: readonly number[]): Promise<number | null> {
    const { rows } = await this.pool.query<{ id: number }>(
      `WITH added AS (
         INSERT INTO outbox (gateway_id, endpoint_id, kind, type, message_id, at, data)
         SELECT gateway_id, endpoint_id, 'webhook', type, message_id, at, data FROM (${message}) m
         RETURNING id, endpoint_id
       ), freed AS (
         UPDATE outbox o SET next_try_at = '-infinity' FROM added
         WHERE o.endpoint_id = added.endpoint_id AND o.state = 'pending' AND o.next_try_at > now()
       ), notified AS MATERIALIZED (SELECT pg_notify('${WEBHOOK_DUE_CHANNEL}', '') FROM added)
       SELECT added.id FROM added LEFT JOIN notified ON true`,
      [...values],
    );
    return rows[0]?.id ?? null;
  }

  reseal(box: SecretBox): Promise<Resealed> {
    return resealRows(this.pool, box, 'webhook_endpoint', ['secret', 'old_secret']);
  }
}
