import { type SecretBox, sealedAnew, WEBHOOK_DUE_CHANNEL } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../transaction';

/** A message to one endpoint, with what became of it. Times are ISO 8601 in UTC. */
export interface LoggedDelivery {
  id: number;
  endpointId: number;
  messageId: string;
  type: string;
  at: string;
  state: 'pending' | 'delivered' | 'superseded' | 'failed';
  tries: number;
  /** Of the last try; null before the first one. */
  triedAt: string | null;
  status: number | null;
  ms: number | null;
  answer: string | null;
  error: string | null;
}

const LOGGED = `d.id, d.endpoint_id AS "endpointId", v.message_id AS "messageId", v.type, to_json(v.at) #>> '{}' AS at, d.state, d.tries,
  to_json(d.tried_at) #>> '{}' AS "triedAt", d.status, d.ms, d.answer, d.error`;

/** What operators do with the endpoints of a gateway, beside adding and removing them. */
@Injectable()
export class WebhookCare {
  constructor(private readonly pool: Pool) {}

  /**
   * Puts a new secret in the place of an endpoint's, which stays right for so many seconds.
   *
   * @param secret sealed.
   * @returns whether the gateway has the endpoint.
   */
  async rotate(gatewayId: number, endpointId: number, secret: Buffer, overlapSeconds: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ isThere: boolean }>('SELECT rotate_webhook($1, $2, $3, $4) AS "isThere"', [
      gatewayId,
      endpointId,
      secret,
      overlapSeconds,
    ]);
    return rows[0]?.isThere === true;
  }

  /** The newest messages to a gateway's endpoints, newest first. */
  async log(gatewayId: number, limit: number): Promise<LoggedDelivery[]> {
    const { rows } = await this.pool.query<LoggedDelivery>(
      `SELECT ${LOGGED} FROM webhook_endpoint e
       CROSS JOIN LATERAL (SELECT * FROM webhook_delivery d WHERE d.endpoint_id = e.id ORDER BY d.id DESC LIMIT $2) d
       JOIN webhook_event v ON v.id = d.event_id
       WHERE e.gateway_id = $1 ORDER BY d.id DESC LIMIT $2`,
      [gatewayId, limit],
    );
    return rows;
  }

  async delivery(id: number): Promise<LoggedDelivery | null> {
    const { rows } = await this.pool.query<LoggedDelivery>(
      `SELECT ${LOGGED} FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE d.id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Sends a message again, under its id of before. @returns the new delivery; null when the gateway has no such one. */
  async replay(gatewayId: number, deliveryId: number): Promise<number | null> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ id: number; endpointId: number }>(
        `INSERT INTO webhook_delivery (endpoint_id, event_id)
         SELECT d.endpoint_id, d.event_id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
         WHERE d.id = $2 AND e.gateway_id = $1
         RETURNING id, endpoint_id AS "endpointId"`,
        [gatewayId, deliveryId],
      );
      return rows[0] === undefined ? null : sendSoon(client, rows[0]);
    });
  }

  /** Sends a test. @returns its delivery; null when the gateway has no such endpoint. */
  async test(gatewayId: number, endpointId: number): Promise<number | null> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ id: number; endpointId: number }>(
        `WITH event AS (
           INSERT INTO webhook_event (gateway_id, type, data)
           SELECT g.id, 'webhook.test', json_build_object('crm', g.crm, 'client', g.client)
           FROM webhook_endpoint e JOIN gateway g ON g.id = e.gateway_id WHERE e.id = $2 AND g.id = $1
           RETURNING id
         )
         INSERT INTO webhook_delivery (endpoint_id, event_id) SELECT $2, id FROM event
         RETURNING id, endpoint_id AS "endpointId"`,
        [gatewayId, endpointId],
      );
      return rows[0] === undefined ? null : sendSoon(client, rows[0]);
    });
  }

  /** Seals every secret anew. @returns how many; those that no key opens stay as they are, and are counted apart. */
  async reseal(box: SecretBox): Promise<{ sealed: number; unreadable: number }> {
    const { rows } = await this.pool.query<{ id: number; secret: Buffer; oldSecret: Buffer | null }>(
      'SELECT id, secret, old_secret AS "oldSecret" FROM webhook_endpoint ORDER BY id',
    );
    let unreadable = 0;
    for (const { id, secret, oldSecret } of rows) {
      const anew = [secret, oldSecret].map((sealed) => (sealed === null ? null : sealedAnew(box, sealed)));
      if (anew.includes(undefined)) {
        unreadable += 1;
        continue;
      }
      await this.pool.query('UPDATE webhook_endpoint SET secret = $2, old_secret = $3 WHERE id = $1 AND secret = $4', [
        id,
        ...anew,
        secret,
      ]);
    }
    return { sealed: rows.length - unreadable, unreadable };
  }
}

/** A pause that the endpoint has is over: somebody has just said so. */
async function sendSoon(client: PoolClient, { id, endpointId }: { id: number; endpointId: number }): Promise<number> {
  await client.query(`UPDATE webhook_endpoint SET next_try_at = '-infinity' WHERE id = $1`, [endpointId]);
  await client.query('SELECT pg_notify($1, $2)', [WEBHOOK_DUE_CHANNEL, '']);
  return id;
}
