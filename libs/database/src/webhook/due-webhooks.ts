import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { IS_CONFIRMED_AHEAD, IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { EVENTS_OF_DUE, stateData } from './feed-events';

/** An endpoint with something to be sent, to be put on the queue. */
export interface DueEndpoint {
  endpointId: number;
  /** How often somebody has taken it up. */
  fence: number;
}

/** Which endpoints have something to be sent, as those ask who bring them to the queue. */
@Injectable()
export class DueWebhooks {
  constructor(private readonly pool: Pool) {}

  /**
   * Takes endpoints that have something to be sent and that nobody sends to, to be put on the queue. Nobody is given one of
   * them again for so many seconds, unless it was taken up meanwhile.
   *
   * @param mostFailing of those that fail, so many are under way at most: the others must not wait for them.
   */
  async takeDue({
    limit,
    seconds,
    mostFailing,
  }: {
    limit: number;
    seconds: number;
    mostFailing: number;
  }): Promise<DueEndpoint[]> {
    const { rows } = await this.pool.query<DueEndpoint>({
      name: 'take-webhooks',
      text: `
        WITH failing AS MATERIALIZED (
          SELECT e.id FROM webhook_endpoint e
          WHERE e.failures > 0 AND ${IS_FREE}
            AND EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'pending')
          ORDER BY e.next_try_at LIMIT greatest(0, $3 - (
            SELECT count(*) FROM webhook_endpoint b
            WHERE b.failures > 0 AND (b.announced_until > now() OR b.taken_until > now())))
        ), told AS MATERIALIZED (
          SELECT DISTINCT endpoint_id FROM webhook_delivery WHERE state = 'pending'
        ), ${announcedOf('e.failures = 0 OR e.id IN (SELECT id FROM failing)')}`,
      values: [limit, seconds, mostFailing],
    });
    return rows;
  }

  /**
   * The same for those among the newest messages, without endpoints that fail: what waits for these may be much, and is not looked
   * through for each new message.
   *
   * @param newest of so many messages.
   */
  async takeNew({
    limit,
    seconds,
    newest,
  }: {
    limit: number;
    seconds: number;
    newest: number;
  }): Promise<DueEndpoint[]> {
    const { rows } = await this.pool.query<DueEndpoint>({
      name: 'take-new-webhooks',
      text: `
        WITH told AS MATERIALIZED (
          SELECT DISTINCT endpoint_id FROM (
            SELECT endpoint_id, state FROM webhook_delivery ORDER BY id DESC LIMIT $3) d WHERE state = 'pending'
        ), ${announcedOf('e.failures = 0')}`,
      values: [limit, seconds, newest],
    });
    return rows;
  }

  /** The queue did not take these endpoints: they are for the next one who asks. */
  async giveBack(endpointIds: readonly number[]): Promise<void> {
    await this.pool.query(`UPDATE webhook_endpoint SET announced_until = '-infinity' WHERE id = ANY ($1)`, [
      endpointIds,
    ]);
  }

  /** Tells sites of lists that were confirmed longer ago than so many seconds. @returns how many gateways these are. */
  async tellStale(ttlSeconds: number): Promise<number> {
    const { rows } = await this.pool.query<{ gateways: number }>({
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
        SELECT (SELECT count(*) FROM changed) AS gateways FROM (SELECT 1) one LEFT JOIN told_ingestors ON true`,
      values: [ttlSeconds],
    });
    return rows[0]?.gateways ?? 0;
  }
}

/**
 * The end of this statement does not wait for the disk: who loses it in a crash of the server sends again, or waits for the end
 * of a lease. What has arrived, and who may send, is awaited.
 */
export const NOT_AWAITED = `not_awaited AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** Nobody sends to the endpoint `e`, nobody is asked to, and its pause is over. */
const IS_FREE = 'e.next_try_at <= now() AND e.announced_until <= now() AND e.taken_until <= now()';

/**
 * The end of a statement: takes those endpoints `e` of `told` that are free, $1 at most, for $2 seconds. Each is looked up by its
 * key: joined, all endpoints there are would be looked at while some of them wait.
 */
function announcedOf(which: string): string {
  return `
    ${NOT_AWAITED}, due AS MATERIALIZED (
      SELECT e.id FROM not_awaited, told CROSS JOIN LATERAL (
        SELECT e.id FROM webhook_endpoint e WHERE e.id = told.endpoint_id AND ${IS_FREE} AND (${which}) FOR UPDATE SKIP LOCKED
      ) e LIMIT $1
    )
    UPDATE webhook_endpoint e SET announced_until = now() + make_interval(secs => $2) FROM due WHERE e.id = due.id
    RETURNING e.id AS "endpointId", e.fence`;
}
