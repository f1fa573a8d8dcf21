import pg from 'pg';
import { sized } from './size';

/** The size of the invented installation. */
export interface ConsoleRows {
  gateways: number;
  /** Runs per gateway in 90 days. */
  runs: number;
  /** The number of listings that each gateway's figures state. */
  listings: number;
}

const DAYS = 90;
const CRMS = 40;
/**
 * Listings per gateway that are really stored, for the search of the console. The listing counts come from the figures
 * of snapshots.
 */
const STORED_LISTINGS = 10;
const CHANGES_BY_OPERATORS = sized(300_000, 100);
const RUNS_AT_ONCE = 200_000;

/**
 * Writes the rows of an installation that has run for years directly into the tables, because the programs would need
 * weeks. Keeps the rows of a database that already has gateways.
 */
export async function addConsoleRows(databaseUrl: string, size: ConsoleRows): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM gateway LIMIT 1');
  if (rowCount === 0) await addRows(client, size);
  await client.end();
}

async function addRows(client: pg.Client, size: ConsoleRows): Promise<void> {
  // With its default limit the server would start checkpoints all the time, and write each changed block to its log
  // again after each checkpoint.
  await client.query(`ALTER SYSTEM SET max_wal_size = '32GB'`);
  await client.query('SELECT pg_reload_conf()');
  // Disables foreign keys and triggers, because each row is made from existing rows.
  await client.query(
    `SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`,
  );
  await addGateways(client, size);
  await addRuns(client, size);
  await addSnapshots(client, size);
  await client.query(NOTES);
  await client.query(CHANGES, [CHANGES_BY_OPERATORS]);
  await client.query(LISTINGS, [STORED_LISTINGS]);
  await addHeldRun(client);
  await client.query('ALTER SYSTEM RESET max_wal_size');
  await client.query('SELECT pg_reload_conf()');
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
}

async function addGateways(client: pg.Client, { gateways }: ConsoleRows): Promise<void> {
  await client.query(
    `INSERT INTO connector (id, label, type, notes) SELECT 'crm-' || n, 'CRM ' || n, 'xml', '' FROM generate_series(1, $1) n`,
    [CRMS],
  );
  await client.query(
    `INSERT INTO gateway (crm, client, source_url, sealed_source, enabled, confirmed_at)
     SELECT 'crm-' || 1 + n % $2, 'agence-' || n, 'https://feeds-' || 1 + n % $2 || '.example.org/' || n || '.xml', '\\x00',
            n % 97 <> 0, now() - (n % 300) * interval '1 minute'
     FROM generate_series(1, $1) n`,
    [gateways, CRMS],
  );
  await client.query(
    `INSERT INTO gateway_schedule (gateway_id, next_run_at, failures, failing_since)
     SELECT id, now() + (id % 240) * interval '1 minute', CASE WHEN id % 50 = 0 THEN 3 ELSE 0 END,
            CASE WHEN id % 50 = 0 THEN now() - (id % 700) * interval '1 hour' END
     FROM gateway`,
  );
  await client.query(
    `INSERT INTO pause (gateway_id, reason, paused_by) SELECT id, 'they move', 'operator' FROM gateway WHERE id % 150 = 1`,
  );
  await client.query('ANALYZE');
}

/**
 * Adds one run per gateway, then the next run per gateway, as the schedule does. So the rows of one gateway are as far
 * apart as in a real installation.
 */
async function addRuns(client: pg.Client, { gateways, runs }: ConsoleRows): Promise<void> {
  const step = Math.max(1, Math.floor(RUNS_AT_ONCE / gateways));
  await withoutIndexes(client, 'run', async () => {
    for (let from = 1; from <= runs; from += step) {
      await client.query(RUNS, [from, Math.min(runs, from + step - 1), runs, gateways, DAYS]);
    }
  });
  await client.query(
    `INSERT INTO run (gateway_id, trigger, state, requested_at, started_at)
     SELECT id, 'schedule', CASE WHEN id % 5 = 0 THEN 'running' ELSE 'queued' END, now(), CASE WHEN id % 5 = 0 THEN now() END
     FROM gateway WHERE id % 800 = 5`,
  );
  await client.query('ANALYZE run');
}

/** Fills the table before its indexes are created, because that is several times faster. */
async function withoutIndexes(client: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  await client.query('UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = $1::regclass', [
    table,
  ]);
  await fill();
  await client.query(`REINDEX TABLE ${table}`);
}

const RUNS = `
  INSERT INTO run (gateway_id, trigger, state, requested_at, started_at, ended_at, attempts, fence, fetched_bytes, records, added,
    changed, unchanged, removed, rejected, warnings, reason_code, reason)
  SELECT g, 'schedule', state, at, at, at + interval '4 seconds', 1, r, 100000, 500, CASE state WHEN 'published' THEN 3 ELSE 0 END,
    CASE state WHEN 'published' THEN 5 ELSE 0 END, 490, CASE state WHEN 'published' THEN 2 ELSE 0 END, 5, 3,
    CASE state WHEN 'failed' THEN (ARRAY['retry', 'fix-access', 'fix-feed'])[1 + g % 3] WHEN 'held' THEN 'vanished' END,
    CASE state WHEN 'failed' THEN 'feeds-' || 1 + g % 40 || '.example.org did not answer within 30 s'
               WHEN 'held' THEN '250 of 500 listings would go' END
  FROM generate_series(($1::int - 1) * $4::int, $2::int * $4::int - 1) AS n,
    LATERAL (SELECT 1 + n / $4::int AS r, 1 + n % $4::int AS g OFFSET 0) AS numbered,
    LATERAL (SELECT now() - ($3 - r + 1 - g::float8 / $4) * make_interval(days => $5) / $3 AS at,
                    (r::bigint * 7919 + g::bigint * 104729) % 100003 AS dice OFFSET 0) AS thrown,
    LATERAL (SELECT CASE WHEN r = $3 AND g % 50 = 0 THEN 'failed' WHEN r = $3 AND g % 300 = 7 THEN 'held'
                         WHEN dice < 5 THEN 'cancelled' WHEN dice < 10 THEN 'discarded' WHEN dice < 2000 THEN 'failed'
                         WHEN dice < 7000 THEN 'published' ELSE 'unchanged' END AS state OFFSET 0) AS chosen`;

async function addSnapshots(client: pg.Client, { listings }: ConsoleRows): Promise<void> {
  await client.query(
    `INSERT INTO snapshot (gateway_id, run_id, total, built_at, published_at, pruned_at)
     SELECT gateway_id, id, $1::int - 50 + id % 100, ended_at, ended_at, ended_at + interval '1 day' FROM run
     WHERE state = 'published' ORDER BY id`,
    [listings],
  );
  await client.query(
    `UPDATE gateway g SET current_snapshot_id = n.id
     FROM (SELECT gateway_id, max(id) AS id FROM snapshot GROUP BY gateway_id) n WHERE n.gateway_id = g.id`,
  );
}

/** Rejections and warnings of the newest runs: 5 rejected records and 3 unknown words each. */
const NOTES = `
  WITH newest AS (SELECT DISTINCT ON (gateway_id) id FROM run WHERE state IN ('unchanged', 'published', 'held')
                  AND id > (SELECT max(id) FROM run) - 100000 ORDER BY gateway_id, id DESC),
  refused AS (
    INSERT INTO rejection (run_id, position, record_id, field, code, message, excerpt)
    SELECT id, n, 'R' || n, (ARRAY['type', 'price', 'id'])[1 + n % 3], (ARRAY['missing-id', 'unknown-type'])[1 + n % 2],
           'it cannot be read', '<property/>'
    FROM newest, generate_series(1, 5) n)
  INSERT INTO run_warning (run_id, code, field, value, count, examples)
  SELECT id, 'unknown-word', 'type', 'word ' || (id + n) % 40, n, '{A,B}' FROM newest, generate_series(1, 3) n`;

const CHANGES = `
  INSERT INTO audit (at, who, through, act, crm, client, reason)
  SELECT now() - ($1 - n) * interval '730 days' / $1, 'operator-' || n % 30, 'console',
         (ARRAY['ingest', 'pause', 'resume', 'gateway disable', 'run publish'])[1 + n % 5], 'crm-' || 1 + n % 40, 'agence-' || n % 20000, 'why'
  FROM generate_series(1, $1::int) n`;

const LISTINGS = `
  WITH new AS (
    INSERT INTO listing_version (gateway_id, snapshot_id, aff_id, aff_num, scope, record_hash, content_hash, fill)
    SELECT g.id, coalesce(g.current_snapshot_id, 0), 'L' || g.id || '-' || n, 'REF' || g.id || '-' || n, '', '', '', 0
    FROM gateway g, generate_series(1, $1::int) n RETURNING id, gateway_id, aff_id)
  INSERT INTO current_listing (gateway_id, aff_id, version_id) SELECT gateway_id, aff_id, id FROM new`;

/** Adds the details of the first held run. It would remove 250 listings; a page shows only the first ones. */
async function addHeldRun(client: pg.Client): Promise<void> {
  await client.query(
    `WITH held AS (SELECT id, gateway_id FROM run WHERE state = 'held' ORDER BY id LIMIT 1),
     head AS (INSERT INTO snapshot (gateway_id, run_id, total) SELECT gateway_id, id, 250 FROM held RETURNING id, gateway_id, run_id),
     told AS (UPDATE run r SET snapshot_id = head.id, removed = 250 FROM head WHERE r.id = head.run_id),
     gone AS (
       INSERT INTO listing_version (gateway_id, snapshot_id, aff_id, scope, record_hash, content_hash, fill)
       SELECT gateway_id, id, 'H' || n, '', '', '', 0 FROM head, generate_series(1, 250) n RETURNING id, gateway_id, aff_id),
     texts AS (
       INSERT INTO listing_normalized (version_id, gateway_id, body)
       SELECT gone.id, gone.gateway_id, json_build_object('affId', aff_id, 'intitule', 'Maison de ville', 'prix', 250000, 'ville', 'Lyon', 'codePostal', '69003',
                'texte', repeat('Une maison avec jardin. ', 80)) FROM gone)
     INSERT INTO listing_change (snapshot_id, gateway_id, run_id, kind, aff_id, previous_version_id)
     SELECT head.id, head.gateway_id, run_id, 'removed', aff_id, gone.id FROM head, gone`,
  );
}
