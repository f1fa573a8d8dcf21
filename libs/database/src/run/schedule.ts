import { parseGatewaySettings } from '@passerelle/domain';
import { Pool } from 'pg';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { inTransaction } from '../transaction';
import { EVENTS_OF_DUE, stateData, enqueueStateEvent } from '../outbox/feed-events';

/** Each start is shifted by up to this share of the period, so that gateways do not start together. */
const JITTER = 0.1;

export interface ScheduleOptions {
  /** The period of gateways without their own period. */
  everySeconds: number;
  /** The maximum number of runs that one call requests. */
  batch: number;
}

/** The facts that decide whether a waiting gateway may run now. */
export interface WaitingSource {
  crm: string;
  sourceUrl: string;
  /** Its newest runs failed. */
  isFailing: boolean;
  /** The limit in the gateway's settings; null without this setting. */
  requestsPerSecond: number | null;
}

/** PostgreSQL stores the times, so that a queue that loses its data does not lose the schedule. */
export class Schedule {
  constructor(private readonly pool: Pool) {}

  /**
   * For a paused gateway, sets only the next time. Counts missed runs, and replaces them by one run. The caller
   * announces the runs. @returns the number of requested runs
   */
  async requestDueRuns(options: ScheduleOptions): Promise<number> {
    const { rows } = await this.pool.query<{ gateway_id: number }>(
      `WITH due AS (
         SELECT t.gateway_id, coalesce(g.every_seconds, $1)::float8 AS every, t.next_run_at,
                (SELECT max(coalesce(p.until, 'infinity')) FROM gateway_pause p WHERE p.gateway_id = t.gateway_id) AS paused_until
         FROM gateway_schedule t JOIN gateway g ON g.id = t.gateway_id
         WHERE t.next_run_at <= now() AND ${IS_GATEWAY_ACTIVE}
         ORDER BY t.next_run_at LIMIT $3
         FOR UPDATE OF t SKIP LOCKED
       ), moved AS (
         UPDATE gateway_schedule t
         SET next_run_at = least(
               now() + make_interval(secs => due.every * (1 + $2::float8 * (random() * 2 - 1))), due.paused_until),
             missed_runs = t.missed_runs + CASE WHEN due.paused_until IS NULL
               THEN floor(extract(epoch FROM now() - due.next_run_at) / due.every)::int ELSE 0 END
         FROM due WHERE t.gateway_id = due.gateway_id
         RETURNING t.gateway_id, due.paused_until
       ), asked AS (
         INSERT INTO run (gateway_id, trigger) SELECT gateway_id, 'schedule' FROM moved WHERE paused_until IS NULL
         -- A run that reads the source also maps again what it reads.
         ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE SET trigger = excluded.trigger,
           announced_until = '-infinity', turn = NULL WHERE run.trigger = 'remap'
         RETURNING gateway_id
       )
       SELECT gateway_id FROM asked`,
      [options.everySeconds, JITTER, options.batch],
    );
    return rows.length;
  }

  /** @returns null when the gateway does not exist. */
  async sourceOf(gatewayId: number): Promise<WaitingSource | null> {
    const { rows } = await this.pool.query<
      Omit<WaitingSource, 'requestsPerSecond'> & { settings: Record<string, string> }
    >({
      name: 'source-of-gateway',
      text: `SELECT g.crm, g.source_url AS "sourceUrl", t.failures > 0 AS "isFailing",
         jsonb_build_object('requests-per-second', g.settings->>'requests-per-second') AS settings
       FROM gateway g JOIN gateway_schedule t ON t.gateway_id = g.id WHERE g.id = $1`,
      values: [gatewayId],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const { settings, ...source } = row;
    return { ...source, requestsPerSecond: parseGatewaySettings(settings).requestsPerSecond };
  }

  /** Schedules the next run one period from now, and notifies sites of a recovery unless the run was held. */
  async noteSuccess(
    gatewayId: number,
    defaultEverySeconds: number,
    state: 'published' | 'unchanged' | 'held' = 'published',
  ): Promise<void> {
    await this.pool.query({
      name: 'note-success',
      text: `
        WITH before AS MATERIALIZED (
          SELECT gateway_id, told_state FROM gateway_schedule WHERE gateway_id = $1 FOR UPDATE
        ), noted AS (
          UPDATE gateway_schedule t SET failures = 0, failing_since = NULL, unfolded_runs = unfolded_runs + $4,
            told_state = CASE WHEN $5 THEN t.told_state END,
            next_run_at = now() + make_interval(
              secs => coalesce(g.every_seconds, $2)::float8 * (1 + $3::float8 * (random() * 2 - 1)))
          FROM gateway g, before b WHERE g.id = t.gateway_id AND t.gateway_id = b.gateway_id
        ), due AS (
          SELECT g.id AS gateway_id, 'feed.recovered'::text AS type, ${stateData('NULL')} AS data
          FROM before b JOIN gateway g ON g.id = b.gateway_id WHERE b.told_state IS NOT NULL AND NOT $5::boolean
        ), ${EVENTS_OF_DUE}
        SELECT FROM told_ingestors`,
      values: [gatewayId, defaultEverySeconds, JITTER, state === 'unchanged' ? 1 : 0, state === 'held'],
    });
  }

  /** @param pauseMs depends on the consecutive failures and the gateway's period @param reasonCode for sites */
  async noteFailure(
    gatewayId: number,
    pauseMs: (failures: number, everySeconds: number | null) => number,
    reasonCode: string | null = null,
  ): Promise<void> {
    const row = await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ failures: number; everySeconds: number | null }>(
        `UPDATE gateway_schedule t SET failures = failures + 1, failing_since = coalesce(failing_since, now())
         FROM gateway g WHERE t.gateway_id = $1 AND g.id = t.gateway_id
         RETURNING t.failures, g.every_seconds AS "everySeconds"`,
        [gatewayId],
      );
      await enqueueStateEvent(client, gatewayId, 'failing', reasonCode);
      return rows[0];
    });
    if (row === undefined) return;
    await this.pool.query(
      `UPDATE gateway_schedule SET next_run_at = now() + make_interval(secs => $2::float8 / 1000) WHERE gateway_id = $1`,
      [gatewayId, pauseMs(row.failures, row.everySeconds)],
    );
  }
}
