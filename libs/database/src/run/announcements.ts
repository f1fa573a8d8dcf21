import type { RunTrigger } from '@passerelle/domain';
import { Pool } from 'pg';

/** A run to add to the queue. */
export interface Announced {
  runId: number;
  gatewayId: number;
  trigger: RunTrigger;
  /** Position among the waiting runs: smaller is earlier; runs of several connectors may share a number. */
  turn: number;
  /** Whether the run was queued before, and the worker that took it did not claim it. */
  isAgain: boolean;
}

export interface QueueFacts {
  /** How long no process has added runs to the queue; null while a process adds runs, and if none ever did. */
  silentSeconds: number | null;
  /** Runs that should be on the queue by now, but are not. */
  unannounced: number;
  isPaused: boolean;
}

/** Runs that map listings again wait until no other run does. The queue has no later priority. */
const LAST_TURN = 2 ** 20;

/** A term that ends more than this many terms ahead comes from a clock that was set back. */
const FURTHEST_TERMS = 2;

/** Decides which process adds waiting runs to the queue, and records which runs are already there. */
export class Announcements {
  constructor(private readonly pool: Pool) {}

  /** @param queueState for processes that cannot reach the queue @returns whether `holder` is now the announcer */
  async hold(holder: string, seconds: number, queueState = 'ok'): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'hold-announcer',
      text: `
        INSERT INTO announcer AS a (holder, expires_at, queue_state)
        VALUES ($1, clock_timestamp() + make_interval(secs => $2), $3)
        ON CONFLICT (id) DO UPDATE
        SET holder = excluded.holder, expires_at = excluded.expires_at, queue_state = excluded.queue_state
        WHERE a.holder = excluded.holder OR a.expires_at < clock_timestamp()
           OR a.expires_at > clock_timestamp() + ${FURTHEST_TERMS} * make_interval(secs => $2)`,
      values: [holder, seconds, queueState],
    });
    return rowCount === 1;
  }

  /** @param patienceSeconds younger requests do not count, because they may still be on their way to the queue */
  async facts(patienceSeconds: number): Promise<QueueFacts> {
    const { rows } = await this.pool.query<QueueFacts>(
      // A term far ahead comes from a clock that was set back. A running announcer would have renewed that term.
      `SELECT (SELECT CASE WHEN isfinite(expires_at)
                             AND (expires_at < clock_timestamp() OR expires_at > clock_timestamp() + interval '1 minute')
                           THEN abs(extract(epoch FROM clock_timestamp() - expires_at))::float8 END FROM announcer) AS "silentSeconds",
              coalesce((SELECT queue_state = 'paused' FROM announcer), false) AS "isPaused",
              (SELECT count(*) FROM run WHERE state = 'queued' AND announced_until = '-infinity'
                 AND requested_at < now() - make_interval(secs => $1))::int AS unannounced`,
      [patienceSeconds],
    );
    return rows[0]!;
  }

  /** Ends this holder's term, so that another process can become the announcer immediately. */
  async letGo(holder: string): Promise<void> {
    await this.pool.query(`UPDATE announcer SET expires_at = '-infinity' WHERE holder = $1`, [holder]);
  }

  /**
   * Claims requested runs, and runs whose worker lost its lease, for `seconds`. Runs that were never queued come first,
   * and among them runs that a person requested. Turns let the connectors alternate; a run never overtakes an earlier
   * run of its connector. A first read has turn 1, and a run that maps listings again has the last turn.
   */
  async claim({ limit, seconds }: { limit: number; seconds: number }): Promise<Announced[]> {
    const { rows } = await this.pool.query<Announced>({
      name: 'take-announcements',
      // `now()`, because an index needs a constant. Usually no run is new, and waiting runs need not be read.
      text: `
        WITH taken AS MATERIALIZED (
          SELECT r.id, r.gateway_id, r.trigger, r.turn, g.crm, r.announced_until > '-infinity' AS is_again
          FROM run r JOIN gateway g ON g.id = r.gateway_id LEFT JOIN gateway_lease l ON l.gateway_id = r.gateway_id
          WHERE r.state IN ('queued', 'running') AND r.announced_until < now()
            AND (l.expires_at IS NULL OR l.expires_at < clock_timestamp())
          ORDER BY r.trigger = 'remap', r.announced_until, r.trigger = 'schedule', r.id
          LIMIT $1 FOR UPDATE OF r SKIP LOCKED
        ), ahead AS MATERIALIZED (
          SELECT g.crm, max(r.turn) AS last, max(r.turn) FILTER (WHERE r.state = 'running') AS under_way
          FROM run r JOIN gateway g ON g.id = r.gateway_id
          WHERE r.state IN ('queued', 'running') AND r.trigger <> 'remap' AND (SELECT bool_or(turn IS NULL) FROM taken)
          GROUP BY g.crm
        ), placed AS (
          SELECT t.id, t.is_again,
            CASE t.trigger WHEN 'first-read' THEN 1 WHEN 'remap' THEN ${LAST_TURN} ELSE coalesce(t.turn,
              greatest(a.last, (SELECT max(under_way) FROM ahead), 0)
                + row_number() OVER (
                  PARTITION BY t.crm, t.turn IS NULL AND t.trigger NOT IN ('first-read', 'remap') ORDER BY t.trigger = 'schedule', t.id)) END AS turn
          FROM taken t LEFT JOIN ahead a ON a.crm = t.crm
        )
        UPDATE run r SET announced_until = now() + make_interval(secs => $2), turn = p.turn
        FROM placed p WHERE r.id = p.id
        RETURNING r.id AS "runId", r.gateway_id AS "gatewayId", r.trigger, r.turn, p.is_again AS "isAgain"`,
      values: [limit, seconds],
    });
    return rows.sort((a, b) => a.turn - b.turn || a.runId - b.runId);
  }

  /** Releases runs that the queue did not accept: the next caller gets them. */
  async release(runIds: readonly number[]): Promise<void> {
    await this.pool.query(
      `UPDATE run SET announced_until = '-infinity' WHERE id = ANY ($1) AND state IN ('queued', 'running')`,
      [runIds],
    );
  }

  /** From 1. Null when the run does not wait, or its gateway has another run in progress. */
  async positionOf(runId: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ place: number | null }>(
      `WITH waiting AS (
         SELECT r.id, row_number() OVER (ORDER BY r.turn NULLS LAST, r.id)::int AS place
         FROM run r LEFT JOIN gateway_lease l ON l.gateway_id = r.gateway_id
         WHERE r.state IN ('queued', 'running') AND (l.expires_at IS NULL OR l.expires_at < clock_timestamp())
       )
       SELECT place FROM waiting WHERE id = $1`,
      [runId],
    );
    return rows[0]?.place ?? null;
  }
}
