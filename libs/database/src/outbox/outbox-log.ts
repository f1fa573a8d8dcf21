import type { DeliveryKind } from '@passerelle/domain';
import { Pool } from 'pg';

/** A delivery with its result and without its sealed contents. Times are ISO 8601 in UTC. */
export interface LoggedDelivery {
  id: number;
  /** Empty for a notification. */
  crm: string;
  client: string;
  /** The masked address of a notification's channel; null for other kinds. */
  channel: string | null;
  kind: DeliveryKind;
  endpointId: number | null;
  messageId: string;
  type: string;
  affId: string | null;
  /** The time of the event that caused the delivery. */
  at: string;
  state: 'pending' | 'delivered' | 'superseded' | 'failed';
  tries: number;
  /** Time of the last attempt; null before the first one. */
  triedAt: string | null;
  /** Null when the delivery has ended or is due now. */
  nextTryAt: string | null;
  endedAt: string | null;
  status: number | null;
  ms: number | null;
  answer: string | null;
  error: string | null;
  way: 'email' | 'api' | null;
}

const COLUMNS = `d.id, coalesce(g.crm, '') AS crm, coalesce(g.client, '') AS client, c.shown AS channel, d.kind, d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.type, d.aff_id AS "affId",
  to_json(d.at) #>> '{}' AS at, d.state, d.tries, to_json(d.tried_at) #>> '{}' AS "triedAt",
  CASE WHEN d.state = 'pending' AND d.next_try_at > now() THEN to_json(d.next_try_at) #>> '{}' END AS "nextTryAt",
  to_json(d.ended_at) #>> '{}' AS "endedAt", d.status, d.ms, d.answer, d.error, d.way`;

/** SQL: the gateway, or the channel, of a delivery. */
const OF = 'LEFT JOIN gateway g ON g.id = d.gateway_id LEFT JOIN notification_channel c ON c.id = d.channel_id';

export class OutboxLog {
  constructor(private readonly pool: Pool) {}

  /** Lists deliveries of a kind: first the waiting ones, oldest first; then the ended ones, newest first. */
  async list(kind: DeliveryKind, limit: number): Promise<LoggedDelivery[]> {
    const { rows } = await this.pool.query<LoggedDelivery>(
      `SELECT ${COLUMNS} FROM (
         (SELECT id, 0 AS rank FROM outbox WHERE kind = $1 AND state = 'pending' ORDER BY id LIMIT $2)
         UNION ALL
         (SELECT id, 1 AS rank FROM outbox WHERE kind = $1 AND state <> 'pending' ORDER BY ended_at DESC LIMIT $2)
       ) chosen JOIN outbox d ON d.id = chosen.id ${OF}
       ORDER BY chosen.rank, CASE WHEN chosen.rank = 0 THEN d.id END, d.ended_at DESC LIMIT $2`,
      [kind, limit],
    );
    return rows;
  }

  async countWaiting(kind: DeliveryKind): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM outbox WHERE kind = $1 AND state = 'pending'`,
      [kind],
    );
    return rows[0]?.count ?? 0;
  }

  /** Lists the last messages to the endpoints of a gateway, newest first. */
  async ofGateway(gatewayId: number, limit: number): Promise<LoggedDelivery[]> {
    const { rows } = await this.pool.query<LoggedDelivery>(
      `SELECT ${COLUMNS} FROM outbox d ${OF}
       WHERE d.gateway_id = $1 AND d.kind = 'webhook' ORDER BY d.created_at DESC, d.id DESC LIMIT $2`,
      [gatewayId, limit],
    );
    return rows;
  }

  async find(id: number): Promise<LoggedDelivery | null> {
    const { rows } = await this.pool.query<LoggedDelivery>(`SELECT ${COLUMNS} FROM outbox d ${OF} WHERE d.id = $1`, [
      id,
    ]);
    return rows[0] ?? null;
  }
}
