import pg from 'pg';

/**
 * Adds the given number of gateways in one statement. They are due in a day. @param sourceOf SQL expression for the
 * source URL of gateway `n`
 */
export async function addGateways(
  client: pg.Client,
  { count, crms = ['kyero'], sourceOf }: { count: number; crms?: readonly string[]; sourceOf: string },
): Promise<void> {
  await client.query(
    `WITH new AS (
       INSERT INTO gateway (crm, client, source_url, every_seconds, settings)
       -- The budget of a source is not what is measured.
       SELECT ($2::text[])[1 + n % cardinality($2::text[])], 'bulk-' || n, ${sourceOf}, 86400, '{"requests-per-second": "10000"}'
       FROM generate_series(1, $1::int) n
       RETURNING id
     )
     INSERT INTO gateway_schedule (gateway_id, next_run_at) SELECT id, now() + interval '1 day' FROM new`,
    [count, crms],
  );
  await client.query('ANALYZE gateway, gateway_schedule');
}

/** Makes the given number of gateways due at the same time. @returns the id of the newest existing run */
export async function letBeDue(client: pg.Client, count: number): Promise<number> {
  const { rows } = await client.query<{ newest: number }>('SELECT coalesce(max(id), 0)::int AS newest FROM run');
  await client.query(
    `UPDATE gateway_schedule SET next_run_at = now() - interval '1 second'
     WHERE gateway_id IN (SELECT gateway_id FROM gateway_schedule ORDER BY gateway_id LIMIT $1)`,
    [count],
  );
  return rows[0]?.newest ?? 0;
}
