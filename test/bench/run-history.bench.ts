import { RunCleaning } from '@passerelle/database';
import pg from 'pg';
import type { Bench } from './bench';
import { cpuTimeOfPostgres } from './cpu-time';
import { sized } from './size';

const GATEWAYS = sized(10_000, 50);
/** The number of gateways that exceed the newest 50 runs by ten within an hour, if each runs every 50 minutes. */
const DUE_BY_COUNT = 1_200;
/**
 * The number of gateways that the cleaning checks for expired runs within an hour: each gateway once every 12 to 24
 * hours.
 */
const DUE_BY_TIME = 560;
const DAYS = 90;
const AT_ONCE = RunCleaning.gatewaysAtOnce;

/** The cost of cleaning up one hour of unchanged runs of 10,000 gateways with 90 days of history. */
export const runHistory: Bench = {
  name: 'run-history',
  async run({ database, databaseUrl }) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const make = async (sql: string, values: unknown[] = []): Promise<void> => {
      await client.query(sql, values);
    };
    await make(
      `INSERT INTO gateway (crm, client, source_url) SELECT 'kyero', 'many-' || n, 'file:feed.xml' FROM generate_series(1, $1) AS n`,
      [GATEWAYS],
    );
    await make(
      `INSERT INTO gateway_schedule (gateway_id, unfolded_runs, clean_at)
       SELECT id, CASE WHEN id <= $1 THEN 60 ELSE 0 END,
         now() + CASE WHEN id > $1 AND id <= $1 + $2 THEN -interval '1 minute' ELSE interval '6 hours' END
       FROM gateway`,
      [DUE_BY_COUNT, DUE_BY_TIME],
    );
    // Adds runs day by day, so that the rows of a gateway are as far apart as in a real installation: first the folded
    // rows of past days (one is too old for each gateway that is due by time), then 50 runs, and 10 more for each
    // gateway that is due by count.
    const addRuns = (age: string, folded: number | null, from: number, to: number): Promise<void> =>
      make(
        `INSERT INTO run (gateway_id, trigger, state, requested_at, started_at, ended_at, attempts, fence, records, unchanged,
           folded_runs, folded_since)
         SELECT n, 'schedule', 'unchanged', at, at, at + interval '2 seconds', 1, 1, 50, 50, $3::integer,
           CASE WHEN $3::integer IS NULL THEN NULL ELSE at END
         FROM generate_series($4::integer, $1) AS n, LATERAL (SELECT now() - $2::interval AS at OFFSET 0) AS t`,
        [to, age, folded, from],
      );
    const DUE = DUE_BY_COUNT + DUE_BY_TIME;
    await addRuns(`${DAYS} days 1 hour`, 29, DUE_BY_COUNT + 1, DUE);
    for (let day = DAYS - 1; day > 2; day -= 1) await addRuns(`${day} days 1 hour`, 29, 1, DUE);
    await make(
      'UPDATE gateway_schedule t SET folded_to = (SELECT max(id) FROM run r WHERE r.gateway_id = t.gateway_id) WHERE gateway_id <= $1',
      [DUE],
    );
    for (let run = 60; run > 0; run -= 1) await addRuns(`${run * 50} minutes`, null, 1, run > 50 ? DUE_BY_COUNT : DUE);
    await make('VACUUM ANALYZE run');
    await make('VACUUM ANALYZE gateway_schedule');
    const startedMs = cpuTimeOfPostgres();
    const due = await database.runCleaning.due();
    let [rows, longestMs] = [0, 0];
    for (let at = 0; at < due.length; at += AT_ONCE) {
      const from = performance.now();
      const { folded, expired } = await database.runCleaning.clean(due.slice(at, at + AT_ONCE), { keepDays: DAYS });
      rows += folded + expired;
      longestMs = Math.max(longestMs, performance.now() - from);
    }
    const ms = cpuTimeOfPostgres() - startedMs;
    await client.end();
    return [
      {
        what: `CPU of PostgreSQL for an hour's cleaning of the runs of ${GATEWAYS} gateways`,
        value: ms,
        goal: { max: 100 },
        unit: 'ms',
        detail: `${due.length} gateways due, ${rows} rows removed, the longest of ${Math.ceil(due.length / AT_ONCE)} transactions ${Math.round(longestMs)} ms`,
      },
    ];
  },
};
