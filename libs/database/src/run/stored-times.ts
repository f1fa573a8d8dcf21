import { Pool } from 'pg';
import { IS_CONFIRMED_AHEAD, IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';

export interface TimeLimits {
  /** The period of gateways without their own period. */
  everySeconds: number;
}

interface StoredTime {
  table: string;
  column: string;
  /** SQL: how far ahead the program sets the time of row `t` at most, in seconds; `$1` is the default period. */
  furthestSeconds: string;
  /** SQL: a time at which the row is due. */
  past: string;
  where?: string;
}

const MINUTE = 60;
const DAY = 86_400;
const PERIOD = 'coalesce((SELECT g.every_seconds FROM gateway g WHERE g.id = t.gateway_id), $1::int)';
/** Spreads the times, so that gateways do not request sources at the same moment. */
const SOON = `now() + random() * make_interval(secs => least(${5 * MINUTE}, ${PERIOD}))`;
const LONG_AGO = "'-infinity'";

/** Each limit has some slack, because times soon become due without a correction after a small change of the clock. */
const STORED_TIMES: readonly StoredTime[] = [
  { table: 'gateway_lease', column: 'expires_at', furthestSeconds: `${MINUTE}`, past: LONG_AGO },
  {
    ...{ table: 'run', column: 'announced_until', furthestSeconds: `${MINUTE}`, past: LONG_AGO },
    where: "state IN ('queued', 'running')",
  },
  {
    ...{ table: 'gateway_schedule', column: 'next_run_at', furthestSeconds: `1.2 * ${PERIOD} + ${MINUTE}`, past: SOON },
    where: 'failures = 0',
  },
  // A failing gateway waits for at most a day or its period.
  {
    ...{ table: 'gateway_schedule', column: 'next_run_at', past: SOON },
    ...{ furthestSeconds: `greatest(${DAY + 15 * MINUTE}, 1.2 * ${PERIOD} + ${MINUTE})`, where: 'failures > 0' },
  },
  { table: 'gateway_schedule', column: 'clean_at', furthestSeconds: `${DAY + MINUTE}`, past: LONG_AGO },
  {
    ...{ table: 'outbox', column: 'taken_until', furthestSeconds: `${3 * MINUTE}`, past: LONG_AGO },
    where: "state = 'pending'",
  },
  {
    ...{ table: 'outbox', column: 'next_try_at', furthestSeconds: `${1.5 * DAY}`, past: LONG_AGO },
    where: "state = 'pending'",
  },
  { table: 'source_credential', column: 'asked_until', furthestSeconds: `${3 * MINUTE}`, past: LONG_AGO },
  { table: 'request_place', column: 'until', furthestSeconds: `${2 * MINUTE}`, past: LONG_AGO },
  // These times record finished work: a time in the future would never be old enough to repeat the work.
  { table: 'source_answer', column: 'checked_at', furthestSeconds: `${MINUTE}`, past: LONG_AGO },
  { table: 'installation', column: 'media_pruned_at', furthestSeconds: `${MINUTE}`, past: LONG_AGO },
];

/** Corrects times that decide when work continues, after the database's clock was ahead and has been set back. */
export class StoredTimes {
  constructor(private readonly pool: Pool) {}

  /** Whether an active gateway was last confirmed in the future; each gateway's next run corrects this. */
  async isClockBehind(): Promise<boolean> {
    const { rows } = await this.pool.query<{ is: boolean }>(
      `SELECT EXISTS (
         SELECT FROM gateway g LEFT JOIN gateway_pause p ON p.gateway_id = g.id
         WHERE ${IS_CONFIRMED_AHEAD} AND ${IS_GATEWAY_ACTIVE} AND p.gateway_id IS NULL) AS is`,
    );
    return rows[0]?.is === true;
  }

  /** Otherwise a clock that was two hours ahead would stop work for two hours. @returns counts by `table.column` */
  async putBack({ everySeconds }: TimeLimits): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const { table, column, furthestSeconds, past, where = 'true' } of STORED_TIMES) {
      const usesPeriod = furthestSeconds.includes('$1');
      const { rowCount } = await this.pool.query(
        // The first condition lets PostgreSQL use the index.
        `UPDATE ${table} t SET ${column} = ${past}
         WHERE ${column} > now() AND isfinite(${column}) AND ${column} > now() + make_interval(secs => ${furthestSeconds}) AND ${where}`,
        usesPeriod ? [everySeconds] : [],
      );
      const name = `${table}.${column}`;
      if (rowCount !== null && rowCount > 0) found[name] = (found[name] ?? 0) + rowCount;
    }
    return found;
  }
}
