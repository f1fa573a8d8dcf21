import { generateWebhookSecret, SecretBox, WEBHOOK_EVENTS } from '@passerelle/domain';
import pg from 'pg';
import { columnTypes } from '../../libs/database/src/connection-settings';
import { makeCurrent } from '../../libs/database/src/snapshot/publish';
import { enqueueRecoveredEvent, enqueueStateEvent } from '../../libs/database/src/outbox/feed-events';

/** A gateway with one webhook endpoint and no other data. */
export interface NotifiedGateway {
  id: number;
  client: string;
  endpointId: number;
}

export const NOTIFIED_SECRETS_KEY = 'the-key-of-the-webhooks-of-many-gateways';

/** Adds gateways that are due in a day. Each has one webhook endpoint; all endpoints use the same signing secret. */
export async function addNotifiedGateways(
  client: pg.Client,
  { count, urlOf }: { count: number; urlOf: (n: number) => string },
): Promise<{ gateways: NotifiedGateway[]; secret: string }> {
  const secret = generateWebhookSecret();
  const urls = Array.from({ length: count }, (_, n) => urlOf(n));
  await client.query(
    `WITH added AS (
       INSERT INTO gateway (crm, client, source_url, every_seconds)
       SELECT 'kyero', 'told-' || n, 'https://crm.example/' || n, 86400 FROM generate_series(0, $1::integer - 1) n
       RETURNING id, client
     ), scheduled AS (
       INSERT INTO gateway_schedule (gateway_id, next_run_at) SELECT id, now() + interval '1 day' FROM added
     )
     INSERT INTO webhook_endpoint (gateway_id, slot, url, events, secret)
     SELECT id, 1, ($2::text[])[substr(client, 6)::integer + 1], $3::text[], $4 FROM added`,
    [count, urls, WEBHOOK_EVENTS, new SecretBox(NOTIFIED_SECRETS_KEY).seal(secret)],
  );
  await client.query('ANALYZE gateway, gateway_schedule, webhook_endpoint');
  const { rows } = await client.query<NotifiedGateway>(
    `SELECT g.id, g.client, e.id::integer AS "endpointId" FROM gateway g JOIN webhook_endpoint e ON e.gateway_id = g.id
     WHERE g.client LIKE 'told-%' ORDER BY substr(g.client, 6)::integer`,
  );
  return { gateways: rows, secret };
}

/** Connections to PostgreSQL with the product's type settings. */
export function connectionsTo(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, types: columnTypes() });
  // Ignore the error here, because the next query reports the killed connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Publishes an empty list in one transaction, with a run's statements. @returns the list's token */
export function publishEmpty(pool: pg.Pool, gatewayId: number): Promise<string> {
  return inOne(pool, async (client) => {
    const { rows } = await client.query<{ id: number; token: string; base: number | null }>(
      `INSERT INTO snapshot (gateway_id, run_id) SELECT id, 0 FROM gateway WHERE id = $1
       RETURNING id, token, (SELECT current_snapshot_id FROM gateway WHERE id = $1 FOR UPDATE) AS base`,
      [gatewayId],
    );
    const { id: snapshotId, token, base: baseSnapshotId } = rows[0]!;
    await makeCurrent(client, { gatewayId, snapshotId, baseSnapshotId, feedMemory: {}, approved: false });
    return token;
  });
}

/** Queues a message that the gateway's newest list is held, or is no longer held. No such message replaces another. */
export function notifyHeld(pool: pg.Pool, gatewayId: number, isHeld: boolean): Promise<void> {
  return inOne(pool, (client) =>
    isHeld ? enqueueStateEvent(client, gatewayId, 'held', 'empty') : enqueueRecoveredEvent(client, gatewayId),
  );
}

async function inOne<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}
