import { RUN_REQUESTED_CHANNEL } from '@passerelle/domain';
import type { Pool } from 'pg';

/** Each next start is moved by up to this share of the period, so that gateways do not start together. */
const JITTER = 0.1;

export interface ScheduleOptions {
  /** Period of gateways that have none of their own. */
  everySeconds: number;
  /** At most so many gateways are made due in one call. */
  batch: number;
}

/** When each gateway runs next. The times live in PostgreSQL: a queue that loses everything loses no schedule. */
export class Schedule {
  constructor(private readonly pool: Pool) {}

  /**
   * Asks for a run of every gateway whose time has come, and sets its next one. What was missed while nobody looked is
   * run once and counted. Gateways that are disabled or past their contract wait.
   *
   * @returns how many runs were asked for.
   */
  async requestDueRuns(options: ScheduleOptions): Promise<number> {
    const { rows } = await this.pool.query<{ gateway_id: number }>(
      `WITH due AS (
         SELECT t.gateway_id, coalesce(g.every_seconds, $1)::float8 AS every, t.next_run_at
         FROM gateway_schedule t JOIN gateway g ON g.id = t.gateway_id
         WHERE t.next_run_at <= now() AND g.enabled
           AND (g.contract_end IS NULL OR (now() AT TIME ZONE 'Europe/Paris')::date <= g.contract_end)
         ORDER BY t.next_run_at LIMIT $3
         FOR UPDATE OF t SKIP LOCKED
       ), moved AS (
         UPDATE gateway_schedule t
         SET next_run_at = now() + make_interval(secs => due.every * (1 + $2::float8 * (random() * 2 - 1))),
             missed_runs = t.missed_runs
               + floor(extract(epoch FROM now() - due.next_run_at) / due.every)::int
         FROM due WHERE t.gateway_id = due.gateway_id
         RETURNING t.gateway_id
       ), asked AS (
         INSERT INTO run (gateway_id, trigger) SELECT gateway_id, 'schedule' FROM moved
         ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO NOTHING
         RETURNING gateway_id
       )
       SELECT gateway_id, pg_notify('${RUN_REQUESTED_CHANNEL}', gateway_id::text) FROM asked`,
      [options.everySeconds, JITTER, options.batch],
    );
    return rows.length;
  }

  /** After a run that reached its source: the gateway is well, and its next turn is a period away. */
  async noteSuccess(gatewayId: number, defaultEverySeconds: number): Promise<void> {
    await this.pool.query(
      `UPDATE gateway_schedule t SET failures = 0, failing_since = NULL,
         next_run_at = now() + make_interval(
           secs => coalesce(g.every_seconds, $2)::float8 * (1 + $3::float8 * (random() * 2 - 1)))
       FROM gateway g WHERE g.id = t.gateway_id AND t.gateway_id = $1`,
      [gatewayId, defaultEverySeconds, JITTER],
    );
  }

  /**
   * After a failed run: it is counted, and the next one is moved.
   *
   * @param pauseMs how long the gateway waits, from the failures in a row and its own period.
   */
  async noteFailure(
    gatewayId: number,
    pauseMs: (failures: number, everySeconds: number | null) => number,
  ): Promise<void> {
    const { rows } = await this.pool.query<{ failures: number; everySeconds: number | null }>(
      `UPDATE gateway_schedule t SET failures = failures + 1, failing_since = coalesce(failing_since, now())
       FROM gateway g WHERE t.gateway_id = $1 AND g.id = t.gateway_id
       RETURNING t.failures, g.every_seconds AS "everySeconds"`,
      [gatewayId],
    );
    const row = rows[0];
    if (row === undefined) return;
    await this.pool.query(
      `UPDATE gateway_schedule SET next_run_at = now() + make_interval(secs => $2::float8 / 1000) WHERE gateway_id = $1`,
      [gatewayId, pauseMs(row.failures, row.everySeconds)],
    );
  }
}
