import { EDIT_CHANNEL, type GatewayEditData, type GatewayEditType } from '@passerelle/domain';
import { Pool } from 'pg';

/** A change or a test of a gateway that an ingestor carries out, because only ingestors can read stored secrets. */
export interface GatewayEditState {
  state: 'pending' | 'delivered' | 'superseded' | 'failed';
  /** Why it failed, as one sentence; null when it did not. */
  error: string | null;
  /** JSON of the result of a test. */
  answer: string | null;
}

export class GatewayEdits {
  constructor(private readonly pool: Pool) {}

  /** @param sealed the new values, which may be secret @returns the id of the edit */
  async request(gatewayId: number, type: GatewayEditType, sealed: Buffer, data: GatewayEditData): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `WITH added AS (
         INSERT INTO outbox (gateway_id, kind, type, sealed, data) VALUES ($1, 'edit', $2, $3, $4) RETURNING id
       ), notified AS MATERIALIZED (SELECT pg_notify('${EDIT_CHANNEL}', '') FROM added)
       SELECT added.id FROM added LEFT JOIN notified ON true`,
      [gatewayId, type, sealed, JSON.stringify(data)],
    );
    return rows[0]!.id;
  }

  /** Null when the gateway was removed. */
  async find(id: number): Promise<GatewayEditState | null> {
    const { rows } = await this.pool.query<GatewayEditState>(
      `SELECT state, error, answer FROM outbox WHERE id = $1 AND kind = 'edit'`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** The number of changes that wait for an ingestor. */
  async waiting(gatewayId: number): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM outbox
       WHERE gateway_id = $1 AND kind = 'edit' AND type = 'change' AND state = 'pending'`,
      [gatewayId],
    );
    return rows[0]!.count;
  }
}
