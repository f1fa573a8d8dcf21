import { setTimeout as sleep } from 'node:timers/promises';
import { type GateReason, PUBLICATION_DUE_CHANNEL, type RunFigures } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../transaction';
import { tellPublished } from '../webhook/feed-events';

/** The lease was taken over, or the snapshot that the run compared itself with is no longer the current one. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused';
}

export interface Publication {
  runId: number;
  gatewayId: number;
  fence: number;
  snapshotId: number;
  /** The snapshot that the run started from; publishing is refused when another one is current by now. */
  baseSnapshotId: number | null;
  figures: RunFigures;
  feedMemory: object;
  /** What the publish gate had against it, when an operator forced the run. */
  overruled?: { reasonCode: string; reason: string; verdict: readonly GateReason[] };
}

/** An operator cancelled the run before it could publish. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled';
}

/**
 * Makes a finished snapshot the current one, together with its changes and the run's counts, in one transaction.
 *
 * @throws PublishRefused
 * @throws RunCancelled
 */
export async function publish(pool: Pool, publication: Publication): Promise<void> {
  await inTransaction(pool, async (client) => {
    await assertFence(client, publication.gatewayId, publication.fence);
    const { overruled } = publication;
    await makeCurrent(client, { ...publication, approved: overruled !== undefined });
    const { rowCount } = await client.query(
      `UPDATE run SET state = 'published', ended_at = now(), snapshot_id = $2, ${FIGURES_SQL},
         reason_code = $11, reason = $12, verdict = $13
       WHERE id = $1 AND NOT cancel_requested`,
      [
        publication.runId,
        publication.snapshotId,
        ...figureValues(publication.figures),
        ...[overruled?.reasonCode ?? null, overruled?.reason ?? null],
        overruled === undefined ? null : JSON.stringify(overruled.verdict),
      ],
    );
    if (rowCount !== 1) throw new RunCancelled();
    await supersedeHeld(client, publication.gatewayId, publication.runId);
  });
}

/** Ends a run whose feed confirmed the current snapshot: nothing of it is written again. @throws PublishRefused, RunCancelled */
export async function confirm(
  pool: Pool,
  confirmation: Omit<Publication, 'snapshotId'> & { baseSnapshotId: number },
): Promise<void> {
  const { gatewayId, fence, runId, baseSnapshotId, figures, feedMemory } = confirmation;
  const { rows } = await pool.query<Confirmed>({
    name: 'confirm-snapshot',
    // One statement is one transaction. The rows of the lease and of the run stay locked until it has ended, and nothing is
    // written unless all three are as they must be.
    text: `
      WITH lease AS MATERIALIZED (
        SELECT 1 FROM gateway_lease WHERE gateway_id = $11 AND fence = $12 FOR UPDATE
      ), wanted AS MATERIALIZED (
        SELECT run.id FROM run, lease WHERE run.id = $1 AND NOT cancel_requested FOR UPDATE OF run
      ), confirmed AS (
        UPDATE gateway g SET confirmed_at = clock_timestamp(), feed_memory = $13
        FROM wanted WHERE g.id = $11 AND g.current_snapshot_id = $2 RETURNING g.id
      ), ended AS (
        UPDATE run SET state = 'unchanged', ended_at = now(), snapshot_id = $2, ${FIGURES_SQL}
        FROM confirmed WHERE run.id = $1 RETURNING run.id
      ), superseded AS (
        UPDATE run SET state = 'discarded', decided_at = now(), decision_reason = 'superseded by run ' || ended.id
        FROM ended WHERE gateway_id = $11 AND state = 'held' AND NOT dry_run AND run.id < ended.id
      )
      SELECT EXISTS (SELECT 1 FROM lease) AS "isOurs", EXISTS (SELECT 1 FROM wanted) AS "isWanted",
             EXISTS (SELECT 1 FROM ended) AS "isConfirmed"`,
    values: [runId, baseSnapshotId, ...figureValues(figures), gatewayId, fence, JSON.stringify(feedMemory)],
  });
  const { isOurs, isWanted, isConfirmed } = rows[0] ?? { isOurs: false, isWanted: false, isConfirmed: false };
  if (isConfirmed) return;
  if (!isOurs) throw new PublishRefused(TAKEN_OVER);
  if (!isWanted) throw new RunCancelled();
  throw new PublishRefused('another snapshot became current while this run was reading');
}

interface Confirmed {
  isOurs: boolean;
  /** Nobody has cancelled the run. */
  isWanted: boolean;
  isConfirmed: boolean;
}

/** Puts a finished snapshot in the current one's place. The caller holds the gateway's lease row locked. */
export async function makeCurrent(
  client: PoolClient,
  publication: Pick<Publication, 'gatewayId' | 'snapshotId' | 'baseSnapshotId' | 'feedMemory'> & { approved: boolean },
): Promise<void> {
  const { gatewayId, snapshotId, baseSnapshotId, feedMemory, approved } = publication;
  await client.query(
    `UPDATE snapshot s SET confirmed_at = g.confirmed_at FROM gateway g
     WHERE g.id = $1 AND s.gateway_id = $1 AND s.id = g.current_snapshot_id`,
    [gatewayId],
  );
  const { rowCount } = await client.query(
    `UPDATE gateway SET current_snapshot_id = $2, confirmed_at = clock_timestamp(), feed_memory = $4
     WHERE id = $1 AND current_snapshot_id IS NOT DISTINCT FROM $3`,
    [gatewayId, snapshotId, baseSnapshotId, JSON.stringify(feedMemory)],
  );
  if (rowCount !== 1) throw new PublishRefused('another snapshot became current while this one was built');
  await client.query(
    `DELETE FROM current_listing c USING listing_change h
     WHERE h.gateway_id = $1 AND h.snapshot_id = $2 AND h.kind = 'removed' AND c.gateway_id = $1 AND c.aff_id = h.aff_id`,
    [gatewayId, snapshotId],
  );
  // To look whether a listing is there takes a third of the time, and at first there is none.
  const onConflict =
    baseSnapshotId === null ? '' : 'ON CONFLICT (gateway_id, aff_id) DO UPDATE SET version_id = excluded.version_id';
  await client.query(
    `INSERT INTO current_listing (gateway_id, aff_id, version_id)
     SELECT gateway_id, aff_id, version_id FROM listing_change
     WHERE gateway_id = $2 AND snapshot_id = $1 AND kind <> 'removed' ${onConflict}`,
    [snapshotId, gatewayId],
  );
  await client.query(
    'UPDATE snapshot SET published_at = clock_timestamp(), approved = $2 WHERE gateway_id = $3 AND id = $1',
    [snapshotId, approved, gatewayId],
  );
  await tellPublished(client, publication);
}

/** Locks the lease until the transaction ends, so that nobody can take it over in between. */
export async function assertFence(client: PoolClient, gatewayId: number, fence: number): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM gateway_lease WHERE gateway_id = $1 AND fence = $2 FOR UPDATE',
    [gatewayId, fence],
  );
  if (rowCount !== 1) throw new PublishRefused(TAKEN_OVER);
}

const TAKEN_OVER = 'another worker has taken this gateway over';

/** Only what the newest feed says can still be published by hand: older held runs are put aside. */
export async function supersedeHeld(client: PoolClient, gatewayId: number, byRunId: number): Promise<void> {
  await client.query(
    `UPDATE run SET state = 'discarded', decided_at = now(), decision_reason = 'superseded by run ' || $2::text
     WHERE gateway_id = $1 AND state = 'held' AND NOT dry_run AND id < $2::bigint`,
    [gatewayId, byRunId],
  );
}

/** The columns of the counts; their parameters start at $3. */
export const FIGURES_SQL = `fetched_bytes = $3, records = $4, added = $5, changed = $6, unchanged = $7, removed = $8,
  rejected = $9, warnings = $10`;

export function figureValues(figures: RunFigures): number[] {
  const { fetchedBytes, records, added, changed, unchanged, removed, rejected, warnings } = figures;
  return [fetchedBytes, records, added, changed, unchanged, removed, rejected, warnings];
}

/** Until then every process that listens has heard. */
const HEARD_MS = 100;

/**
 * Tells the API's processes that a snapshot of a gateway is about to be published, and waits until they have heard: from
 * there on they keep the walks of readers where all of them see them. To be called just before a list is replaced.
 */
export async function announcePublication(pool: Pool, gatewayId: number): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [PUBLICATION_DUE_CHANNEL, String(gatewayId)]);
  await sleep(HEARD_MS);
}
