import { LEAD_CHANNEL, MOST_WAITING_LEADS } from '@passerelle/domain';
import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

export interface NewLead {
  gatewayId: number;
  /** A UUID: what is sent again under it is no second lead. */
  token: string;
  affId: string | null;
  sealed: Buffer;
}

/** Takes in what visitors write. */
@Injectable()
export class ReceivedLeads {
  constructor(private readonly pool: Pool) {}

  /**
   * Keeps a lead, and tells ingestors of it. One whose token is there already stays as it is.
   *
   * @returns when it was received, ISO 8601; null when too many leads of the gateway wait.
   */
  async add({ gatewayId, token, affId, sealed }: NewLead): Promise<string | null> {
    const added = await this.pool.query<{ receivedAt: string }>({
      name: 'add-lead',
      text: `
        WITH added AS (
          INSERT INTO lead (gateway_id, token, aff_id, sealed)
          SELECT $1::integer, $2::uuid, $3::text, $4::bytea
          WHERE (SELECT count(*) FROM (
            SELECT FROM lead WHERE gateway_id = $1 AND delivered_at IS NULL LIMIT ${MOST_WAITING_LEADS}) w) < ${MOST_WAITING_LEADS}
          ON CONFLICT DO NOTHING RETURNING received_at
        ), told AS MATERIALIZED (SELECT pg_notify('${LEAD_CHANNEL}', '') FROM added)
        SELECT to_json(received_at) #>> '{}' AS "receivedAt" FROM added LEFT JOIN told ON true`,
      values: [gatewayId, token, affId, sealed],
    });
    if (added.rows[0] !== undefined) return added.rows[0].receivedAt;
    const known = await this.pool.query<{ receivedAt: string }>(
      `SELECT to_json(received_at) #>> '{}' AS "receivedAt" FROM lead WHERE gateway_id = $1 AND token = $2`,
      [gatewayId, token],
    );
    return known.rows[0]?.receivedAt ?? null;
  }
}
