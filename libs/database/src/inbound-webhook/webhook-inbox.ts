import type { InboundWebhookRules } from '@passerelle/domain';
import { Pool } from 'pg';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';

export interface MatchedWebhookUrl {
  gatewayId: number;
  /** Sealed; null when the path alone authenticates the CRM. */
  secret: Buffer | null;
  /** Null when the connector is no longer registered, or its CRM sends no webhooks. */
  rules: InboundWebhookRules | null;
}

/** Used instead of an identifier when a webhook requests a check of all listings. */
export const EVERYTHING = '';

/** When a gateway has this many notes, its next run checks all listings instead. */
const MOST_NOTES = 10_000;
/** Webhooks come in bursts, so a run waits this long for more webhooks. */
const QUIET_SECONDS = 1;

export class WebhookInbox {
  constructor(private readonly pool: Pool) {}

  /** @param hash of the secret in the path. */
  async findUrl(hash: Buffer): Promise<MatchedWebhookUrl | null> {
    const { rows } = await this.pool.query<MatchedWebhookUrl>({
      name: 'call-address',
      text: `
        SELECT a.gateway_id AS "gatewayId", a.secret, c.calls AS rules
        FROM call_address a JOIN gateway g ON g.id = a.gateway_id LEFT JOIN connector c ON c.id = g.crm
        WHERE a.hash = $1 AND (a.expires_at IS NULL OR a.expires_at > now())`,
      values: [hash],
    });
    return rows[0] ?? null;
  }

  /** Webhooks start no early run of a gateway that is disabled, paused, or failing after its first publication. */
  async store(gatewayId: number, listings: readonly string[], requestId: string): Promise<void> {
    await this.pool.query({
      name: 'note-call',
      // Insert in key order, so that two statements do not deadlock. The run stays locked until the notes are visible.
      text: `
        WITH room AS MATERIALIZED (
          SELECT count(*) < $4 AS is_left FROM (SELECT FROM call_note WHERE gateway_id = $1 LIMIT $4) n
        ), noted AS (
          INSERT INTO call_note (gateway_id, listing)
          SELECT DISTINCT $1::integer, CASE WHEN is_left THEN listing ELSE '' END AS listing
          FROM unnest($2::text[]) AS listing, room ORDER BY listing
          ON CONFLICT (gateway_id, listing) DO UPDATE SET last_at = clock_timestamp(), calls = call_note.calls + 1
          RETURNING gateway_id
        )
        INSERT INTO run (gateway_id, trigger, asked_by, request_id, announced_until)
        SELECT g.id, 'call', 'crm', $3, now() + make_interval(secs => $5)
        FROM gateway g JOIN gateway_schedule t ON t.gateway_id = g.id
        WHERE g.id = (SELECT max(gateway_id) FROM noted) AND ${IS_GATEWAY_ACTIVE}
          AND NOT (t.failures > 0 AND t.next_run_at > now() AND g.current_snapshot_id IS NOT NULL)
          AND NOT EXISTS (SELECT FROM gateway_pause p WHERE p.gateway_id = g.id)
        ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE
          SET asked_by = coalesce(run.asked_by, excluded.asked_by),
            request_id = coalesce(run.request_id, excluded.request_id)`,
      values: [gatewayId, listings, requestId, MOST_NOTES, QUIET_SECONDS],
    });
  }
}
