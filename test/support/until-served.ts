import type { GatewayAccess } from './gateway-client';
import type { TestDatabase } from './test-database';
import { until } from './waiting';

/**
 * Waits until the API processes serve the gateway's current list. They learn of a new list by a notification from
 * PostgreSQL.
 */
export async function untilServed(
  { query }: Pick<TestDatabase, 'query'>,
  { crm, client, key }: GatewayAccess,
  urls: readonly string[],
): Promise<void> {
  const [current] = await query<{ token: string; confirmedAtMs: number }>(
    `SELECT s.token, floor(extract(epoch FROM g.confirmed_at) * 1000)::float8 AS "confirmedAtMs"
     FROM gateway g JOIN snapshot s ON s.id = g.current_snapshot_id WHERE g.crm = $1 AND g.client = $2`,
    [crm, client],
  );
  if (current === undefined) throw new Error('nothing was published');
  for (const url of urls) {
    await until(async () => {
      const { headers } = await fetch(`${url}/v1/manifest?crm=${crm}&client=${client}`, {
        method: 'HEAD',
        headers: { key },
      });
      const confirmedAtMs = Math.floor(Date.parse(headers.get('x-confirmed-at') ?? ''));
      return headers.get('x-snapshot') === current.token && confirmedAtMs === current.confirmedAtMs;
    });
  }
}
