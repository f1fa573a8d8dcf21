import pg from 'pg';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, importNow } from './gateways';
import { answersPerSecond } from './http-load';
import { inTurns, timed } from './rounds';
import type { Surroundings } from './surroundings';

const LISTINGS = 50;
const FEW = 1_000;
const MANY = 10_000;
const ROUNDS = 6;
const ROUND_MS = 2_000;

/**
 * Pages of, and a tick of the schedule among, 10,000 gateways of 50 listings against 1,000. Each gateway is asked in turn:
 * 1,000 of them are still known when their turn comes again, 10,000 are read anew, and their listings no longer fit into the
 * memory of the embedded server.
 */
export const manyGateways: Bench = {
  name: 'many-gateways',
  async run(surroundings) {
    const gateway = await importOne(surroundings);
    const few = await measure(surroundings, gateway, FEW);
    const many = await measure(surroundings, gateway, MANY);
    return [
      {
        what: `a page among ${MANY} gateways, against one among ${FEW}`,
        value: many.pages / few.pages,
        goal: null,
        unit: '×',
        detail: `${Math.round(many.pages)} answers a second against ${Math.round(few.pages)}, each gateway in turn`,
      },
      {
        what: `a tick of the schedule among ${MANY} gateways of which none is due`,
        value: many.tickMs,
        goal: { max: 10 },
        unit: 'ms',
        detail: `${few.tickMs.toFixed(1)} ms among ${FEW}`,
      },
    ];
  },
};

async function importOne(surroundings: Surroundings): Promise<BenchGateway> {
  await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
  const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
  await importNow(surroundings, gateway);
  return gateway;
}

async function measure(
  surroundings: Surroundings,
  gateway: BenchGateway,
  gateways: number,
): Promise<{ pages: number; tickMs: number }> {
  await multiply(surroundings.databaseUrl, gateway, gateways);
  const api = await surroundings.start('apps/api/src/main.js');
  let at = 0;
  const { pages, tickMs } = await inTurns(ROUNDS, {
    pages: () =>
      answersPerSecond(
        {
          port: api.port,
          nextPath: () => `/v1/properties?crm=kyero&client=many-${(at = (at % (gateways - 1)) + 1)}`,
          headers: { key: gateway.key },
        },
        ROUND_MS,
      ),
    tickMs: () => timed(() => surroundings.database.schedule.requestDueRuns({ everySeconds: 86_400, batch: 500 })),
  });
  await api.stop();
  return { pages, tickMs };
}

/** Copies the gateway, its key, its schedule and its snapshot, until there are so many. */
async function multiply(databaseUrl: string, { id }: BenchGateway, gateways: number): Promise<void> {
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
  for (const table of ['listing_normalized', 'listing_raw']) {
    await client.query(
      `INSERT INTO ${table} (version_id, body)
       SELECT v.id, b.body FROM copy JOIN listing_version v USING (gateway_id)
       JOIN listing_version o ON o.gateway_id = ${id} AND o.aff_id = v.aff_id
       JOIN ${table} b ON b.version_id = o.id`,
    );
  }
  await client.query(
    `INSERT INTO snapshot_chunk (snapshot_id, chunk, version_ids)
     SELECT v.snapshot_id, 0, array_agg(v.id ORDER BY v.id)
     FROM copy JOIN listing_version v USING (gateway_id) GROUP BY v.snapshot_id`,
  );
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  await client.end();
}
