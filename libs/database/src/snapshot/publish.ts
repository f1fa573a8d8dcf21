import { setTimeout as sleep } from 'node:timers/promises';
import { type GateReason, PUBLICATION_DUE_CHANNEL, type RunFigures } from '@passerelle/domain';
import type { Pool, PoolClient } from 'pg';
import { linkRelisted } from './relisted';
import { inTransaction } from '../transaction';
import { storeKept } from './kept-listings';
import { endGuard, setGuard } from './revert-guards';
import { EXPORTS_OF_PUBLISHED } from '../outbox/export-queue';
import { EVENTS_OF_DUE, LIST_PUBLISHED } from '../outbox/feed-events';

/** Another worker took over the lease, or the snapshot with which the run compared its list is no longer current. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused';
}

export interface Publication {
  runId: number;
  gatewayId: number;
  fence: number;
  snapshotId: number;
  /** The snapshot from which the run started; publishing is refused when another one is current. */
  baseSnapshotId: number | null;
  figures: RunFigures;
  feedMemory: object;
  /** Listings that keep their version because their records are unreadable; absent when no listing is or was kept. */
  kept?: readonly string[] | undefined;
  /** The publish gate's objections, when an operator forced the run. */
  overruled?: { reasonCode: string; reason: string; verdict: readonly GateReason[] | null };
  /** True when the listings were mapped again from their stored records, which the source has not confirmed. */
  isRemap?: boolean;
  /** True when the snapshot republishes the content of a kept one, which the source has not confirmed. */
  isRevert?: boolean;
}

export class RunCancelled extends Error {
  override readonly name = 'RunCancelled';
}

/** Publishes in one transaction with changes and the run's counts. @throws PublishRefused, RunCancelled */
export async function publish(pool: Pool, publication: Publication): Promise<void> {
  await inTransaction(pool, async (client) => {
    await assertFence(client, publication.gatewayId, publication.fence);
    const { overruled } = publication;
    const { returns } = await makeCurrent(client, { ...publication, approved: overruled !== undefined });
    const figures = returns < ALTERNATING_RETURNS ? publication.figures : withOneWarning(publication.figures);
    if (figures !== publication.figures) await noteAlternating(client, publication.runId, returns);
    const { rowCount } = await client.query(
      `WITH ended AS (
         UPDATE run SET state = 'published', ended_at = now(), snapshot_id = $2, ${FIGURES_SQL},
           reason_code = $11, reason = $12, verdict = $13, kept = $14
         WHERE id = $1 AND NOT cancel_requested RETURNING id, gateway_id
       ), superseded AS (${supersededBy('ended')})
       SELECT FROM ended`,
      [
        publication.runId,
        publication.snapshotId,
        ...figureValues(figures),
        ...[overruled?.reasonCode ?? null, overruled?.reason ?? null],
        overruled === undefined || overruled.verdict === null ? null : JSON.stringify(overruled.verdict),
        keptOf(publication),
      ],
    );
    if (rowCount !== 1) throw new RunCancelled();
    if (publication.kept !== undefined) await storeKept(client, publication.gatewayId, publication.kept);
    if (publication.isRevert === true) await noteRevert(client, publication);
    else if (overruled?.verdict?.some(isAboutRevert) === true) await endGuard(client, publication.gatewayId);
  });
}

/** Two lists of one source alternate when this many snapshots in succession return to an earlier list. */
const ALTERNATING_RETURNS = 3;

function withOneWarning(figures: RunFigures): RunFigures {
  return { ...figures, warnings: figures.warnings + 1 };
}

async function noteAlternating(client: PoolClient, runId: number, returns: number): Promise<void> {
  await client.query(
    `INSERT INTO run_warning (run_id, code, field, value, count, examples)
     VALUES ($1, 'alternating_list', '', $2, 1, '{}')`,
    [runId, `${String(returns)} times in succession`],
  );
}

/** Whether the guard of a revert ends when an operator overrules this reason. */
export function isAboutRevert({ code }: GateReason): boolean {
  return code === 'reverted';
}

/** Sets the guard, and deletes the confirmation and the stored facts that could confirm the list without reading it. */
async function noteRevert(
  client: PoolClient,
  { gatewayId, snapshotId }: Pick<Publication, 'gatewayId' | 'snapshotId'>,
): Promise<void> {
  await setGuard(client, gatewayId, snapshotId);
  await client.query('UPDATE gateway SET confirmed_at = NULL WHERE id = $1', [gatewayId]);
  await client.query('DELETE FROM source_detail WHERE gateway_id = $1', [gatewayId]);
  await client.query(
    `DELETE FROM kept_listing k WHERE gateway_id = $1
       AND NOT EXISTS (SELECT FROM current_listing c WHERE c.gateway_id = $1 AND c.aff_id = k.aff_id)`,
    [gatewayId],
  );
}

export type SnapshotConfirmation = Omit<Publication, 'snapshotId'> & { baseSnapshotId: number };

/** Confirms the current snapshot instead of writing a new one. @throws PublishRefused, RunCancelled */
export async function confirm(pool: Pool, confirmation: SnapshotConfirmation): Promise<void> {
  const { gatewayId, kept } = confirmation;
  if (kept === undefined) {
    await confirmBy(pool, confirmation);
    return;
  }
  await inTransaction(pool, async (client) => {
    await confirmBy(client, confirmation);
    await storeKept(client, gatewayId, kept);
  });
}

async function confirmBy(client: Pick<PoolClient, 'query'>, confirmation: SnapshotConfirmation): Promise<void> {
  const { gatewayId, fence, runId, baseSnapshotId, figures, feedMemory, isRemap = false } = confirmation;
  const { rows } = await client.query<Confirmed>({
    name: 'confirm-snapshot',
    // Locks the lease and the run, and writes nothing unless lease, run and snapshot are as expected.
    text: `
      WITH lease AS MATERIALIZED (
        SELECT 1 FROM gateway_lease WHERE gateway_id = $11 AND fence = $12 FOR UPDATE
      ), wanted AS MATERIALIZED (
        SELECT run.id FROM run, lease WHERE run.id = $1 AND NOT cancel_requested FOR UPDATE OF run
      ), confirmed AS (
        UPDATE gateway g SET confirmed_at = CASE WHEN $15 THEN g.confirmed_at ELSE clock_timestamp() END, feed_memory = $13
        FROM wanted WHERE g.id = $11 AND g.current_snapshot_id = $2 RETURNING g.id
      ), ended AS (
        UPDATE run SET state = 'unchanged', ended_at = now(), snapshot_id = $2, kept = $14, ${FIGURES_SQL}
        FROM confirmed WHERE run.id = $1 RETURNING run.id, run.gateway_id
      ), superseded AS (
        ${supersededBy('ended')}
      )
      SELECT EXISTS (SELECT 1 FROM lease) AS "isOurs", EXISTS (SELECT 1 FROM wanted) AS "isWanted",
             EXISTS (SELECT 1 FROM ended) AS "isConfirmed"`,
    values: [
      ...[runId, baseSnapshotId, ...figureValues(figures), gatewayId, fence, JSON.stringify(feedMemory)],
      ...[keptOf(confirmation), isRemap],
    ],
  });
  const { isOurs, isWanted, isConfirmed } = rows[0] ?? { isOurs: false, isWanted: false, isConfirmed: false };
  if (isConfirmed) return;
  if (!isOurs) throw new PublishRefused(TAKEN_OVER);
  if (!isWanted) throw new RunCancelled();
  throw new PublishRefused('another snapshot became current while this run was reading');
}

function keptOf({ kept = [] }: Pick<Publication, 'kept'>): readonly string[] | null {
  return kept.length === 0 ? null : kept;
}

interface Confirmed {
  isOurs: boolean;
  /** Whether no operator has cancelled the run. */
  isWanted: boolean;
  isConfirmed: boolean;
}

/**
 * The caller must hold a lock on the gateway's lease row.
 * @returns how many snapshots in succession, with this one, returned to an earlier list
 * @throws PublishRefused
 */
export async function makeCurrent(
  client: PoolClient,
  publication: Pick<Publication, 'gatewayId' | 'snapshotId' | 'baseSnapshotId' | 'feedMemory' | 'isRemap'> & {
    approved: boolean;
  },
): Promise<{ returns: number }> {
  const { gatewayId, snapshotId, baseSnapshotId, feedMemory, approved, isRemap = false } = publication;
  if (baseSnapshotId !== null) await linkRelisted(client, gatewayId, snapshotId);
  // A first publication has no conflicting rows, and the conflict check would take a third of the time.
  const onConflict =
    baseSnapshotId === null ? '' : 'ON CONFLICT (gateway_id, aff_id) DO UPDATE SET version_id = excluded.version_id';
  // One statement saves round trips; all its clauses see the state before it. It has no name, because PostgreSQL plans
  // the sixth use of a named statement for every part of the tables, which took up to 0.4 s.
  const { rows } = await client.query<{ isCurrent: boolean; returns: number }>(
    `WITH before AS (
       UPDATE snapshot s SET confirmed_at = g.confirmed_at FROM gateway g
       WHERE g.id = $1 AND s.gateway_id = $1 AND s.id = g.current_snapshot_id
     ), current AS (
       UPDATE gateway SET current_snapshot_id = $2, feed_memory = $4,
         confirmed_at = CASE WHEN $6 THEN confirmed_at ELSE clock_timestamp() END
       WHERE id = $1 AND current_snapshot_id IS NOT DISTINCT FROM $3 RETURNING id
     ), change AS MATERIALIZED (
       -- Read once, however few rows the planner expects: those of a new gateway are in no statistics.
       SELECT kind, aff_id, version_id, empreinte, previous_empreinte, replaces
       FROM listing_change WHERE gateway_id = $1 AND snapshot_id = $2
     ), ${CONTENT_AND_RETURNS}, published AS (
       UPDATE snapshot SET published_at = clock_timestamp(), approved = $5, content_sum = c.content_sum, returns = c.returns
       FROM content c WHERE gateway_id = $1 AND id = $2
     ), gone AS (
       DELETE FROM current_listing c USING change h
       WHERE h.kind = 'removed' AND c.gateway_id = $1 AND c.aff_id = h.aff_id
     ), come AS (
       INSERT INTO current_listing (gateway_id, aff_id, version_id)
       SELECT $1::integer, aff_id, version_id FROM change WHERE kind <> 'removed' ${onConflict}
     ), ${LIST_PUBLISHED}, ${EVENTS_OF_DUE}, ${EXPORTS_OF_PUBLISHED}
     SELECT EXISTS (SELECT FROM current) AS "isCurrent", EXISTS (SELECT FROM told_ingestors) AS "isTold",
       (SELECT returns FROM content) AS returns`,
    [gatewayId, snapshotId, baseSnapshotId, JSON.stringify(feedMemory), approved, isRemap],
  );
  if (rows[0]?.isCurrent !== true) throw new PublishRefused('another snapshot became current while this one was built');
  return { returns: rows[0].returns };
}

const hashOf = (empreinte: string): string =>
  `('x' || left(md5(concat(aff_id, ' ', ${empreinte})), 15))::bit(60)::bigint`;

/** SQL of `content`: the sum of the list after `change`, which an equal list has too, and the number of returns. */
const CONTENT_AND_RETURNS = `
  content AS MATERIALIZED (
    SELECT n.content_sum, CASE WHEN b.content_sum <> n.content_sum AND EXISTS (
      SELECT FROM (
        SELECT e.content_sum FROM snapshot e WHERE e.gateway_id = $1 AND e.id < $3 AND e.published_at IS NOT NULL
        ORDER BY e.id DESC LIMIT 20
      ) earlier WHERE earlier.content_sum = n.content_sum
    ) THEN b.returns + 1 ELSE 0 END AS returns
    FROM (
      SELECT coalesce(sum(
        CASE WHEN kind <> 'removed' THEN ${hashOf('empreinte')} ELSE 0 END
        - CASE WHEN kind <> 'added' THEN ${hashOf('previous_empreinte')} ELSE 0 END), 0) AS difference FROM change
    ) d
    LEFT JOIN snapshot b ON b.gateway_id = $1 AND b.id = $3
    CROSS JOIN LATERAL (SELECT coalesce(b.content_sum, 0) + d.difference AS content_sum) n
  )`;

/** Locks the lease until the transaction ends, so that no other worker can take it over in between. */
export async function assertFence(client: PoolClient, gatewayId: number, fence: number): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM gateway_lease WHERE gateway_id = $1 AND fence = $2 FOR UPDATE',
    [gatewayId, fence],
  );
  if (rowCount !== 1) throw new PublishRefused(TAKEN_OVER);
}

const TAKEN_OVER = 'another worker has taken this gateway over';

/** SQL: discards held runs of older feeds, which must not be published. @param newer a table of id and gateway_id */
export function supersededBy(newer: string): string {
  return `UPDATE run SET state = 'discarded', decided_at = now(), decision_reason = 'superseded by run ' || ${newer}.id
    FROM ${newer} WHERE run.gateway_id = ${newer}.gateway_id AND state = 'held' AND NOT dry_run AND run.id < ${newer}.id`;
}

/** SQL: assigns the columns of the counts; their parameters start at $3. */
export const FIGURES_SQL = `fetched_bytes = $3, records = $4, added = $5, changed = $6, unchanged = $7, removed = $8,
  rejected = $9, warnings = $10`;

export function figureValues(figures: RunFigures): number[] {
  const { fetchedBytes, records, added, changed, unchanged, removed, rejected, warnings } = figures;
  return [fetchedBytes, records, added, changed, unchanged, removed, rejected, warnings];
}

/** The time in which the notification reaches all API processes. */
const HEARD_MS = 100;

/** Call it just before a list is replaced: from then on the API stores pagination sessions for all its processes. */
export async function announcePublication(pool: Pool, gatewayId: number): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [PUBLICATION_DUE_CHANNEL, String(gatewayId)]);
  await sleep(HEARD_MS);
}
