import { WEBHOOK_DUE_CHANNEL } from '@passerelle/domain';
import type { PoolClient } from 'pg';

/** Adds deliveries for rows of `due` (gateway_id, type, data). All endpoints of a gateway get the same message id. */
export const EVENTS_OF_DUE = `
  event AS MATERIALIZED (
    SELECT gateway_id, type, data, 'msg_' || replace(gen_random_uuid()::text, '-', '') AS message_id, clock_timestamp() AS at FROM due
  ), delivery AS (
    INSERT INTO outbox (gateway_id, endpoint_id, kind, type, message_id, at, data)
    SELECT v.gateway_id, e.id, 'webhook', v.type, v.message_id, v.at, v.data FROM event v
    JOIN webhook_endpoint e ON e.gateway_id = v.gateway_id AND e.disabled_at IS NULL AND v.type = ANY (e.events)
    RETURNING id
  ), told_ingestors AS MATERIALIZED (
    SELECT pg_notify('${WEBHOOK_DUE_CHANNEL}', '') FROM delivery LIMIT 1
  )`;

/**
 * SQL `due` for gateway `$1` and snapshot `$2` after `$3`. `$5`: an operator approved it; `change`: its changes. It names
 * five replaced listings, because a message stays below 2 KB.
 */
export const LIST_PUBLISHED = `
  due AS (
    SELECT g.id AS gateway_id, 'list.published'::text AS type, json_build_object(
      'crm', g.crm, 'client', g.client, 'snapshot', s.token, 'previous', b.token, 'total', s.total,
      'added', c.added, 'changed', c.changed, 'removed', c.removed, 'approved', $5::boolean,
      'replaced', c.replaced) AS data
    FROM gateway g
    JOIN snapshot s ON s.gateway_id = $1 AND s.id = $2
    LEFT JOIN snapshot b ON b.gateway_id = $1 AND b.id = $3
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE kind = 'added') AS added, count(*) FILTER (WHERE kind = 'changed') AS changed,
             count(*) FILTER (WHERE kind = 'removed') AS removed,
             (SELECT coalesce(json_agg(json_build_object('affId', aff_id, 'replaces', replaces)), '[]')
              FROM (SELECT aff_id, replaces FROM change WHERE replaces IS NOT NULL ORDER BY aff_id LIMIT 5) r
             ) AS replaced
      FROM change
    ) c
    WHERE g.id = $1 AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.gateway_id = g.id)
  )`;

/** Call it in the transaction that changes the state. Repeats no notification. @param code as in `/v1/feed` */
export async function enqueueStateEvent(
  client: PoolClient,
  gatewayId: number,
  state: 'held' | 'failing',
  code: string | null,
): Promise<void> {
  await client.query({
    name: 'tell-state',
    text: `
      WITH changed AS (
        UPDATE gateway_schedule SET told_state = $2::text WHERE gateway_id = $1 AND told_state IS DISTINCT FROM $2::text
        RETURNING gateway_id
      ), due AS (
        SELECT g.id AS gateway_id, 'feed.' || $2 AS type, ${stateData('$3::text')} AS data
        FROM changed JOIN gateway g ON g.id = changed.gateway_id
      ), ${EVENTS_OF_DUE}
      SELECT FROM told_ingestors`,
    values: [gatewayId, state, code],
  });
}

/** Queues a notification to sites that a feed has recovered, when an operator has decided about the held run. */
export async function enqueueRecoveredEvent(client: PoolClient, gatewayId: number): Promise<void> {
  await client.query(
    `WITH changed AS (
       UPDATE gateway_schedule SET told_state = NULL WHERE gateway_id = $1 AND told_state = 'held' RETURNING gateway_id
     ), due AS (
       SELECT g.id AS gateway_id, 'feed.recovered'::text AS type, ${stateData('NULL')} AS data
       FROM changed JOIN gateway g ON g.id = changed.gateway_id
     ), ${EVENTS_OF_DUE}
     SELECT FROM told_ingestors`,
    [gatewayId],
  );
}

/** SQL: the data of an event about a feed's state, for the statement's gateway `g`. */
export function stateData(code: string): string {
  return `json_build_object('crm', g.crm, 'client', g.client, 'reason', ${code}, 'confirmed_at', g.confirmed_at)`;
}
