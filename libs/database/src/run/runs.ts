import type { GateReason, Rejection, RunFigures, RunState, RunTrigger, RunView, Warning } from '@passerelle/domain';
import { RUN_REQUESTED_CHANNEL, type RunDifference } from '@passerelle/domain';
import type { Pool } from 'pg';
import { assertFence, FIGURES_SQL, figureValues, PublishRefused, supersedeHeld } from '../snapshot/publish';
import { inTransaction } from '../transaction';

export interface RunRequest {
  gatewayId: number;
  trigger: RunTrigger;
  dryRun?: boolean;
  forced?: boolean;
  /** Who wants it forced; kept with the run. */
  forcedBy?: string;
}

/** A run that this worker may carry out. */
export interface ClaimedRun {
  id: number;
  gatewayId: number;
  /** The gateway's connector. */
  crm: string;
  fence: number;
  trigger: RunTrigger;
  dryRun: boolean;
  forced: boolean;
  /** 1 at the first try; more when earlier workers stopped in the middle of it. */
  attempt: number;
  /** How long it could have started before a worker first took it up. */
  waitedMs: number;
}

/** How a run ends when it does not publish. A dry run ends in the state that it would have had. */
export interface RunEnding {
  state: Exclude<RunState, 'queued' | 'running'>;
  reasonCode?: string;
  /** One sentence for a person. */
  reason?: string;
  figures: RunFigures;
  /** The snapshot held back, for state `held`. */
  snapshotId?: number | null;
  baseSnapshotId?: number | null;
  feedMemory?: object;
  verdict?: readonly GateReason[];
  /** Of a dry run. */
  difference?: RunDifference;
}

const VIEW_COLUMNS = `r.id, g.crm, g.client, r.trigger, r.state, to_json(r.started_at) AS started_at,
  to_json(r.ended_at) AS ended_at, r.fetched_bytes, r.records, r.added, r.changed, r.unchanged, r.removed, r.rejected,
  r.warnings, r.snapshot_id AS snapshot, r.reason, r.dry_run, r.forced`;

/** A worker that slept through its lease must not write into the run of the one that took over. */
const STILL_OURS = '(SELECT fence FROM run WHERE id = $1) =';

/** Runs: asked for in PostgreSQL, carried by the queue, kept as history. */
export class Runs {
  constructor(private readonly pool: Pool) {}

  /**
   * Asks for a run of a gateway. Requests that come before it has started collapse into one.
   *
   * @returns the run that will answer the request.
   */
  async request(request: RunRequest): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `WITH asked AS (
         INSERT INTO run (gateway_id, trigger, dry_run, forced, decided_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE
           SET forced = run.forced OR excluded.forced, decided_by = coalesce(excluded.decided_by, run.decided_by)
         RETURNING id
       )
       SELECT id, pg_notify('${RUN_REQUESTED_CHANNEL}', $1::text) FROM asked`,
      [request.gatewayId, request.trigger, request.dryRun ?? false, request.forced ?? false, request.forcedBy ?? null],
    );
    const row = rows[0];
    if (row === undefined) throw new Error('the run was not stored');
    return row.id;
  }

  /**
   * Asks for a run on behalf of a reader. A source that failed, or whose list is held, is not asked before its turn: its
   * readers would ask every few seconds, whatever the source or an operator has to say first.
   *
   * @returns the run that will answer the request; null when there will be none before the schedule's next.
   */
  async requestForReader(gatewayId: number, trigger: 'stale-read' | 'first-read'): Promise<number | null> {
    const { rowCount } = await this.pool.query(
      `SELECT 1 FROM gateway_schedule t
       WHERE t.gateway_id = $1 AND t.next_run_at > now() AND (t.failures > 0 OR 'held' = (
         SELECT state FROM run WHERE gateway_id = $1 AND ended_at IS NOT NULL AND NOT dry_run
         ORDER BY id DESC LIMIT 1))`,
      [gatewayId],
    );
    return rowCount === 0 ? this.request({ gatewayId, trigger }) : null;
  }

  /**
   * Takes up the gateway's waiting run, under a lease that the caller holds: one whose worker stopped in the middle of
   * it, else the queued one.
   */
  async claim(gatewayId: number, fence: number): Promise<ClaimedRun | null> {
    return inTransaction(this.pool, async (client) => {
      await assertFence(client, gatewayId, fence);
      // An operator cancelled it while its worker was gone.
      await client.query(
        `UPDATE run SET state = 'cancelled', ended_at = now(), reason_code = 'cancelled', reason = 'cancelled by an operator'
         WHERE gateway_id = $1 AND state = 'running' AND cancel_requested`,
        [gatewayId],
      );
      const { rows } = await client.query<ClaimedRun>(
        `UPDATE run SET state = 'running', started_at = coalesce(started_at, clock_timestamp()), fence = $2,
           attempts = attempts + 1
         WHERE id = (
           SELECT id FROM run
           WHERE gateway_id = $1 AND state IN ('queued', 'running')
           ORDER BY state = 'running' DESC, dry_run, id LIMIT 1)
         RETURNING id, gateway_id AS "gatewayId", (SELECT crm FROM gateway g WHERE g.id = run.gateway_id) AS crm, fence,
           trigger, dry_run AS "dryRun", forced, attempts AS attempt,
           1000 * extract(epoch FROM started_at - requested_at)::float8 AS "waitedMs"`,
        [gatewayId, fence],
      );
      return rows[0] ?? null;
    });
  }

  /**
   * Gateways that have a run to be taken up: asked for, or left by a worker whose lease has ended. `turn` counts
   * within each connector, in the order of the requests, so that connectors can take turns; who waits for a first read
   * is always next.
   */
  async waitingGateways(): Promise<{ gatewayId: number; trigger: RunTrigger; turn: number }[]> {
    const { rows } = await this.pool.query<{ gatewayId: number; trigger: RunTrigger; turn: number }>(
      `SELECT w.gateway_id AS "gatewayId", w.trigger,
              CASE w.trigger WHEN 'first-read' THEN 1
                ELSE row_number() OVER (PARTITION BY g.crm ORDER BY w.id) END AS turn
       FROM (
         SELECT DISTINCT ON (r.gateway_id) r.gateway_id, r.trigger, r.id
         FROM run r LEFT JOIN gateway_lease l ON l.gateway_id = r.gateway_id
         WHERE r.state IN ('queued', 'running')
           AND (l.expires_at IS NULL OR l.expires_at < clock_timestamp())
         ORDER BY r.gateway_id, r.id
       ) w JOIN gateway g ON g.id = w.gateway_id
       ORDER BY turn, w.id`,
    );
    return rows;
  }

  /** Ends a run without publishing. @throws PublishRefused when the lease is no longer ours, or the run is over. */
  async end(run: ClaimedRun, ending: RunEnding): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await assertFence(client, run.gatewayId, run.fence);
      const { rowCount } = await client.query(
        `UPDATE run SET state = $2, ended_at = now(), ${FIGURES_SQL}, reason_code = $11, reason = $12, snapshot_id = $13,
           base_snapshot_id = $14, feed_memory = $15, verdict = $16, difference = $17
         WHERE id = $1 AND state = 'running'`,
        [
          run.id,
          ending.state,
          ...figureValues(ending.figures),
          ending.reasonCode ?? null,
          ending.reason ?? null,
          ending.snapshotId ?? null,
          ending.baseSnapshotId ?? null,
          JSON.stringify(ending.feedMemory ?? {}),
          ending.verdict === undefined ? null : JSON.stringify(ending.verdict),
          ending.difference === undefined ? null : JSON.stringify(ending.difference),
        ],
      );
      if (rowCount !== 1) throw new PublishRefused(`run ${run.id} is over already`);
      if (ending.state === 'held' && !run.dryRun) await supersedeHeld(client, run.gatewayId, run.id);
    });
  }

  /** Stores a batch of a run's rejections, while the run is still the caller's. */
  async addRejections(run: Pick<ClaimedRun, 'id' | 'fence'>, rejections: readonly Rejection[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO rejection (run_id, position, record_id, field, code, message, excerpt)
       SELECT $1, u.* FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS u
       WHERE ${STILL_OURS} $8`,
      [
        run.id,
        rejections.map((rejection) => rejection.position),
        rejections.map((rejection) => rejection.recordId ?? null),
        rejections.map((rejection) => rejection.field ?? null),
        rejections.map((rejection) => rejection.code),
        rejections.map((rejection) => rejection.message),
        rejections.map((rejection) => rejection.excerpt ?? null),
        run.fence,
      ],
    );
  }

  /** The same for warnings. */
  async addWarnings(run: Pick<ClaimedRun, 'id' | 'fence'>, warnings: readonly Warning[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples)
       SELECT $1, w->>'code', w->>'field', w->>'value', (w->>'count')::int,
              ARRAY(SELECT jsonb_array_elements_text(w->'examples'))
       FROM jsonb_array_elements($2::jsonb) AS w WHERE ${STILL_OURS} $3`,
      [run.id, JSON.stringify(warnings), run.fence],
    );
  }

  /** Ids that came twice in the newest earlier run of the gateway that saw any: up to as many as are kept as examples. */
  async earlierDuplicates(run: Pick<ClaimedRun, 'id' | 'gatewayId'>): Promise<string[]> {
    const { rows } = await this.pool.query<{ examples: string[] }>(
      `SELECT w.examples FROM run_warning w JOIN run r ON r.id = w.run_id
       WHERE r.gateway_id = $1 AND r.id < $2 AND w.code = 'duplicate_id' ORDER BY r.id DESC LIMIT 1`,
      [run.gatewayId, run.id],
    );
    return rows[0]?.examples ?? [];
  }

  /** Shows how far a run has come. */
  async noteProgress(run: ClaimedRun, progress: Pick<RunFigures, 'fetchedBytes' | 'records'>): Promise<void> {
    await this.pool.query('UPDATE run SET fetched_bytes = $3, records = $4 WHERE id = $1 AND fence = $2', [
      run.id,
      run.fence,
      progress.fetchedBytes,
      progress.records,
    ]);
  }

  /** Forgets what an earlier attempt at this run has noted. */
  async clearNotes(runId: number): Promise<void> {
    await this.pool.query('DELETE FROM rejection WHERE run_id = $1', [runId]);
    await this.pool.query('DELETE FROM run_warning WHERE run_id = $1', [runId]);
  }

  /**
   * Leaves a run to the next worker that gets the lease, as if this one had never taken it up.
   *
   * @throws PublishRefused when the lease is no longer ours.
   */
  async handOver(run: ClaimedRun): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await assertFence(client, run.gatewayId, run.fence);
      await client.query('UPDATE run SET attempts = attempts - 1 WHERE id = $1', [run.id]);
    });
    await this.clearNotes(run.id);
  }

  /** @returns whether the run was there and not over. */
  async requestCancel(runId: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE run SET cancel_requested = true,
         state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END,
         ended_at = CASE state WHEN 'queued' THEN now() ELSE ended_at END,
         reason = CASE state WHEN 'queued' THEN 'cancelled by an operator before it started' ELSE reason END
       WHERE id = $1 AND state IN ('queued', 'running')`,
      [runId],
    );
    return rowCount === 1;
  }

  async isCancelRequested(runId: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ cancel: boolean }>(
      'SELECT cancel_requested AS cancel FROM run WHERE id = $1',
      [runId],
    );
    return rows[0]?.cancel ?? true;
  }

  /** Newest first. */
  async list(filter: { gatewayId?: number; limit: number }): Promise<RunView[]> {
    const { rows } = await this.pool.query<RunRow>(
      `SELECT ${VIEW_COLUMNS} FROM run r JOIN gateway g ON g.id = r.gateway_id
       WHERE $1::int IS NULL OR r.gateway_id = $1
       ORDER BY r.id DESC LIMIT $2`,
      [filter.gatewayId ?? null, filter.limit],
    );
    return rows.map(toView);
  }

  async find(runId: number): Promise<RunView | null> {
    const { rows } = await this.pool.query<RunRow>(
      `SELECT ${VIEW_COLUMNS} FROM run r JOIN gateway g ON g.id = r.gateway_id WHERE r.id = $1`,
      [runId],
    );
    return rows[0] === undefined ? null : toView(rows[0]);
  }

  async rejections(runId: number): Promise<Rejection[]> {
    const { rows } = await this.pool.query<Record<string, unknown>>(
      `SELECT position, record_id AS "recordId", field, code, message, excerpt
       FROM rejection WHERE run_id = $1 ORDER BY position`,
      [runId],
    );
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never);
  }

  async warnings(runId: number): Promise<Warning[]> {
    const { rows } = await this.pool.query<Warning>(
      'SELECT code, field, value, count, examples FROM run_warning WHERE run_id = $1 ORDER BY count DESC, code, field, value',
      [runId],
    );
    return rows;
  }
}

interface RunRow extends Omit<RunView, 'dry_run' | 'forced'> {
  dry_run: boolean;
  forced: boolean;
}

function toView({ dry_run, forced, ...run }: RunRow): RunView {
  return { ...run, ...(dry_run && { dry_run }), ...(forced && { forced }) };
}
