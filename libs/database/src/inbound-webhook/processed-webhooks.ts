import { Pool } from 'pg';
import { EVERYTHING } from './webhook-inbox';

export interface PendingWebhooks {
  /** Identifiers of listings, each with the number of its webhooks so far. */
  named: ReadonlyMap<string, number>;
  /** The number of webhooks that request a check of all listings. */
  everything: number;
}

export interface ProcessedWebhooks {
  /** The webhook notes at the start of the run. */
  pending: PendingWebhooks;
  /** Whether the run has checked all listings. */
  isEverything: boolean;
  /** Requested listings that the source returned. */
  found: readonly string[];
  /** Requested listings that the source no longer has. */
  gone: readonly string[];
  /** Whether the source offers no list, so that this database must remember which listings the source has. */
  isRemembered: boolean;
}

export class WebhookProcessing {
  constructor(private readonly pool: Pool) {}

  async pending(gatewayId: number): Promise<PendingWebhooks> {
    const { rows } = await this.pool.query<{ listing: string; calls: number }>(
      'SELECT listing, calls FROM call_note WHERE gateway_id = $1 ORDER BY first_at, listing',
      [gatewayId],
    );
    const named = new Map(rows.map(({ listing, calls }) => [listing, calls]));
    const everything = named.get(EVERYTHING) ?? 0;
    named.delete(EVERYTHING);
    return { named, everything };
  }

  /** Lists identifiers that were last confirmed before a time, the oldest confirmation first. */
  async unconfirmed(gatewayId: number, before: Date, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ listing: string }>(
      `SELECT listing FROM called_listing WHERE gateway_id = $1 AND confirmed_at < $2
       ORDER BY confirmed_at, listing LIMIT $3`,
      [gatewayId, before, limit],
    );
    return rows.map(({ listing }) => listing);
  }

  /** Keeps a note with a newer webhook, which may report a change after the response. @returns whether notes remain */
  async complete(
    gatewayId: number,
    { pending, isEverything, found, gone, isRemembered }: ProcessedWebhooks,
  ): Promise<boolean> {
    const answered = isEverything ? [...pending.named.keys(), EVERYTHING] : [...found, ...gone];
    const calls = answered.map((id) => (id === EVERYTHING ? pending.everything : (pending.named.get(id) ?? 0)));
    const { rows } = await this.pool.query<{ isLeft: boolean }>(
      `WITH answered AS (
         DELETE FROM call_note n USING unnest($2::text[], $3::integer[]) AS a (listing, calls)
         WHERE n.gateway_id = $1 AND n.listing = a.listing AND n.calls = a.calls
         RETURNING n.listing
       ), confirmed AS (
         INSERT INTO called_listing (gateway_id, listing, confirmed_at)
         SELECT $1, listing, now() FROM (SELECT DISTINCT unnest($4::text[]) AS listing) f ORDER BY listing
         ON CONFLICT (gateway_id, listing) DO UPDATE SET confirmed_at = excluded.confirmed_at
       ), forgotten AS (
         DELETE FROM called_listing WHERE gateway_id = $1 AND listing = ANY ($5::text[])
       )
       SELECT EXISTS (
         SELECT FROM call_note WHERE gateway_id = $1 AND listing NOT IN (SELECT listing FROM answered)) AS "isLeft"`,
      [gatewayId, answered, calls, isRemembered ? found : [], isRemembered ? gone : []],
    );
    return rows[0]?.isLeft === true;
  }
}
