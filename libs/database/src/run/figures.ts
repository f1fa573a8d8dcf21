import type { DutyCounts } from '@passerelle/domain';
import { Pool } from 'pg';
import { PAUSES } from '../gateway/pause-sql';
import { IS_CONFIRMED_AHEAD, IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';

export interface FiguresOptions {
  /** The period of gateways without their own period. */
  everySeconds: number;
  /** A gateway is overdue when the last confirmation of its snapshot is older than this many of its periods. */
  overduePeriods: number;
}

/** Counts and ages of one connector's gateways. Ages are in seconds, and null when there is nothing to measure. */
export interface ConnectorFigures {
  connector: string;
  /** Each gateway counts in exactly one of the next four members. */
  active: number;
  /** Gateways that are paused, but otherwise active. */
  paused: number;
  disabled: number;
  expired: number;
  /** The following members count only active gateways that are not paused. */
  failing: number;
  longestFailingSeconds: number | null;
  withoutSnapshot: number;
  overdue: number;
  /** Gateways whose last confirmation is in the future, because the clock was set back later. */
  confirmedAhead: number;
  freshestSeconds: number | null;
  stalestSeconds: number | null;
  /** Served listings, including those of paused gateways. */
  listings: number;
  /** For each legal duty, by its code: the number of listings that do not fulfil it. */
  duties: DutyCounts;
  missedRuns: number;
  held: number;
  /** Runs that were requested and have not started. */
  waiting: number;
  running: number;
  /** Runs whose worker stopped, and which no other worker has claimed. */
  abandoned: number;
  oldestWaitingSeconds: number | null;
  webhooksDisabled: number;
  /** Pending messages to webhooks, by the result of the last message to their endpoint. */
  webhookMessages: Record<'well' | 'failing', { pending: number; oldestSeconds: number | null }>;
  leads: { waiting: number; oldestSeconds: number | null };
  feedback: { waiting: number; oldestSeconds: number | null };
  /** Listings that webhooks from CRMs named and no run has checked yet. */
  webhooksWaiting: number;
  oldestWebhookSeconds: number | null;
  /** Exports of active gateways. */
  exports: ExportFigures;
}

export interface ExportFigures {
  /** Since when the exports of a placement that is on have been failing. */
  longestFailingSeconds: number | null;
  /** Placements that wait for an operator. */
  held: number;
  /** Adverts that are ready, and those that portals refuse, by the last export of each placement. */
  ready: number;
  refused: number;
  /** Since when the oldest advert waits for the answer of its portal. */
  oldestUnansweredSeconds: number | null;
}

export class Figures {
  constructor(private readonly pool: Pool) {}

  /** One row per connector that has gateways. Reads no history: only gateways and partial indexes. */
  async load(options: FiguresOptions): Promise<ConnectorFigures[]> {
    const { rows } = await this.pool.query<ConnectorFigures>(FIGURES_OF_CONNECTORS, [
      options.everySeconds,
      options.overduePeriods,
    ]);
    return rows;
  }
}

const FIGURES_OF_CONNECTORS = `
  WITH unfinished AS (
    SELECT r.gateway_id, r.state, r.requested_at, coalesce(l.expires_at, '-infinity') < now() AS is_abandoned
    FROM run r LEFT JOIN gateway_lease l ON l.gateway_id = r.gateway_id
    WHERE r.state IN ('queued', 'running')
  ), queue AS (
    SELECT gateway_id,
           count(*) FILTER (WHERE state = 'queued') AS waiting,
           count(*) FILTER (WHERE state = 'running' AND NOT is_abandoned) AS running,
           count(*) FILTER (WHERE state = 'running' AND is_abandoned) AS abandoned,
           min(requested_at) FILTER (WHERE state = 'queued') AS oldest
    FROM unfinished GROUP BY gateway_id
  ), held AS (
    SELECT gateway_id, count(*) AS held FROM run WHERE state = 'held' AND NOT dry_run GROUP BY gateway_id
  ), known AS (
    SELECT g.id, g.crm, g.enabled, s.total AS listings, s.duties, t.missed_runs, t.failing_since,
           ${IS_GATEWAY_ACTIVE} AS served, p.gateway_id IS NOT NULL AS paused, ${IS_GATEWAY_ACTIVE} AND p.gateway_id IS NULL AS active,
           CASE WHEN s.id IS NOT NULL THEN greatest(extract(epoch FROM now() - g.confirmed_at), 0) END AS age,
           coalesce(g.every_seconds, $1::int) AS every, coalesce(${IS_CONFIRMED_AHEAD}, false) AS is_ahead
    FROM gateway g
    JOIN gateway_schedule t ON t.gateway_id = g.id
    LEFT JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id
    LEFT JOIN ${PAUSES} p ON p.gateway_id = g.id
  ), disabled AS (
    SELECT gateway_id, count(*) AS webhooks FROM webhook_endpoint WHERE disabled_at IS NOT NULL GROUP BY gateway_id
  ), message AS (
    SELECT e.gateway_id, count(*) FILTER (WHERE e.failures = 0) AS well, count(*) FILTER (WHERE e.failures > 0) AS failing,
           min(d.at) FILTER (WHERE e.failures = 0) AS oldest_well, min(d.at) FILTER (WHERE e.failures > 0) AS oldest_failing
    FROM outbox d JOIN webhook_endpoint e ON e.id = d.endpoint_id
    WHERE d.kind = 'webhook' AND d.state = 'pending' GROUP BY e.gateway_id
  ), enquiry AS (
    SELECT gateway_id, count(*) AS leads, min(at) AS oldest FROM outbox WHERE kind = 'lead' AND state = 'pending' GROUP BY gateway_id
  ), untold AS (
    SELECT d.gateway_id, count(f.listing) AS untold_listings, min(d.at) AS oldest_untold
    FROM outbox d LEFT JOIN source_feedback f ON f.gateway_id = d.gateway_id AND NOT f.told
    WHERE d.kind = 'feedback' AND d.state = 'pending' GROUP BY d.gateway_id
  ), called AS (
    SELECT gateway_id, count(*) AS waiting_listings, min(first_at) AS oldest_call FROM call_note GROUP BY gateway_id
  ), placed AS (
    SELECT gateway_id, min(failing_since) AS exports_failing_since, count(held_at) AS held_exports,
           sum((counts ->> 'ready')::bigint) AS ready, sum((counts ->> 'refused')::bigint) AS refused
    FROM placement WHERE is_on GROUP BY gateway_id
  ), unanswered AS (
    SELECT u.gateway_id, min(u.since) AS oldest_advert FROM publication u JOIN placement p ON p.id = u.placement_id AND p.is_on
    WHERE u.state IN ('sent', 'removing') GROUP BY u.gateway_id
  ), lacking AS (
    SELECT crm, jsonb_object_agg(code, listings) AS duties
    FROM (
      SELECT k.crm, d.key AS code, sum(d.value::bigint)::bigint AS listings
      FROM known k CROSS JOIN jsonb_each_text(k.duties) AS d WHERE k.served GROUP BY k.crm, d.key
    ) counted GROUP BY crm
  )
  SELECT k.crm AS connector,
         count(*) FILTER (WHERE active) AS active,
         count(*) FILTER (WHERE served AND paused) AS paused,
         count(*) FILTER (WHERE NOT enabled) AS disabled,
         count(*) FILTER (WHERE enabled AND NOT served) AS expired,
         count(*) FILTER (WHERE active AND failing_since IS NOT NULL) AS failing,
         extract(epoch FROM now() - min(failing_since) FILTER (WHERE active))::float8 AS "longestFailingSeconds",
         count(*) FILTER (WHERE active AND age IS NULL) AS "withoutSnapshot",
         count(*) FILTER (WHERE active AND (is_ahead OR age > every * $2::float8)) AS overdue,
         count(*) FILTER (WHERE active AND is_ahead) AS "confirmedAhead",
         (min(age) FILTER (WHERE active))::float8 AS "freshestSeconds",
         (max(age) FILTER (WHERE active))::float8 AS "stalestSeconds",
         coalesce(sum(listings) FILTER (WHERE served), 0)::bigint AS listings,
         coalesce((SELECT l.duties FROM lacking l WHERE l.crm = k.crm), '{}') AS duties,
         sum(missed_runs)::bigint AS "missedRuns",
         coalesce(sum(h.held), 0)::bigint AS held,
         coalesce(sum(q.waiting), 0)::bigint AS waiting,
         coalesce(sum(q.running), 0)::bigint AS running,
         coalesce(sum(q.abandoned), 0)::bigint AS abandoned,
         extract(epoch FROM now() - min(q.oldest))::float8 AS "oldestWaitingSeconds",
         coalesce(sum(w.webhooks), 0)::bigint AS "webhooksDisabled",
         json_build_object(
           'well', json_build_object('pending', coalesce(sum(m.well), 0), 'oldestSeconds', extract(epoch FROM now() - min(m.oldest_well))),
           'failing', json_build_object('pending', coalesce(sum(m.failing), 0), 'oldestSeconds', extract(epoch FROM now() - min(m.oldest_failing)))
         ) AS "webhookMessages",
         json_build_object('waiting', coalesce(sum(e.leads), 0), 'oldestSeconds', extract(epoch FROM now() - min(e.oldest))) AS leads,
         json_build_object('waiting', coalesce(sum(u.untold_listings), 0), 'oldestSeconds', extract(epoch FROM now() - min(u.oldest_untold))) AS feedback,
         coalesce(sum(c.waiting_listings), 0)::bigint AS "webhooksWaiting",
         extract(epoch FROM now() - min(c.oldest_call))::float8 AS "oldestWebhookSeconds",
         json_build_object(
           'longestFailingSeconds', extract(epoch FROM now() - min(x.exports_failing_since) FILTER (WHERE active)),
           'held', coalesce(sum(x.held_exports) FILTER (WHERE active), 0),
           'ready', coalesce(sum(x.ready) FILTER (WHERE active), 0), 'refused', coalesce(sum(x.refused) FILTER (WHERE active), 0),
           'oldestUnansweredSeconds', extract(epoch FROM now() - min(a.oldest_advert) FILTER (WHERE active))
         ) AS exports
  FROM known k
  LEFT JOIN queue q ON q.gateway_id = k.id
  LEFT JOIN held h ON h.gateway_id = k.id
  LEFT JOIN disabled w ON w.gateway_id = k.id
  LEFT JOIN message m ON m.gateway_id = k.id
  LEFT JOIN enquiry e ON e.gateway_id = k.id
  LEFT JOIN untold u ON u.gateway_id = k.id
  LEFT JOIN called c ON c.gateway_id = k.id
  LEFT JOIN placed x ON x.gateway_id = k.id
  LEFT JOIN unanswered a ON a.gateway_id = k.id
  GROUP BY k.crm ORDER BY k.crm`;
