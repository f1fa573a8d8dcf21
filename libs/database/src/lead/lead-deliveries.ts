import type { SecretBox } from '@passerelle/domain';
import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import { joinText } from '../snapshot/version-sql';

/** A lead that this process alone delivers, for a time. */
export interface TakenLead {
  id: number;
  fence: number;
  token: string;
  /** ISO 8601 in UTC. */
  receivedAt: string;
  sealed: Buffer;
  /** How often it was tried before. */
  tries: number;
  affId: string | null;
  /** Text of the listing; null when it is no longer, or never was, in the list. */
  listing: string | null;
  /** Of its listing; null or empty where there is none. */
  scope: string | null;
  crm: string;
  client: string;
  sourceUrl: string;
  sourceSettings: Record<string, string>;
  sealedSource: Buffer | null;
  credentials: Buffer | null;
}

/** Leads that wait to be delivered. PostgreSQL keeps them until somebody has taken them. */
@Injectable()
export class LeadDeliveries {
  constructor(private readonly pool: Pool) {}

  /** Takes leads that are due and that nobody delivers, the longest waiting first; nobody is given one again for so many seconds. */
  async take({ limit, seconds }: { limit: number; seconds: number }): Promise<TakenLead[]> {
    const { rows } = await this.pool.query<Omit<TakenLead, 'listing' | 'scope'> & { gatewayId: number }>({
      name: 'take-leads',
      text: `
        WITH due AS MATERIALIZED (
          SELECT id FROM lead WHERE delivered_at IS NULL AND next_try_at <= now() AND taken_until <= now()
          ORDER BY next_try_at, id LIMIT $1 FOR UPDATE SKIP LOCKED
        ), taken AS (
          UPDATE lead l SET fence = fence + 1, taken_until = now() + make_interval(secs => $2) FROM due WHERE l.id = due.id
          RETURNING l.*
        )
        SELECT t.id, t.fence, t.token, to_json(t.received_at) #>> '{}' AS "receivedAt", t.sealed, t.tries, t.aff_id AS "affId",
          t.gateway_id AS "gatewayId", g.crm, g.client, g.source_url AS "sourceUrl", g.settings AS "sourceSettings",
          g.sealed_source AS "sealedSource", g.credentials
        FROM taken t JOIN gateway g ON g.id = t.gateway_id
        ORDER BY t.id`,
      values: [limit, seconds],
    });
    return Promise.all(
      rows.map(async ({ gatewayId, ...lead }) => ({ ...lead, ...(await this.listingOf(gatewayId, lead.affId)) })),
    );
  }

  /** Apart from the leads: a statement that does not name the gateway is planned for every part, which takes 25 ms, and mostly no lead waits. */
  private async listingOf(gatewayId: number, affId: string | null): Promise<Pick<TakenLead, 'listing' | 'scope'>> {
    const { rows } = await this.pool.query<Pick<TakenLead, 'listing' | 'scope'>>(
      `SELECT n.body AS listing, v.scope FROM current_listing c
       JOIN listing_version v ON v.gateway_id = $1 AND v.id = c.version_id
       ${joinText('listing_normalized', 'n', 'c.version_id')}
       WHERE c.gateway_id = $1 AND c.aff_id = $2`,
      [gatewayId, affId],
    );
    return rows[0] ?? { listing: null, scope: null };
  }

  /** @param way how it went. */
  async noteDelivered({ id, fence }: Pick<TakenLead, 'id' | 'fence'>, way: 'email' | 'api'): Promise<void> {
    await this.pool.query(
      `UPDATE lead SET tries = tries + 1, tried_at = now(), delivered_at = now(), way = $3, error = NULL, taken_until = '-infinity'
       WHERE id = $1 AND fence = $2`,
      [id, fence, way],
    );
  }

  /** @param error one sentence without anything of the lead's. */
  async noteFailed({ id, fence }: Pick<TakenLead, 'id' | 'fence'>, error: string, pauseMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE lead SET tries = tries + 1, tried_at = now(), error = $3, taken_until = '-infinity',
         next_try_at = now() + make_interval(secs => $4)
       WHERE id = $1 AND fence = $2`,
      [id, fence, error, pauseMs / 1000],
    );
  }

  /** Removes those that were delivered long ago. */
  async prune({ keepDays }: { keepDays: number }): Promise<void> {
    await this.pool.query('DELETE FROM lead WHERE delivered_at < now() - make_interval(days => $1)', [keepDays]);
  }

  /** Seals every lead anew. @returns how many; those that no key opens stay as they are, and are counted apart. */
  async reseal(box: SecretBox): Promise<{ sealed: number; unreadable: number }> {
    const { rows } = await this.pool.query<{ id: number }>('SELECT id FROM lead ORDER BY id');
    let unreadable = 0;
    for (const { id } of rows) if (!(await this.resealOne(id, box))) unreadable += 1;
    return { sealed: rows.length - unreadable, unreadable };
  }

  private async resealOne(id: number, box: SecretBox): Promise<boolean> {
    const { rows } = await this.pool.query<{ sealed: Buffer }>('SELECT sealed FROM lead WHERE id = $1', [id]);
    if (rows[0] === undefined) return true;
    let text: string;
    try {
      text = box.open(rows[0].sealed);
    } catch {
      return false;
    }
    await this.pool.query('UPDATE lead SET sealed = $2 WHERE id = $1', [id, box.seal(text)]);
    return true;
  }
}
