import pg from 'pg';
import type { BenchGateway } from './gateways';

/** Copies the gateway with its key, schedule and snapshot until the database has the given number of gateways. */
export async function multiply(databaseUrl: string, { id }: BenchGateway, gateways: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `CREATE TEMPORARY TABLE copy ON COMMIT DROP AS
     WITH new AS (
       INSERT INTO gateway (crm, client, source_url, settings, confirmed_at)
       SELECT crm, 'many-' || n, source_url, settings, confirmed_at
       FROM gateway, generate_series((SELECT count(*) FROM gateway), $2::int - 1) n WHERE id = $1
       RETURNING id
     )
     SELECT id AS gateway_id FROM new`,
    [id, gateways],
  );
  const columnsOf = async (table: string, ...others: string[]): Promise<string> => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2)`,
      [table, ['id', 'gateway_id', ...others]],
    );
    return rows.map(({ name }) => `, ${name}`).join('');
  };
  for (const table of ['api_key', 'gateway_schedule']) {
    const columns = await columnsOf(table);
    await client.query(
      `INSERT INTO ${table} (gateway_id${columns})
       SELECT copy.gateway_id${columns.replaceAll(', ', ', o.')} FROM copy, ${table} o WHERE o.gateway_id = ${id}`,
    );
  }
  const snapshots = await columnsOf('snapshot', 'token');
  await client.query(
    `WITH new AS (
       INSERT INTO snapshot (gateway_id, token${snapshots})
       SELECT copy.gateway_id, 'bench-' || copy.gateway_id${snapshots.replaceAll(', ', ', o.')}
       FROM copy, snapshot o WHERE o.gateway_id = ${id}
       RETURNING id, gateway_id
     )
     UPDATE gateway g SET current_snapshot_id = new.id FROM new WHERE g.id = new.gateway_id`,
  );
  const versions = await columnsOf('listing_version', 'snapshot_id');
  await client.query(
    `INSERT INTO listing_version (gateway_id, snapshot_id${versions})
     SELECT copy.gateway_id, g.current_snapshot_id${versions.replaceAll(', ', ', o.')}
     FROM copy JOIN gateway g ON g.id = copy.gateway_id, listing_version o WHERE o.gateway_id = ${id}`,
  );
  for (const table of ['listing_normalized', 'listing_raw', 'listing_search']) {
    const columns = await columnsOf(table, 'version_id');
    await client.query(
      `INSERT INTO ${table} (version_id, gateway_id${columns})
       SELECT v.id, v.gateway_id${columns.replaceAll(', ', ', b.')} FROM copy JOIN listing_version v USING (gateway_id)
       JOIN listing_version o ON o.gateway_id = ${id} AND o.aff_id = v.aff_id
       JOIN ${table} b ON b.version_id = o.id`,
    );
  }
  await client.query(
    `INSERT INTO snapshot_chunk (snapshot_id, gateway_id, chunk, version_ids)
     SELECT v.snapshot_id, gateway_id, 0, array_agg(v.id ORDER BY v.id)
     FROM copy JOIN listing_version v USING (gateway_id) GROUP BY v.snapshot_id, gateway_id`,
  );
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  await client.end();
}
