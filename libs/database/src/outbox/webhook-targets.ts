import { WEBHOOK_FAILING_MS } from '@passerelle/domain';
import { Pool } from 'pg';
import { IS_CONFIRMED_AHEAD, IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { EVENTS_OF_DUE, stateData } from './feed-events';

export interface WebhookTarget {
  url: string;
  /** Sealed. */
  secret: Buffer;
  /** Sealed; null except during a rotation. */
  oldSecret: Buffer | null;
  /** Consecutive failures. */
  failures: number;
  isDisabled: boolean;
}

export class WebhookTargets {
  constructor(private readonly pool: Pool) {}

  async find(endpointId: number): Promise<WebhookTarget | null> {
    const { rows } = await this.pool.query<WebhookTarget>({
      name: 'webhook-target',
      text: `SELECT url, secret, CASE WHEN old_secret_until > now() THEN old_secret END AS "oldSecret", failures,
               disabled_at IS NOT NULL AS "isDisabled"
             FROM webhook_endpoint WHERE id = $1`,
      values: [endpointId],
    });
    return rows[0] ?? null;
  }

  /** Records that a message has arrived: the endpoint is healthy, even if it was disabled. */
  async noteWell(endpointId: number): Promise<void> {
    await this.pool.query({
      name: 'webhook-is-well',
      text: `UPDATE webhook_endpoint SET failures = 0, failing_since = NULL, next_try_at = '-infinity', disabled_at = NULL,
               disabled_reason = NULL
             WHERE id = $1`,
      values: [endpointId],
    });
  }

  /**
   * Disables the endpoint after three days of failures, or when it is gone, and discards its other messages.
   * @param isOurs true when nothing was sent: the site is not at fault @returns whether the endpoint is disabled
   */
  async noteFailing(
    endpointId: number,
    deliveryId: number,
    { pauseMs, isGone, isOurs, isTest }: { pauseMs: number; isGone: boolean; isOurs: boolean; isTest: boolean },
  ): Promise<boolean> {
    const { rows } = await this.pool.query<{ isDisabled: boolean }>({
      name: 'webhook-is-failing',
      text: `
        WITH mine AS (
          UPDATE webhook_endpoint SET
            failures = failures + 1, failing_since = CASE WHEN $5::boolean THEN failing_since ELSE coalesce(failing_since, now()) END,
            next_try_at = now() + make_interval(secs => $3::float8 / 1000),
            disabled_at = CASE WHEN ${MUST_END} THEN coalesce(disabled_at, now()) ELSE disabled_at END,
            disabled_reason = CASE WHEN $4 THEN 'gone' WHEN ${MUST_END} THEN coalesce(disabled_reason, 'failing') END
          WHERE id = $1 AND (NOT $6::boolean OR disabled_at IS NULL)
          RETURNING disabled_at IS NOT NULL AS is_disabled
        ), given_up AS (
          UPDATE outbox SET state = 'failed', ended_at = now(), error = coalesce(error, 'the endpoint is disabled')
          FROM mine WHERE is_disabled AND endpoint_id = $1 AND kind = 'webhook' AND state = 'pending' AND id <> $2
        )
        SELECT coalesce((SELECT is_disabled FROM mine), false) AS "isDisabled"`,
      values: [endpointId, deliveryId, pauseMs, isGone, isOurs, isTest],
    });
    return rows[0]?.isDisabled === true;
  }

  /** Queues notifications to sites for lists that were last confirmed more than `ttlSeconds` ago. */
  async enqueueStaleEvents(ttlSeconds: number): Promise<void> {
    await this.pool.query({
      name: 'tell-stale',
      text: `
        WITH changed AS (
          UPDATE gateway_schedule t SET told_state = 'stale' FROM gateway g
          WHERE g.id = t.gateway_id AND t.told_state IS NULL AND t.failures = 0 AND ${IS_GATEWAY_ACTIVE}
            AND (g.confirmed_at < now() - make_interval(secs => $1) OR ${IS_CONFIRMED_AHEAD})
            AND g.id IN (SELECT e.gateway_id FROM webhook_endpoint e WHERE e.disabled_at IS NULL)
          RETURNING t.gateway_id
        ), due AS (
          SELECT g.id AS gateway_id, 'feed.stale'::text AS type, ${stateData("'not_confirmed'")} AS data
          FROM changed JOIN gateway g ON g.id = changed.gateway_id
        ), ${EVENTS_OF_DUE}
        SELECT FROM told_ingestors`,
      values: [ttlSeconds],
    });
  }
}

/** SQL: $4 means that the endpoint is gone, $5 that the fault is ours. A delivery to a disabled endpoint is a test. */
const MUST_END = `($4::boolean OR disabled_at IS NOT NULL
  OR (NOT $5::boolean AND coalesce(failing_since, now()) <= now() - make_interval(secs => ${WEBHOOK_FAILING_MS / 1000})))`;
