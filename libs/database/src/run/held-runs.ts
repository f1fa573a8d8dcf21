import type { GateReason, GateReasonCode, RunState, RunTrigger } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { isForbidden } from '../database-failures';
import { announcePublication, assertFence, isAboutRevert, makeCurrent, PublishRefused } from '../snapshot/publish';
import { endGuard } from '../snapshot/revert-guards';
import { storeKept } from '../snapshot/kept-listings';
import { dropSnapshot } from '../snapshot/snapshot-writer';
import { inTransaction } from '../transaction';
import { enqueueRecoveredEvent } from '../outbox/feed-events';
import { Leases } from './leases';

export interface RunDecision {
  by: string;
  reason: string;
}

/** The lease may expire before the transaction ends: the transaction's lock on the lease row keeps every worker out. */
const LEASE_SECONDS = 30;

export class HeldRuns {
  constructor(
    private readonly pool: Pool,
    private readonly leases: Leases,
  ) {}

  /** Publishes under the lease, like a worker, if the compared snapshot is still current. @throws PublishRefused */
  async publish(runId: number, decision: RunDecision): Promise<void> {
    const gatewayId = await gatewayOf(this.pool, runId);
    const fence = await this.leases.acquire(gatewayId, `operator ${decision.by}`, LEASE_SECONDS);
    if (fence === null) throw new PublishRefused('a run of this gateway is under way: try again when it is over');
    try {
      await announcePublication(this.pool, gatewayId);
      await inTransaction(this.pool, async (client) => {
        await assertFence(client, gatewayId, fence);
        const run = await lockHeld(client, runId);
        const { snapshotId } = run;
        if (snapshotId === null) throw new PublishRefused(`run ${runId} holds no snapshot back`);
        await assertNotMovedOn(client, runId, run);
        const isRemap = run.trigger === 'remap';
        await makeCurrent(client, { ...run, gatewayId, snapshotId, approved: true, isRemap });
        // The source confirmed this list when the run read it. The changes get the time of this publication.
        if (!isRemap)
          await client.query('UPDATE gateway SET confirmed_at = $2::timestamptz WHERE id = $1', [
            gatewayId,
            run.endedAt,
          ]);
        await client.query('UPDATE listing_change SET at = now() WHERE gateway_id = $2 AND snapshot_id = $1', [
          snapshotId,
          gatewayId,
        ]);
        if (run.verdict?.some(isAboutRevert) === true) await endGuard(client, gatewayId);
        await storeKept(client, gatewayId, run.kept ?? [], run.endedAt);
        await noteDecision(client, runId, 'published', decision);
        await enqueueRecoveredEvent(client, gatewayId);
      });
    } finally {
      await this.leases.release(gatewayId, fence);
    }
  }

  /** The held runs that wait for a decision, and that the gate held only for the given reason. */
  async heldOnlyFor(code: GateReasonCode): Promise<number[]> {
    const { rows } = await this.pool.query<{ id: number }>(
      `SELECT id FROM run r WHERE state = 'held' AND NOT dry_run
         AND jsonb_array_length(verdict) = 1 AND verdict -> 0 ->> 'code' = $1
         AND NOT EXISTS (SELECT FROM run n WHERE n.gateway_id = r.gateway_id AND n.id > r.id AND n.state IN ('held', 'published'))
       ORDER BY id`,
      [code],
    );
    return rows.map(({ id }) => id);
  }

  /** Needs no lease: its snapshot was never served, and no worker uses it. @throws PublishRefused */
  async discard(runId: number, decision: RunDecision): Promise<void> {
    const gatewayId = await gatewayOf(this.pool, runId);
    const snapshotId = await inTransaction(this.pool, async (client) => {
      const run = await lockHeld(client, runId);
      await noteDecision(client, runId, 'discarded', decision);
      await enqueueRecoveredEvent(client, gatewayId);
      return run.snapshotId;
    });
    // If the process stops here, or its role may not delete listings, the gateway's next run removes the snapshot.
    if (snapshotId !== null) await dropSnapshot(this.pool, gatewayId, snapshotId).catch(ignoreRefusal);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!isForbidden(error)) throw error;
}

async function gatewayOf(pool: Pool, runId: number): Promise<number> {
  const { rows } = await pool.query<{ gatewayId: number }>('SELECT gateway_id AS "gatewayId" FROM run WHERE id = $1', [
    runId,
  ]);
  if (rows[0] === undefined) throw new PublishRefused(`there is no run ${runId}`);
  return rows[0].gatewayId;
}

interface HeldRun {
  trigger: RunTrigger;
  snapshotId: number | null;
  baseSnapshotId: number | null;
  feedMemory: object;
  endedAt: string;
  kept: string[] | null;
  verdict: GateReason[] | null;
}

/** Locks the row until the transaction ends: of two concurrent decisions, the second finds the run decided. */
async function lockHeld(client: PoolClient, runId: number): Promise<HeldRun> {
  const { rows } = await client.query<
    HeldRun & { state: RunState; dryRun: boolean; decidedBy: string | null; decisionReason: string | null }
  >(
    `SELECT state, trigger, dry_run AS "dryRun", snapshot_id AS "snapshotId", base_snapshot_id AS "baseSnapshotId",
            feed_memory AS "feedMemory", kept, verdict, to_json(ended_at) AS "endedAt", decided_by AS "decidedBy", decision_reason AS "decisionReason"
     FROM run WHERE id = $1 FOR UPDATE`,
    [runId],
  );
  const run = rows[0];
  if (run === undefined) throw new PublishRefused(`there is no run ${runId}`);
  if (run.dryRun) throw new PublishRefused(`run ${runId} was a dry run: it holds nothing back`);
  if (run.state !== 'held') {
    const why = run.decisionReason === null ? '' : ` (${run.decisionReason})`;
    const who = run.decidedBy === null || run.decisionReason === null ? '' : ` by ${run.decidedBy}`;
    throw new PublishRefused(`run ${runId} is not held, it is ${run.state}${who}${why}`);
  }
  return run;
}

async function assertNotMovedOn(client: PoolClient, runId: number, { baseSnapshotId }: HeldRun): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM gateway g JOIN run r ON r.gateway_id = g.id
     WHERE r.id = $1 AND g.current_snapshot_id IS NOT DISTINCT FROM $2::bigint`,
    [runId, baseSnapshotId],
  );
  if (rowCount === 1) return;
  throw new PublishRefused(`the served snapshot has changed since run ${runId} was compared with it`);
}

async function noteDecision(
  client: PoolClient,
  runId: number,
  state: 'published' | 'discarded',
  { by, reason }: RunDecision,
): Promise<void> {
  await client.query(
    `UPDATE run SET state = $2, decided_by = $3, decided_at = now(), decision_reason = $4,
       snapshot_id = CASE $2 WHEN 'published' THEN snapshot_id END
     WHERE id = $1`,
    [runId, state, by, reason],
  );
}
