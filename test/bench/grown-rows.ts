import pg from 'pg';
import { FIRST_ID } from './varied-feed';

/** The size of the invented installation. */
export interface GrownSize {
  gateways: number;
  /**
   * The number of last days that are simulated one by one. The rows that remain of the earlier days are written in one
   * step.
   */
  livedDays: number;
}

export const LISTINGS = 150;
const DAYS = 90;
/** Changes per gateway and day: 2 % of its listings, in one publication. */
const CHANGES_A_DAY = 3;
/** Vacuum runs every third day, when a twentieth of a partition's rows is dead; last on the day before yesterday. */
const VACUUM_EVERY_DAYS = 3;
/** One gateway in this many has photos that came as files. */
const ARCHIVES_ONE_IN = 20;
const PHOTOS = 8;
const UNFOLDED_RUNS = 50;
const AT_ONCE = 2;

/** Settings of a server while the bench writes its rows. The data does not have to survive a crash. */
export const WHILE_MADE = [
  ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off', 'jit=off'],
  ...['shared_buffers=2GB', 'max_wal_size=4GB', 'checkpoint_timeout=1h', 'wal_buffers=64MB', 'work_mem=64MB'],
];

/**
 * Adds the rows that 90 days of work leave, as copies of the existing gateway. Each partition simulates each day in the
 * order of the programs: insert new versions, their changes and the order of the list, update `current_listing`, remove
 * unreachable rows, and vacuum dead rows. So the rows of a gateway are as far apart, and tables and indexes have as
 * many holes, as in a real installation.
 * The texts of earlier days are at realistic positions, but without the holes in tables and indexes.
 * Differences from real data: hashes are hashes of numbers; a gateway publishes once per day; no listing is added or
 * removed; runs are written once, in their final form.
 */
export async function addGrownRows(databaseUrl: string, { gateways, livedDays }: GrownSize): Promise<void> {
  const client = await connect(databaseUrl);
  await addGateways(client, gateways);
  const parts = await partsOf(client);
  const live = (worker: pg.Client, part: number): Promise<void> => liveThrough(worker, { part, parts, livedDays });
  await Promise.all([addRuns(client), eachPart(databaseUrl, parts, live)]);
  // The partitions are already analysed one by one, but PostgreSQL never analyses their parent tables automatically.
  await client.query('ANALYZE gateway, api_key, gateway_schedule, gateway_lease, run, rejection, run_warning, run_log');
  await client.query('CHECKPOINT');
  await client.end();
}

/** Simulates one more day in all partitions. */
export async function passDay(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  const parts = await partsOf(client);
  await client.end();
  await eachPart(databaseUrl, parts, async (worker, part) => {
    if (!(await recall(worker, part, parts))) return;
    await live(worker, part, DAYS + 1);
  });
}

async function eachPart(
  databaseUrl: string,
  parts: number,
  work: (client: pg.Client, part: number, parts: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    const client = await connect(databaseUrl);
    await client.query(TEMPORARY);
    await client.query(TEMPLATES);
    await client.query('ANALYZE template');
    for (let part = next++; part < parts; part = next++) await work(client, part, parts);
    await client.end();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // After an error in another client the server stops. Ignore the resulting error here, because the first error is the
  // one to report.
  client.on('error', () => undefined);
  await client.connect();
  // Disables foreign keys and triggers, because each row is made from existing rows.
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  return client;
}

async function partsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ parts: number }>('SELECT parts FROM installation');
  return rows[0]?.parts ?? 1;
}

/** The new gateways get the key of the copied gateway, which is the first one. */
async function addGateways(client: pg.Client, gateways: number): Promise<void> {
  await client.query(
    `INSERT INTO gateway (crm, client, source_url, every_seconds, settings, confirmed_at, feed_memory)
     SELECT crm, 'grown-' || n, source_url, every_seconds, settings, now(), feed_memory
     FROM gateway, generate_series(1, $1::int) n WHERE client = 'large' ORDER BY n`,
    [gateways],
  );
  const added = `gateway g WHERE client LIKE 'grown-%' ORDER BY id`;
  await client.query(
    `INSERT INTO api_key (gateway_id, hash, prefix, keyed_hash, key_id)
     SELECT g.id, k.hash, k.prefix, k.keyed_hash, k.key_id
     FROM gateway g, api_key k JOIN gateway o ON o.id = k.gateway_id AND o.client = 'large' WHERE g.client LIKE 'grown-%'`,
  );
  await client.query(
    `INSERT INTO gateway_schedule (gateway_id, next_run_at, unfolded_runs, clean_at)
     SELECT id, now() + interval '1 day', ${UNFOLDED_RUNS}, now() + (0.5 + 0.5 * random()) * interval '1 day' FROM ${added}`,
  );
  await client.query(
    `INSERT INTO gateway_lease (gateway_id, fence, holder, expires_at) SELECT id, ${DAYS}, 'an ingestor', now() FROM ${added}`,
  );
  await client.query('ANALYZE gateway');
}

/**
 * SQL expression for the id of the run that published on a day; the run that stores the day's unchanged runs has the
 * next id. `h.ordinal` counts from 0.
 */
const runOf = (day: string): string =>
  `(SELECT 1000000 + 2 * ((${day} - 1) * (SELECT count(*) FROM gateway) + h.ordinal))`;
/** SQL expression for the time of a day at which the gateway runs. */
const momentOf = (day: string): string =>
  `least(now(), now() - make_interval(days => ${DAYS} - ${day}) - interval '1 hour' - (h.ordinal * 7919 % 82800) * interval '1 second')`;
const ORDINALS = `(SELECT id AS gateway_id, row_number() OVER (ORDER BY id) - 1 AS ordinal FROM gateway WHERE client LIKE 'grown-%')`;

/**
 * Adds runs day by day: one publishing run, and one folded row for the day's unchanged runs. The newest runs are not
 * folded.
 */
async function addRuns(client: pg.Client): Promise<void> {
  const unchanged = `'schedule', 'unchanged', at, at, at + interval '2 seconds', 1, 1, 500000, ${LISTINGS}, ${LISTINGS}`;
  const columns =
    'gateway_id, trigger, state, requested_at, started_at, ended_at, attempts, fence, fetched_bytes, records, unchanged';
  for (let day = 1; day <= DAYS; day += 1) {
    const of = `FROM ${ORDINALS} h, LATERAL (SELECT ${momentOf(String(day))} AS at OFFSET 0) AS t`;
    await client.query(
      `INSERT INTO run (id, ${columns}, changed, rejected, warnings) OVERRIDING SYSTEM VALUE
       SELECT ${runOf(String(day))}, h.gateway_id, 'schedule', 'published', at, at, at + interval '4 seconds', 1, 1, 500000, ${LISTINGS},
              ${LISTINGS - CHANGES_A_DAY}, ${CHANGES_A_DAY}, 1, 1 ${of} ORDER BY at`,
    );
    await client.query(
      `INSERT INTO run (id, ${columns}, folded_runs, folded_since) OVERRIDING SYSTEM VALUE
       SELECT ${runOf(String(day))} + 1, h.gateway_id, ${unchanged}, 28, at - interval '1 day' ${of} ORDER BY at`,
    );
    for (const [table, values] of Object.entries(NOTES)) {
      await client.query(`INSERT INTO ${table} SELECT ${runOf(String(day))}, ${values} FROM ${ORDINALS} h`);
    }
  }
  await client.query(`SELECT setval(pg_get_serial_sequence('run', 'id'), (SELECT max(id) FROM run))`);
  for (let run = UNFOLDED_RUNS; run > 0; run -= 1) {
    await client.query(
      `INSERT INTO run (${columns}) SELECT h.gateway_id, ${unchanged}
       FROM ${ORDINALS} h, LATERAL (SELECT now() - ${run} * interval '50 minutes' AS at OFFSET 0) AS t`,
    );
  }
  await client.query(
    `UPDATE gateway_schedule t SET folded_to = r.id
     FROM (SELECT gateway_id, max(id) AS id FROM run WHERE folded_runs IS NOT NULL GROUP BY gateway_id) r WHERE r.gateway_id = t.gateway_id`,
  );
  await client.query('VACUUM run');
}

/** Details of a publishing run: a rejected record, a warning, and the log of the copied gateway's first run. */
const NOTES: Readonly<Record<string, string>> = {
  'rejection (run_id, position, record_id, field, code, message, excerpt)': `7, 'R' || h.ordinal, 'type', 'unknown-type', 'it cannot be read', '<property/>'`,
  'run_warning (run_id, code, field, value, count, examples)': `'unknown-word', 'type', 'word ' || h.ordinal % 40, 3, '{A,B}'`,
  'run_log (run_id, lines, earlier)': '(SELECT lines FROM run_log ORDER BY run_id LIMIT 1), 0',
};

/** The temporary tables of a worker. They contain the data of its current partition. */
const TEMPORARY = `
  SET temp_buffers = '128MB';
  -- Everything is looked up in the order in which it is to be stored.
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET random_page_cost = 1.1;
  CREATE TEMP TABLE head (gateway_id integer PRIMARY KEY, ordinal bigint, snapshot_id bigint, last_id bigint, pruned_id bigint, version_ids bigint[]);
  CREATE TEMP TABLE state (gateway_id integer, n integer, k integer, aff_id text, version_id bigint, PRIMARY KEY (gateway_id, n));
  CREATE TEMP TABLE step (gateway_id integer, ordinal bigint, n integer, k integer, aff_id text, old_id bigint, id bigint, price text, place float8);
  CREATE TEMP TABLE gone (gateway_id integer, id bigint)`;

const TEMPLATES = `
  CREATE TEMP TABLE template AS
  SELECT (row_number() OVER (ORDER BY v.id))::integer AS k, count(*) OVER ()::integer AS kinds, v.*, b.body AS normalized, r.body AS raw, s.form, s.fields, s.words,
         coalesce(substring(b.body FROM '"prix":([0-9]+)'), '-') AS price
  FROM listing_version v JOIN listing_normalized b ON b.gateway_id = v.gateway_id AND b.version_id = v.id
  JOIN listing_raw r ON r.gateway_id = v.gateway_id AND r.version_id = v.id
  JOIN listing_search s ON s.gateway_id = v.gateway_id AND s.version_id = v.id
  WHERE v.gateway_id = (SELECT id FROM gateway WHERE client = 'large');
  CREATE UNIQUE INDEX ON template (k)`;

async function liveThrough(
  client: pg.Client,
  { part, parts, livedDays }: Pick<GrownSize, 'livedDays'> & { part: number; parts: number },
): Promise<void> {
  await begin(client, { part, parts, today: DAYS - livedDays });
  if (!(await recall(client, part, parts))) return;
  for (let day = DAYS - livedDays + 1; day <= DAYS; day += 1) {
    await live(client, part, day);
    if (day % VACUUM_EVERY_DAYS === 1) for (const table of TABLES) await client.query(`VACUUM ${table}_p${part}`);
  }
  for (const table of TABLES) await client.query(`ANALYZE ${table}_p${part}`);
  await client.query(
    `UPDATE gateway g SET current_snapshot_id = h.snapshot_id FROM head h WHERE g.id = h.gateway_id AND g.client LIKE 'grown-%'`,
  );
}

const TABLES = [
  ...['snapshot', 'listing_version', 'snapshot_chunk', 'listing_normalized', 'listing_raw', 'listing_search'],
  ...['listing_photo', 'current_listing', 'listing_change'],
];

/**
 * Inserts the partition's gateways in the state of the given day: imported before the retention time, and changed
 * since.
 */
async function begin(
  client: pg.Client,
  { part, parts, today }: { part: number; parts: number; today: number },
): Promise<void> {
  await client.query('TRUNCATE head, state, step, gone');
  await client.query(
    `INSERT INTO head SELECT h.gateway_id, h.ordinal FROM ${ORDINALS} h
     WHERE satisfies_hash_partition('listing_version'::regclass, $1, $2, h.gateway_id) ORDER BY h.ordinal`,
    [parts, part],
  );
  if (today > 1) for (const statement of historyUntil(today)) await client.query(statement);
  await client.query("UPDATE head SET snapshot_id = nextval('snapshot_id_seq')");
  // Unchanged listings are where the import put them. Changed listings are spread over the table, where space was free.
  await client.query(
    `INSERT INTO step SELECT gateway_id, ordinal, n, ${KIND}, (${FIRST_ID} + ordinal * ${LISTINGS} + n - 1)::text, NULL,
            nextval('listing_version_id_seq'), NULL, CASE WHEN is_changed THEN random() ELSE ordinal::float8 / (SELECT max(ordinal) + 1 FROM head) END
     FROM (
       SELECT gateway_id, ordinal, n, random() > (1 - ${CHANGES_A_DAY / LISTINGS}) ^ ${today} AS is_changed
       FROM head, generate_series(1, ${LISTINGS}) n OFFSET 0) o
     ORDER BY is_changed, CASE WHEN is_changed THEN random() ELSE ordinal END, n`,
  );
  await client.query('UPDATE step SET price = (50000 + id * 37 % 900 * 1000)::text');
  await client.query(
    'UPDATE head SET version_ids = v.ids FROM (SELECT gateway_id, array_agg(id ORDER BY n) AS ids FROM step GROUP BY 1) v WHERE v.gateway_id = head.gateway_id',
  );
  await client.query('ANALYZE step; ANALYZE head');
  for (const statement of store(today)) await client.query(statement);
  await client.query(
    'INSERT INTO current_listing (gateway_id, aff_id, version_id) SELECT gateway_id, aff_id, id FROM step ORDER BY place',
  );
  for (const table of TABLES) await client.query(`VACUUM ANALYZE ${table}_p${part}`);
}

/** SQL for the rows that remain of earlier days: snapshots without their listings, and changes of removed versions. */
function historyUntil(today: number): string[] {
  return [
    `CREATE TEMP TABLE past AS
     SELECT h.*, nextval('snapshot_id_seq') AS id FROM (
       SELECT h.gateway_id, h.ordinal, day FROM head h, generate_series(1, ${today - 1}) day ORDER BY day, ${TURN}) h`,
    `INSERT INTO snapshot (id, gateway_id, run_id, total, duties, built_at, published_at, confirmed_at, pruned_at) OVERRIDING SYSTEM VALUE
     SELECT h.id, h.gateway_id, ${runOf('day')}, ${LISTINGS}, o.duties, ${momentOf('day')}, ${momentOf('day')}, ${momentOf('day')}, ${momentOf('(day + 2)')}
     FROM past h, ${COPIED_SNAPSHOT} o ORDER BY h.id`,
    `INSERT INTO listing_change (snapshot_id, gateway_id, run_id, at, kind, aff_id, version_id, previous_version_id, aff_num, empreinte, previous_empreinte)
     SELECT h.id, h.gateway_id, ${runOf('day')}, ${momentOf('day')}, 'changed', c.aff_id, -1, -1, 'VE' || c.aff_id, left(md5(h.id::text), 16), left(md5(c.aff_id), 16)
     FROM past h, LATERAL (
       SELECT (${FIRST_ID} + h.ordinal * ${LISTINGS} + floor(random() * ${LISTINGS}))::text AS aff_id FROM generate_series(1, ${CHANGES_A_DAY}) WHERE h.id > 0) c
     ORDER BY h.id`,
    'DROP TABLE past',
  ];
}

/**
 * SQL expression for the order in which gateways run: the same on all days, but different from the order of their ids.
 */
const TURN = 'h.ordinal * 7919 % 82800';
const COPIED_SNAPSHOT = `LATERAL (SELECT duties FROM snapshot WHERE gateway_id = (SELECT id FROM gateway WHERE client = 'large') LIMIT 1)`;

const KIND = `1 + ((ordinal * 7919 + n * 31) % (SELECT max(kinds) FROM template))::integer`;

/** Fills the worker's tables for a partition from the stored rows. @returns whether the partition has gateways */
async function recall(client: pg.Client, part: number, parts: number): Promise<boolean> {
  await client.query('TRUNCATE head, state, step, gone');
  const { rowCount } = await client.query(
    `INSERT INTO head SELECT h.gateway_id, h.ordinal, s.id, s.last_id, NULL, c.version_ids FROM ${ORDINALS} h
     JOIN LATERAL (
       SELECT id, lead(id) OVER (ORDER BY id DESC) AS last_id FROM snapshot_p${part} s
       WHERE s.gateway_id = h.gateway_id AND s.pruned_at IS NULL ORDER BY id DESC LIMIT 1) s ON true
     JOIN snapshot_chunk_p${part} c ON c.gateway_id = h.gateway_id AND c.snapshot_id = s.id
     WHERE satisfies_hash_partition('listing_version'::regclass, $1, $2, h.gateway_id) ORDER BY h.ordinal`,
    [parts, part],
  );
  await client.query(
    `INSERT INTO state SELECT gateway_id, n, ${KIND}, aff_id, version_id FROM (
       SELECT c.gateway_id, h.ordinal, (c.aff_id::bigint - ${FIRST_ID} - h.ordinal * ${LISTINGS} + 1)::integer AS n, c.aff_id, c.version_id
       FROM head h JOIN current_listing_p${part} c ON c.gateway_id = h.gateway_id) s`,
  );
  await client.query(
    `INSERT INTO gone SELECT h.gateway_id, c.previous_version_id FROM head h JOIN listing_change_p${part} c
     ON c.gateway_id = h.gateway_id AND c.snapshot_id = h.snapshot_id WHERE c.previous_version_id IS NOT NULL`,
  );
  await client.query('ANALYZE head; ANALYZE state');
  return rowCount !== 0;
}

/** Simulates one day of a partition in one transaction. */
async function live(client: pg.Client, part: number, day: number): Promise<void> {
  const statements = [
    'TRUNCATE step',
    // The gateways publish in the same order on all days.
    `INSERT INTO step SELECT s.gateway_id, h.ordinal, s.n, s.k, s.aff_id, s.version_id, nextval('listing_version_id_seq')
     FROM (
       SELECT DISTINCT gateway_id, ordinal, 1 + floor(random() * ${LISTINGS})::integer AS n
       FROM head, generate_series(1, ${CHANGES_A_DAY})) h
     JOIN state s USING (gateway_id, n) ORDER BY ${TURN}, s.n`,
    'UPDATE step SET price = (50000 + id * 37 % 900 * 1000)::text, place = id',
    `UPDATE head SET pruned_id = last_id, last_id = snapshot_id, snapshot_id = nextval('snapshot_id_seq'),
       version_ids = ${Array.from({ length: CHANGES_A_DAY }).reduce<string>((ids, _, at) => `array_replace(${ids}, s.old[${at + 1}], s.new[${at + 1}])`, 'version_ids')}
     FROM (SELECT gateway_id, array_agg(old_id ORDER BY n) AS old, array_agg(id ORDER BY n) AS new FROM step GROUP BY 1) s
     WHERE s.gateway_id = head.gateway_id`,
    ...store(day),
    `INSERT INTO listing_change (snapshot_id, gateway_id, run_id, at, kind, aff_id, version_id, previous_version_id, aff_num, empreinte, previous_empreinte)
     SELECT h.snapshot_id, s.gateway_id, ${runOf(String(day))}, ${momentOf(String(day))}, 'changed', s.aff_id, s.id, s.old_id, 'VE' || s.aff_id,
            left(md5(s.id::text), 16), left(md5(s.old_id::text), 16)
     FROM step s JOIN head h USING (gateway_id) ORDER BY s.id`,
    `UPDATE current_listing_p${part} c SET version_id = s.id FROM step s WHERE c.gateway_id = s.gateway_id AND c.aff_id = s.aff_id`,
    'UPDATE state t SET version_id = s.id FROM step s WHERE t.gateway_id = s.gateway_id AND t.n = s.n',
    // Removes versions that only the snapshot of two days ago had: it was replaced a day ago, and two newer snapshots
    // can be read.
    ...VERSION_TABLES.map(
      ([table, column]) =>
        `DELETE FROM ${table}_p${part} t USING gone WHERE t.gateway_id = gone.gateway_id AND t.${column} = gone.id`,
    ),
    `DELETE FROM snapshot_chunk_p${part} c USING head h WHERE c.gateway_id = h.gateway_id AND c.snapshot_id = h.pruned_id`,
    `UPDATE snapshot_p${part} s SET pruned_at = ${momentOf(String(day))} + interval '1 minute' FROM head h WHERE s.gateway_id = h.gateway_id AND s.id = h.pruned_id`,
    'TRUNCATE gone',
    'INSERT INTO gone SELECT gateway_id, old_id FROM step',
  ];
  await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
  if (day === 1) await client.query('ANALYZE step; ANALYZE gone');
}

const VERSION_TABLES = [
  ...['listing_normalized', 'listing_raw', 'listing_search', 'listing_photo'].map((table) => [table, 'version_id']),
  ['listing_version', 'id'],
] as const;

/** SQL that inserts the snapshot of a day, its order, and the versions of `step` with all their rows. */
function store(day: number): string[] {
  const other = (text: string, before: string, after = ''): string =>
    `replace(replace(t.${text}, t.aff_id, s.aff_id), '${before}' || t.price || '${after}', '${before}' || s.price || '${after}')`;
  return [
    `INSERT INTO snapshot (id, gateway_id, run_id, total, duties, built_at, published_at, confirmed_at) OVERRIDING SYSTEM VALUE
     SELECT h.snapshot_id, h.gateway_id, ${day === 0 ? '0' : runOf(String(day))}, ${LISTINGS}, o.duties, ${momentOf(String(day))}, ${momentOf(String(day))}, ${momentOf(String(day))}
     FROM head h, ${COPIED_SNAPSHOT} o
     ORDER BY ${TURN}`,
    `INSERT INTO snapshot_chunk (snapshot_id, gateway_id, chunk, version_ids) SELECT snapshot_id, gateway_id, 0, version_ids FROM head h
     ORDER BY ${TURN}`,
    `INSERT INTO listing_version (id, gateway_id, snapshot_id, aff_id, aff_num, scope, record_hash, content_hash, revision, fill, duties, empreinte, photos_empreinte)
     OVERRIDING SYSTEM VALUE
     SELECT s.id, s.gateway_id, h.snapshot_id, s.aff_id, 'VE' || s.aff_id, t.scope, md5(s.id::text), md5(s.aff_id || s.price), t.revision, t.fill, t.duties,
            left(md5(s.id::text), 16), left(md5(s.aff_id), 16)
     FROM step s JOIN head h USING (gateway_id) JOIN template t USING (k) ORDER BY s.place`,
    `INSERT INTO listing_normalized (version_id, gateway_id, body)
     SELECT s.id, s.gateway_id, ${other('normalized', '"prix":')} FROM step s JOIN template t USING (k) ORDER BY s.place`,
    `INSERT INTO listing_raw (version_id, gateway_id, body)
     SELECT s.id, s.gateway_id, ${other('raw', '"price":"', '"')} FROM step s JOIN template t USING (k) ORDER BY s.place`,
    `INSERT INTO listing_search (version_id, gateway_id, form, fields, words)
     SELECT s.id, s.gateway_id, t.form, replace(replace(t.fields, t.aff_id, s.aff_id), ',' || t.price || ',', ',' || s.price || ','), t.words FROM step s JOIN template t USING (k) ORDER BY s.place`,
    `INSERT INTO listing_photo (version_id, gateway_id, position, name, folder, size_bytes, crc32, token, extension, width, height, empreinte, elsewhere)
     SELECT s.id, s.gateway_id, position, s.aff_id || '-' || position || '.jpg', '', 150000, s.id * 31 + position, md5(s.aff_id || position), 'jpg', 1600, 1200, left(md5(s.aff_id || position), 16), false
     FROM step s, generate_series(0, ${PHOTOS - 1}) position WHERE s.ordinal % ${ARCHIVES_ONE_IN} = 0 ORDER BY s.place, position`,
  ];
}
