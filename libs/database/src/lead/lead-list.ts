import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

/** A lead without what the visitor wrote. Times are ISO 8601 in UTC. */
export interface ListedLead {
  id: number;
  crm: string;
  client: string;
  affId: string | null;
  receivedAt: string;
  tries: number;
  triedAt: string | null;
  /** Null of one that is delivered, or is due. */
  nextTryAt: string | null;
  /** Why the last try failed. */
  error: string | null;
  deliveredAt: string | null;
  way: 'email' | 'api' | null;
}

/** The leads as operators see them. */
@Injectable()
export class LeadList {
  constructor(private readonly pool: Pool) {}

  /** Those that wait come first, the longest waiting ahead; then those that were delivered, newest first. */
  async list(limit: number): Promise<ListedLead[]> {
    const { rows } = await this.pool.query<ListedLead>(
      `SELECT l.id, g.crm, g.client, l.aff_id AS "affId", to_json(l.received_at) #>> '{}' AS "receivedAt", l.tries,
         to_json(l.tried_at) #>> '{}' AS "triedAt", l.error, to_json(l.delivered_at) #>> '{}' AS "deliveredAt", l.way,
         CASE WHEN l.delivered_at IS NULL AND l.next_try_at > now() THEN to_json(l.next_try_at) #>> '{}' END AS "nextTryAt"
       FROM (
         (SELECT id, 0 AS place FROM lead WHERE delivered_at IS NULL ORDER BY id LIMIT $1)
         UNION ALL
         (SELECT id, 1 AS place FROM lead WHERE delivered_at IS NOT NULL ORDER BY delivered_at DESC LIMIT $1)
       ) chosen JOIN lead l ON l.id = chosen.id JOIN gateway g ON g.id = l.gateway_id
       ORDER BY chosen.place, CASE WHEN chosen.place = 0 THEN l.id END, l.delivered_at DESC LIMIT $1`,
      [limit],
    );
    return rows;
  }

  async countWaiting(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM lead WHERE delivered_at IS NULL',
    );
    return rows[0]!.count;
  }
}
