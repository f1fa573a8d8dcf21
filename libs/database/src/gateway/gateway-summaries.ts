import type { GatewayPause, KeyTerms } from '@passerelle/domain';
import { Pool } from 'pg';
import { PAUSE_OF_EACH, PAUSES } from './pause-sql';
import { IS_GATEWAY_ACTIVE } from './served-gateways';

/** A gateway with the facts that determine its state, without secrets. Times are ISO 8601 in UTC. */
export interface GatewaySummary {
  id: number;
  crm: string;
  client: string;
  /** The source's address without its secret parts; null for a source that is not sealed yet. */
  sourceUrl: string | null;
  settings: Record<string, string> | null;
  hasCredentials: boolean;
  enabled: boolean;
  /** True when the gateway is enabled and its contract has not ended. */
  active: boolean;
  /** The pause that ends last; null when the gateway is not paused. */
  paused: GatewayPause | null;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
  /** Null for the ingestor's default. */
  everySeconds: number | null;
  /** Null before the first publication. */
  listings: number | null;
  publishedAt: string | null;
  confirmedAt: string | null;
  nextRunAt: string;
  /** Consecutive failed runs. */
  failures: number;
  failingSince: string | null;
  /** The code of the last failed run; null when the gateway does not fail. */
  failingCode: string | null;
  failingReason: string | null;
  /** When that run ended. */
  failedAt: string | null;
  /** The run that waits for an operator's decision. */
  heldRunId: number | null;
  heldReason: string | null;
  /** When the list was first held, however many runs repeat it. */
  heldSince: string | null;
  /** When the run that has not started was requested. */
  waitingSince: string | null;
  isRunning: boolean;
}

/** The parts of a key that may be shown; `lastUsedOn` is a day in UTC, `YYYY-MM-DD`. */
export type ShownKey = KeyTerms & {
  id: number;
  prefix: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedOn: string | null;
};

interface CurrentSnapshot {
  snapshotId: number;
  total: number;
  publishedAt: string;
}

/** Gateways as the console shows them. Its role cannot read their secrets. */
export class GatewaySummaries {
  /** The current snapshot of each gateway in the last result of `list`, by gateway number. */
  private current: ReadonlyMap<number, CurrentSnapshot> = new Map();

  constructor(private readonly pool: Pool) {}

  /** Lists all gateways by name. Snapshots never change, so it reads only snapshots published since its last call. */
  async list(): Promise<GatewaySummary[]> {
    const { rows } = await this.pool.query<GatewaySummary & { snapshotId: number | null }>(
      `${summaries(OF_ALL, 'NULL::integer AS listings, NULL::text AS "publishedAt", g.current_snapshot_id AS "snapshotId"')}
       ORDER BY g.crm, g.client`,
    );
    this.current = await this.currentOf(rows);
    for (const row of rows) {
      const { total = null, publishedAt = null } = this.current.get(row.id) ?? {};
      Object.assign(row, { listings: total, publishedAt });
    }
    return rows;
  }

  private async currentOf(
    rows: readonly { id: number; snapshotId: number | null }[],
  ): Promise<Map<number, CurrentSnapshot>> {
    const known = this.current;
    const isKnown = (id: number, snapshotId: number): boolean => known.get(id)?.snapshotId === snapshotId;
    const unknown = rows.filter(({ id, snapshotId }) => snapshotId !== null && !isKnown(id, snapshotId));
    const read =
      unknown.length === 0
        ? []
        : (
            await this.pool.query<CurrentSnapshot & { gatewayId: number }>(
              `SELECT w.gateway_id AS "gatewayId", w.id AS "snapshotId", s.total, ${time('s.published_at')} AS "publishedAt"
               FROM unnest($1::integer[], $2::bigint[]) AS w (gateway_id, id)
               JOIN snapshot s ON s.gateway_id = w.gateway_id AND s.id = w.id`,
              [unknown.map(({ id }) => id), unknown.map(({ snapshotId }) => snapshotId)],
            )
          ).rows;
    const now = new Map(read.map((snapshot) => [snapshot.gatewayId, snapshot as CurrentSnapshot]));
    for (const { id, snapshotId } of rows) {
      const before = known.get(id);
      if (before !== undefined && before.snapshotId === snapshotId) now.set(id, before);
    }
    return now;
  }

  async find(crm: string, client: string): Promise<GatewaySummary | null> {
    const { rows } = await this.pool.query<GatewaySummary>(
      `${summaries(OF_EACH, SNAPSHOT, SNAPSHOT_OF_EACH)} WHERE g.crm = $1 AND g.client = $2`,
      [crm, client],
    );
    return rows[0] ?? null;
  }

  async listOf(ids: readonly number[]): Promise<GatewaySummary[]> {
    const { rows } = await this.pool.query<GatewaySummary>(
      `${summaries(OF_EACH, SNAPSHOT, SNAPSHOT_OF_EACH)} WHERE g.id = ANY ($1::int[]) ORDER BY g.crm, g.client`,
      [ids],
    );
    return rows;
  }

  /** The keys that have not expired, oldest first. */
  async keys(gatewayId: number): Promise<ShownKey[]> {
    const { rows } = await this.pool.query<ShownKey>(
      `SELECT id, prefix, scope, networks, to_json(created_at) #>> '{}' AS "createdAt",
              to_json(expires_at) #>> '{}' AS "expiresAt", last_used_on::text AS "lastUsedOn"
       FROM api_key WHERE gateway_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
      [gatewayId],
    );
    return rows;
  }
}

const time = (column: string): string => `to_json(${column}) #>> '{}'`;

const OF_ALL = `JOIN shown_sources() o ON o.gateway_id = g.id LEFT JOIN ${PAUSES} p ON p.gateway_id = g.id`;
/** With this join, PostgreSQL does not read the sources and pauses of gateways that are not selected. */
const OF_EACH = `CROSS JOIN LATERAL shown_source(g.id) o ${PAUSE_OF_EACH}`;

const SNAPSHOT = `s.total AS listings, ${time('s.published_at')} AS "publishedAt"`;
const SNAPSHOT_OF_EACH = 'LEFT JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id';

const summaries = (ofGateway: string, snapshot: string, ofSnapshot = ''): string => `
  WITH held AS MATERIALIZED (
    SELECT DISTINCT ON (gateway_id) gateway_id, id, reason, coalesce(held_since, ended_at) AS held_since
    FROM run WHERE state = 'held' AND NOT dry_run ORDER BY gateway_id, id DESC
  ), unfinished AS MATERIALIZED (
    SELECT gateway_id, min(requested_at) FILTER (WHERE state = 'queued') AS waiting_since,
           bool_or(state = 'running') AS is_running
    FROM run WHERE state IN ('queued', 'running') GROUP BY gateway_id
  ), failed AS (
    -- Of a gateway that does not fail, no run is looked at.
    SELECT t.gateway_id, r.reason_code, r.reason, r.ended_at FROM gateway_schedule t CROSS JOIN LATERAL (
      SELECT r.reason_code, r.reason, r.ended_at FROM run r
      WHERE r.gateway_id = t.gateway_id AND r.state = 'failed' AND NOT r.dry_run ORDER BY r.id DESC LIMIT 1
    ) r
    WHERE t.failures > 0
  )
  SELECT g.id, g.crm, g.client, o.source_url AS "sourceUrl", o.settings, o.has_credentials AS "hasCredentials",
         g.enabled, ${IS_GATEWAY_ACTIVE} AS active, p.pause AS paused, g.contract_end::text AS "contractEnd",
         g.every_seconds AS "everySeconds", ${snapshot},
         ${time('g.confirmed_at')} AS "confirmedAt", ${time('t.next_run_at')} AS "nextRunAt", t.failures,
         ${time('t.failing_since')} AS "failingSince", f.reason_code AS "failingCode", f.reason AS "failingReason",
         ${time('f.ended_at')} AS "failedAt",
         h.id AS "heldRunId", h.reason AS "heldReason", ${time('h.held_since')} AS "heldSince",
         ${time('u.waiting_since')} AS "waitingSince", coalesce(u.is_running, false) AS "isRunning",
         -- Room for what is found out from these: V8 takes longer to add a member to 20,000 rows than to read them.
         NULL::text AS state, NULL::text AS since, NULL::boolean AS "isFresh", NULL::boolean AS "isOverdue"
  FROM gateway g
  JOIN gateway_schedule t ON t.gateway_id = g.id
  ${ofGateway}
  ${ofSnapshot}
  LEFT JOIN unfinished u ON u.gateway_id = g.id
  LEFT JOIN held h ON h.gateway_id = g.id
  LEFT JOIN failed f ON f.gateway_id = g.id`;
