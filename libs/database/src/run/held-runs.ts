import type { RunState } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { assertFence, makeCurrent, PublishRefused } from '../snapshot/publish';
import { dropSnapshot } from '../snapshot/snapshot-writer';
import { inTransaction } from '../transaction';
import type { Leases } from './leases';

/** What an operator decided about a held run; kept with the run. */
export interface RunDecision {
  by: string;
  reason: string;
}

/** Long enough for one transaction: while that lasts the locked lease row keeps everybody else out anyway. */
const LEASE_SECONDS = 30;

/**
 * Publishes what a run held back, as a worker would: under the gateway's lease, in one transaction, and only while the
 * snapshot that the run was compared with is still the one that is served.
 *
 * @throws PublishRefused
 */
export async function publishHeld(pool: Pool, leases: Leases, runId: number, decision: RunDecision): Promise<void> {
  const gatewayId = await gatewayOf(pool, runId);
  const fence = await leases.acquire(gatewayId, `operator ${decision.by}`, LEASE_SECONDS);
  if (fence === null) throw new PublishRefused('a run of this gateway is under way: try again when it is over');
  try {
    await inTransaction(pool, async (client) => {
      await assertFence(client, gatewayId, fence);
      const run = await lockHeld(client, runId);
      const { snapshotId } = run;
      if (snapshotId === null) throw new PublishRefused(`run ${runId} holds no snapshot back`);
      await assertNotMovedOn(client, runId, run);
      await makeCurrent(client, { ...run, gatewayId, snapshotId });
      // The source said this when the run read it, not now; and a change happens when it is published.
      await client.query('UPDATE gateway SET confirmed_at = $2::timestamptz WHERE id = $1', [gatewayId, run.endedAt]);
      await client.query('UPDATE listing_change SET at = now() WHERE snapshot_id = $1', [snapshotId]);
      await noteDecision(client, runId, 'published', decision);
    });
  } finally {
    await leases.release(gatewayId, fence);
  }
}

/**
 * Puts a held run aside for good. Needs no lease: what the run built was never served, and nobody else works on it.
 *
 * @throws PublishRefused
 */
export async function discardHeld(pool: Pool, runId: number, decision: RunDecision): Promise<void> {
  await gatewayOf(pool, runId);
  const snapshotId = await inTransaction(pool, async (client) => {
    const run = await lockHeld(client, runId);
    await noteDecision(client, runId, 'discarded', decision);
    return run.snapshotId;
  });
  // What a crash leaves behind here, the next pruning of the gateway sweeps away.
  if (snapshotId !== null) await dropSnapshot(pool, snapshotId);
}

async function gatewayOf(pool: Pool, runId: number): Promise<number> {
  const { rows } = await pool.query<{ gatewayId: number }>('SELECT gateway_id AS "gatewayId" FROM run WHERE id = $1', [
    runId,
  ]);
  if (rows[0] === undefined) throw new PublishRefused(`there is no run ${runId}`);
  return rows[0].gatewayId;
}

interface HeldRun {
  snapshotId: number | null;
  baseSnapshotId: number | null;
  feedMemory: object;
  endedAt: string;
}

/** The row stays locked until the transaction ends: of two decisions the second finds that there is nothing to decide. */
async function lockHeld(client: PoolClient, runId: number): Promise<HeldRun> {
  const { rows } = await client.query<HeldRun & { state: RunState; dryRun: boolean; decisionReason: string | null }>(
    `SELECT state, dry_run AS "dryRun", snapshot_id AS "snapshotId", base_snapshot_id AS "baseSnapshotId",
            feed_memory AS "feedMemory", to_json(ended_at) AS "endedAt", decision_reason AS "decisionReason"
     FROM run WHERE id = $1 FOR UPDATE`,
    [runId],
  );
  const run = rows[0];
  if (run === undefined) throw new PublishRefused(`there is no run ${runId}`);
  if (run.dryRun) throw new PublishRefused(`run ${runId} was a dry run: it holds nothing back`);
  if (run.state !== 'held') {
    const why = run.decisionReason === null ? '' : ` (${run.decisionReason})`;
    throw new PublishRefused(`run ${runId} is not held, it is ${run.state}${why}`);
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
  throw new PublishRefused(
    `the gateway has moved on since: run ${runId} was compared with another snapshot than the one that is served now`,
  );
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
