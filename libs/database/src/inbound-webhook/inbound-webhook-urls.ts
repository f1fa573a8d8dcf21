import type { SecretBox } from '@passerelle/domain';
import { Pool } from 'pg';
import { type Resealed, resealRows } from '../reseal';
import { inTransaction } from '../transaction';

/** An address to which a CRM sends webhooks, as shown to operators. Times are ISO 8601 in UTC. */
export interface InboundWebhookUrl {
  id: number;
  prefix: string;
  hasSecret: boolean;
  createdAt: string;
  expiresAt: string | null;
}

export interface NewInboundWebhookUrl {
  hash: Buffer;
  prefix: string;
  /** Sealed; null when the path alone authenticates the CRM. */
  secret: Buffer | null;
}

export interface WaitingWebhooks {
  listings: number;
  /** ISO 8601 in UTC; null when nothing waits. */
  since: string | null;
}

export class InboundWebhookUrls {
  constructor(private readonly pool: Pool) {}

  /** The gateway's other addresses expire after `overlapSeconds`, or earlier at their own end. */
  async open(
    gatewayId: number,
    { hash, prefix, secret }: NewInboundWebhookUrl,
    overlapSeconds: number,
  ): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      await client.query(
        `UPDATE call_address
         SET expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(secs => $2::float8))
         WHERE gateway_id = $1`,
        [gatewayId, overlapSeconds],
      );
      await client.query('DELETE FROM call_address WHERE gateway_id = $1 AND expires_at <= now()', [gatewayId]);
      const { rows } = await client.query<{ id: number }>(
        'INSERT INTO call_address (gateway_id, hash, prefix, secret) VALUES ($1, $2, $3, $4) RETURNING id',
        [gatewayId, hash, prefix, secret],
      );
      return rows[0]!.id;
    });
  }

  /** Oldest first. */
  async list(gatewayId: number): Promise<InboundWebhookUrl[]> {
    const { rows } = await this.pool.query<InboundWebhookUrl>(
      `SELECT id, prefix, secret IS NOT NULL AS "hasSecret", to_json(created_at) #>> '{}' AS "createdAt",
         to_json(expires_at) #>> '{}' AS "expiresAt"
       FROM call_address WHERE gateway_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
      [gatewayId],
    );
    return rows;
  }

  /** Lists the addresses for roles that must not know whether an address has a secret. */
  async shown(gatewayId: number): Promise<Omit<InboundWebhookUrl, 'hasSecret'>[]> {
    const { rows } = await this.pool.query<Omit<InboundWebhookUrl, 'hasSecret'>>(
      `SELECT id, prefix, to_json(created_at) #>> '{}' AS "createdAt", to_json(expires_at) #>> '{}' AS "expiresAt"
       FROM call_address WHERE gateway_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
      [gatewayId],
    );
    return rows;
  }

  async waiting(gatewayId: number): Promise<WaitingWebhooks> {
    const { rows } = await this.pool.query<WaitingWebhooks>(
      `SELECT count(*)::integer AS listings, to_json(min(first_at)) #>> '{}' AS since FROM call_note WHERE gateway_id = $1`,
      [gatewayId],
    );
    return rows[0] ?? { listings: 0, since: null };
  }

  /** @returns false when the gateway has no such address. */
  async close(gatewayId: number, id: number): Promise<boolean> {
    const { rowCount } = await this.pool.query('DELETE FROM call_address WHERE gateway_id = $1 AND id = $2', [
      gatewayId,
      id,
    ]);
    return rowCount === 1;
  }

  reseal(box: SecretBox): Promise<Resealed> {
    return resealRows(this.pool, box, 'call_address', ['secret']);
  }
}
