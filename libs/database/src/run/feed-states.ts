import type { DutyCounts, RunState } from '@passerelle/domain';
import { Pool } from 'pg';

/** The state of a gateway's feed, for readers of its listings. Times are ISO 8601 in UTC. */
export interface FeedFigures {
  /** Null while the gateway is paused without an end. */
  nextRunAt: string | null;
  failures: number;
  failingSince: string | null;
  /** The code of the last failed run; null when the gateway does not fail. */
  failingCode: string | null;
  held: { since: string; code: string | null } | null;
  lastRun: LastRun | null;
  /** The pause; if there are several, the one that ends last. */
  paused: { since: string; until: string | null; reason: string | null } | null;
  /** Counts of the served snapshot; null before the first publication. */
  duties: DutyCounts | null;
}

export interface LastRun {
  state: RunState;
  started_at: string | null;
  ended_at: string | null;
  records: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  rejected: number;
}

/** States of feeds without internal data, such as addresses, the text of reasons, and operators. */
export class FeedStates {
  constructor(private readonly pool: Pool) {}

  async load(gatewayId: number): Promise<FeedFigures> {
    const { rows } = await this.pool.query<FeedFigures>({
      name: 'feed-state',
      text: `
        SELECT to_json(nullif(greatest(t.next_run_at, (
                 SELECT max(coalesce(p.until, 'infinity')) FROM gateway_pause p WHERE p.gateway_id = $1)), 'infinity')) #>> '{}' AS "nextRunAt", t.failures, ${text('t.failing_since')} AS "failingSince",
               CASE WHEN t.failures > 0 THEN (
                 SELECT r.reason_code FROM run r WHERE r.gateway_id = $1 AND r.state = 'failed' AND NOT r.dry_run
                 ORDER BY r.id DESC LIMIT 1) END AS "failingCode",
               (SELECT json_build_object('since', coalesce(r.held_since, r.ended_at), 'code', r.reason_code) FROM run r
                WHERE r.gateway_id = $1 AND r.state = 'held' AND NOT r.dry_run ORDER BY r.id DESC LIMIT 1) AS held,
               (SELECT json_build_object('state', r.state, 'started_at', r.started_at, 'ended_at', r.ended_at,
                         'records', r.records, 'added', r.added, 'changed', r.changed, 'unchanged', r.unchanged,
                         'removed', r.removed, 'rejected', r.rejected)
                FROM run r WHERE r.gateway_id = $1 AND NOT r.dry_run AND r.started_at IS NOT NULL
                ORDER BY r.id DESC LIMIT 1) AS "lastRun",
               (SELECT json_build_object('since', p.paused_at, 'until', p.until, 'reason', p.reason) FROM gateway_pause p
                WHERE p.gateway_id = $1 ORDER BY p.until DESC NULLS FIRST, p.paused_at LIMIT 1) AS paused,
               (SELECT s.duties FROM gateway g JOIN snapshot s ON s.gateway_id = $1 AND s.id = g.current_snapshot_id
                WHERE g.id = $1) AS duties
        FROM gateway_schedule t WHERE t.gateway_id = $1`,
      values: [gatewayId],
    });
    const row = rows[0];
    if (row === undefined) throw new Error(`the gateway ${gatewayId} was removed`);
    return row;
  }
}

function text(time: string): string {
  return `to_json(${time}) #>> '{}'`;
}
