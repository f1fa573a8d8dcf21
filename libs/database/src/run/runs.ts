import type { GateReason, RunDifference, RunFigures, RunState, RunTrigger } from '@passerelle/domain';
import { Pool } from 'pg';
import { DataSource, type Repository } from 'typeorm';
import { assertFence, FIGURES_SQL, figureValues, PublishRefused, supersededBy } from '../snapshot/publish';
import { inTransaction } from '../transaction';
import { enqueueStateEvent } from '../outbox/feed-events';
import { RunNoteStore } from './run-notes';
import { RunEntity } from '../entities/run.entity';

export interface ClaimedRun {
  id: number;
  gatewayId: number;
  crm: string;
  client: string;
  fence: number;
  trigger: RunTrigger;
  dryRun: boolean;
  forced: boolean;
  /** 1 at the first attempt; more when earlier workers stopped in the middle of the run. */
  attempt: number;
  /** The id of the first request for the run; null when no request started it. */
  requestId: string | null;
  /** `reader`, or the operator's name; null for the schedule. */
  askedBy: string | null;
  /** Only for a revert: the token of the snapshot to go back to, and the operator's reason. */
  revertTo: string | null;
  revertReason: string | null;
  /** The time between the request and the first claim. */
  waitedMs: number;
}

/** The end of a run that does not publish. A dry run ends in the state that a real run would have. */
export interface RunEnding {
  state: Exclude<RunState, 'queued' | 'running'>;
  reasonCode?: string;
  /** One sentence for a person. */
  reason?: string;
  figures: RunFigures;
  /** For state `held`: the snapshot that is held back. */
  snapshotId?: number | null;
  baseSnapshotId?: number | null;
  feedMemory?: object;
  verdict?: readonly GateReason[];
  /** Only for a dry run. */
  difference?: RunDifference;
  /** Listings that keep, or would keep, their last version because their records are unreadable. */
  kept?: readonly string[];
}

export class Runs {
  private readonly runs: Repository<RunEntity>;

  constructor(
    private readonly pool: Pool,
    source: DataSource,
    private readonly notes: RunNoteStore,
  ) {
    this.runs = source.getRepository(RunEntity);
  }

  /** Claims the run of a crashed worker, or else the queued run; null for none, or when the lease is lost. */
  async claim(gatewayId: number, fence: number): Promise<ClaimedRun | null> {
    const { rows } = await this.pool.query<ClaimedRun>({
      name: 'claim-run',
      // Keeps the lease's row locked. Also ends a run that was cancelled after its worker had stopped.
      text: `
        WITH lease AS MATERIALIZED (
          SELECT holder FROM gateway_lease WHERE gateway_id = $1 AND fence = $2 FOR UPDATE
        ), cancelled AS (
          UPDATE run SET state = 'cancelled', ended_at = now(), reason_code = 'cancelled', reason = 'cancelled by an operator'
          FROM lease WHERE gateway_id = $1 AND state = 'running' AND cancel_requested
        )
        UPDATE run SET state = 'running', started_at = coalesce(started_at, clock_timestamp()), fence = $2,
          attempts = attempts + 1, worker = lease.holder
        FROM lease
        WHERE id = (
          SELECT id FROM run
          WHERE gateway_id = $1 AND (state = 'queued' OR (state = 'running' AND NOT cancel_requested))
          ORDER BY state = 'running' DESC, dry_run, id LIMIT 1)
          AND (state = 'queued' OR (state = 'running' AND NOT cancel_requested))
        RETURNING id, gateway_id AS "gatewayId", (SELECT crm FROM gateway g WHERE g.id = run.gateway_id) AS crm,
          (SELECT client FROM gateway g WHERE g.id = run.gateway_id) AS client, fence,
          request_id AS "requestId", asked_by AS "askedBy", revert_to AS "revertTo", revert_reason AS "revertReason",
          trigger, dry_run AS "dryRun", forced, attempts AS attempt,
          1000 * extract(epoch FROM started_at - requested_at)::float8 AS "waitedMs"`,
      values: [gatewayId, fence],
    });
    return rows[0] ?? null;
  }

  async noteProgress(run: ClaimedRun, progress: Pick<RunFigures, 'fetchedBytes' | 'records'>): Promise<void> {
    const { fetchedBytes, records } = progress;
    await this.runs.update({ id: run.id, fence: run.fence }, { fetchedBytes, records });
  }

  async isCancelRequested(runId: number): Promise<boolean> {
    const run = await this.runs.findOne({ select: { cancelRequested: true }, where: { id: runId } });
    return run?.cancelRequested ?? true;
  }

  /** Does not count the attempt. @throws PublishRefused when the worker no longer holds the lease */
  async handOver(run: ClaimedRun): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await assertFence(client, run.gatewayId, run.fence);
      await client.query('UPDATE run SET attempts = attempts - 1 WHERE id = $1', [run.id]);
    });
    await this.notes.clearNotes(run.id);
  }

  /** Ends a run without publishing. @throws PublishRefused when the worker no longer holds the lease, or the run has ended. */
  async end(run: ClaimedRun, ending: RunEnding): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await assertFence(client, run.gatewayId, run.fence);
      const { rowCount } = await client.query(
        `UPDATE run SET state = $2, ended_at = now(), ${FIGURES_SQL}, reason_code = $11, reason = $12, snapshot_id = $13,
           base_snapshot_id = $14, feed_memory = $15, verdict = $16, difference = $17, kept = $18
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
          ending.kept === undefined || ending.kept.length === 0 ? null : ending.kept,
        ],
      );
      if (rowCount !== 1) throw new PublishRefused(`run ${run.id} is over already`);
      if (ending.state === 'held' && !run.dryRun) {
        // A list that several runs repeat is held since the first of them.
        await client.query(
          `WITH newer AS (SELECT id, gateway_id FROM run WHERE id = $1),
             superseded AS (${supersededBy('newer')} RETURNING coalesce(run.held_since, run.ended_at) AS since)
           UPDATE run SET held_since = coalesce((SELECT min(since) FROM superseded), ended_at) WHERE id = $1`,
          [run.id],
        );
        await enqueueStateEvent(client, run.gatewayId, 'held', ending.reasonCode ?? null);
      }
    });
  }
}
