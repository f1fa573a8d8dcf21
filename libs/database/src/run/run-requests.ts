import { RUN_REQUESTED_CHANNEL, type RunTrigger } from '@passerelle/domain';
import { Pool } from 'pg';
import { inTransaction } from '../transaction';

export interface RunRequest {
  gatewayId: number;
  trigger: RunTrigger;
  dryRun?: boolean;
  forced?: boolean;
  forcedBy?: string;
  /** `reader`, or the operator's name; stored with the run. */
  askedBy?: string;
  requestId?: string;
}

export interface RevertRequest {
  gatewayId: number;
  token: string;
  reason: string;
  askedBy: string;
  requestId?: string;
}

/** SQL: a run that only maps stored records has a job of low priority, so it is announced again as another run. */
const ANNOUNCED_AGAIN = `announced_until = CASE WHEN run.trigger = 'remap' THEN '-infinity' ELSE run.announced_until END,
           turn = CASE WHEN run.trigger <> 'remap' THEN run.turn END`;

export class RunRequests {
  constructor(private readonly pool: Pool) {}

  /** Requests a run. All requests before its start share it. @returns the run that will answer the request */
  async request(request: RunRequest): Promise<number> {
    return this.insertRequest(
      `INSERT INTO run (gateway_id, trigger, dry_run, forced, decided_by, asked_by, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE
         SET forced = run.forced OR excluded.forced,
           trigger = CASE WHEN run.trigger IN ('call', 'remap') THEN excluded.trigger ELSE run.trigger END, decided_by = coalesce(excluded.decided_by, run.decided_by),
           ${ANNOUNCED_AGAIN},
           asked_by = coalesce(run.asked_by, excluded.asked_by),
           request_id = coalesce(run.request_id, excluded.request_id)
       RETURNING id`,
      [
        ...[request.gatewayId, request.trigger, request.dryRun ?? false, request.forced ?? false],
        ...[request.forcedBy ?? null, request.askedBy ?? null, request.requestId ?? null],
      ],
    );
  }

  /** @returns null for a paused, failing or held gateway: its readers must not request the source again and again */
  async requestForReader(
    gatewayId: number,
    trigger: 'stale-read' | 'first-read',
    requestId?: string,
  ): Promise<number | null> {
    const { rowCount } = await this.pool.query(
      `SELECT 1 FROM gateway_schedule t
       WHERE t.gateway_id = $1 AND t.next_run_at > now() AND (t.failures > 0 OR 'held' = (
         SELECT state FROM run WHERE gateway_id = $1 AND ended_at IS NOT NULL AND NOT dry_run
         ORDER BY id DESC LIMIT 1))
       UNION ALL SELECT 1 FROM gateway_pause p WHERE p.gateway_id = $1`,
      [gatewayId],
    );
    if (rowCount !== 0) return null;
    // Use only the columns that the serving role may write.
    return this.insertRequest(
      `INSERT INTO run (gateway_id, trigger, asked_by, request_id) VALUES ($1, $2, 'reader', $3)
       ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE
         SET asked_by = coalesce(run.asked_by, excluded.asked_by),
           request_id = coalesce(run.request_id, excluded.request_id)
       RETURNING id`,
      [gatewayId, trigger, requestId ?? null],
    );
  }

  /** A waiting run becomes the revert; the next run reads the source. @returns null when the snapshot is not kept */
  async requestRevert({ gatewayId, token, reason, askedBy, requestId }: RevertRequest): Promise<number | null> {
    return inTransaction(this.pool, async (client) => {
      // Lock the snapshot, so that pruning waits, and then finds the run.
      const { rowCount } = await client.query(
        `SELECT 1 FROM snapshot WHERE gateway_id = $1 AND token = $2 AND published_at IS NOT NULL AND pruned_at IS NULL FOR SHARE`,
        [gatewayId, token],
      );
      if (rowCount !== 1) return null;
      const { rows } = await client.query<{ id: number }>(
        `WITH asked AS (
           INSERT INTO run (gateway_id, trigger, revert_to, revert_reason, asked_by, request_id)
           VALUES ($1, 'revert', $2, $3, $4, $5)
           ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO UPDATE
             SET ${ANNOUNCED_AGAIN}, trigger = 'revert', revert_to = excluded.revert_to, revert_reason = excluded.revert_reason,
               asked_by = excluded.asked_by, request_id = coalesce(excluded.request_id, run.request_id)
           RETURNING id
         ) SELECT id, pg_notify('${RUN_REQUESTED_CHANNEL}', $1::text) FROM asked`,
        [gatewayId, token, reason, askedBy, requestId ?? null],
      );
      return rows[0]?.id ?? null;
    });
  }

  /** Notifies the dispatchers. The first parameter of `insert` is the gateway. */
  private async insertRequest(insert: string, values: unknown[]): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `WITH asked AS (${insert}) SELECT id, pg_notify('${RUN_REQUESTED_CHANNEL}', $1::text) FROM asked`,
      values,
    );
    const row = rows[0];
    if (row === undefined) throw new Error('the run was not stored');
    return row.id;
  }

  /** @returns whether the run exists and has not ended. */
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
}
