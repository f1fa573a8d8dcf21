import type {
  DutyCounts,
  GateReason,
  StoredLogLine,
  Rejection,
  RejectionCode,
  RunDifference,
  RunState,
  RunView,
  Warning,
} from '@passerelle/domain';
import { Pool } from 'pg';
import { DataSource, type Repository, type SelectQueryBuilder } from 'typeorm';
import { firstRunSince } from './run-outcomes';
import { RejectionEntity, RunEntity, RunWarningEntity } from '../entities/run.entity';
import { joinText } from '../snapshot/version-sql';

/** Details that a run's view omits. Times are ISO 8601 in UTC. */
export interface RunDetails {
  gatewayId: number;
  requestedAt: string;
  /** `reader`, or the operator's name; null for the schedule. */
  askedBy: string | null;
  /** The id of the first request for the run. */
  requestId: string | null;
  attempts: number;
  /** The ingestor that last claimed the run, as its log names it; null before the first claim. */
  worker: string | null;
  isCancelRequested: boolean;
  reasonCode: string | null;
  /** The publish gate's reasons for holding the run; null when it was not held. */
  verdict: GateReason[] | null;
  /** Only for a completed dry run. */
  difference: RunDifference | null;
  baseSnapshotId: number | null;
  /** The `affId`s of listings that keep their last published version because their records are unreadable. */
  kept: string[];
  decidedBy: string | null;
  decidedAt: string | null;
  decisionReason: string | null;
  rejectionsByCode: Partial<Record<RejectionCode, number>>;
}

export interface HeldListing {
  aff_id: string;
  title: string | null;
}

export type HeldListings = Record<'removed' | 'added' | 'changed', HeldListing[]>;

/** Rejections of a run with the same reason and field. */
export interface RejectionGroup {
  code: RejectionCode;
  field: string | null;
  count: number;
  /** The message of the first rejection, and the identifiers of some records, or their positions if they have none. */
  message: string;
  examples: string[];
}

/** Which runs are listed. */
export interface RunFilter {
  gatewayId?: number;
  crm?: string;
  state?: RunState;
  since?: Date;
  /** Selects runs that were requested up to the end of this day in UTC, `YYYY-MM-DD`. */
  until?: string;
  beforeId?: number;
  /** The entry of the audit whose parts requested the runs. */
  partOf?: number;
  limit: number;
}

export interface HistoryOptions {
  /** How long the changes of listings are kept. */
  keepDays: number;
}

export class RunHistory {
  private readonly runs: Repository<RunEntity>;
  private readonly refused: Repository<RejectionEntity>;
  private readonly noticed: Repository<RunWarningEntity>;

  constructor(
    private readonly pool: Pool,
    source: DataSource,
  ) {
    this.runs = source.getRepository(RunEntity);
    this.refused = source.getRepository(RejectionEntity);
    this.noticed = source.getRepository(RunWarningEntity);
  }

  /** Lists runs, newest first. `since` is the time of the request. */
  async list(wanted: RunFilter): Promise<RunView[]> {
    const { gatewayId, crm, state, since, until, beforeId, partOf, limit } = wanted;
    const query = this.withGateway().orderBy('run.id', 'DESC').limit(limit);
    if (gatewayId !== undefined) query.andWhere({ gatewayId });
    if (crm !== undefined) query.andWhere('gateway.crm = :crm', { crm });
    if (state !== undefined) query.andWhere({ state });
    if (since !== undefined) query.andWhere('run.requested_at >= :since', { since });
    if (partOf !== undefined)
      query.andWhere('run.id IN (SELECT run_id FROM audit WHERE part_of = :partOf)', { partOf });
    if (beforeId !== undefined) query.andWhere('run.id < :beforeId', { beforeId });
    if (until !== undefined) query.andWhere('run.id < :end', { end: await this.firstAfter(until) });
    return (await query.getMany()).map(toView);
  }

  /** The number of the first run that was requested after a day; if there is none, a number after the last run. */
  private async firstAfter(day: string): Promise<number> {
    const { rows } = await this.pool.query<{ first: number | null }>(
      `WITH RECURSIVE ${firstRunSince(`($1::date + 1)::timestamp AT TIME ZONE 'UTC'`)} SELECT max(low) AS first FROM half`,
      [day],
    );
    return rows[0]?.first ?? 1;
  }

  async find(runId: number): Promise<RunView | null> {
    const run = await this.withGateway().where({ id: runId }).getOne();
    return run === null ? null : toView(run);
  }

  /** Lists a run's rejections in the order of the feed. @param limit the maximum number; all if absent */
  async rejections(runId: number, limit?: number): Promise<Rejection[]> {
    const order = { position: 'ASC', id: 'ASC' } as const;
    const rows = await this.refused.find({ where: { runId }, order, ...(limit !== undefined && { take: limit }) });
    return rows.map(({ position, recordId, field, code, message, excerpt }) => ({
      position,
      ...(recordId !== null && { recordId }),
      ...(field !== null && { field }),
      ...{ code, message },
      ...(excerpt !== null && { excerpt }),
    }));
  }

  /** By reason and field, the largest groups first. @param limit the maximum number of groups */
  async rejectionGroups(runId: number, limit: number): Promise<RejectionGroup[]> {
    const { rows } = await this.pool.query<RejectionGroup>(
      `SELECT code, field, count(*)::int AS count, (array_agg(message ORDER BY position))[1] AS message,
              (array_agg(coalesce(record_id, '№ ' || position) ORDER BY position))[1:3] AS examples
       FROM rejection WHERE run_id = $1 GROUP BY code, field ORDER BY count DESC, code, field LIMIT $2`,
      [runId, limit],
    );
    return rows;
  }

  async warnings(runId: number): Promise<Warning[]> {
    const rows = await this.noticed.find({
      where: { runId },
      order: { count: 'DESC', code: 'ASC', field: 'ASC', value: 'ASC' },
    });
    return rows.map(({ code, field, value, count, examples }) => ({ code, field, value, count, examples }));
  }

  /** @param limit the maximum per kind */
  async heldListings(runId: number, limit: number): Promise<HeldListings> {
    const { rows } = await this.pool.query<HeldListing & { kind: keyof HeldListings }>(
      `SELECT c.kind, c.aff_id, b.body::json ->> 'intitule' AS title FROM (
         SELECT h.kind, h.aff_id, h.gateway_id, coalesce(h.version_id, h.previous_version_id) AS version_id,
                row_number() OVER (PARTITION BY h.kind ORDER BY h.aff_id) AS place
         FROM run r JOIN listing_change h ON h.gateway_id = r.gateway_id AND h.snapshot_id = r.snapshot_id
         WHERE r.id = $1 AND r.state = 'held'
       ) c
       LEFT ${joinText('listing_normalized', 'b', 'c.version_id', 'c.gateway_id')}
       WHERE c.place <= $2 ORDER BY c.kind, c.place`,
      [runId, limit],
    );
    const listings: HeldListings = { removed: [], added: [], changed: [] };
    for (const { kind, aff_id, title } of rows) listings[kind].push({ aff_id, title });
    return listings;
  }

  /** The newest lines that the ingestor has logged about a run, oldest first; null when none are stored. */
  async logLines(runId: number): Promise<{ lines: StoredLogLine[]; earlier: number } | null> {
    const { rows } = await this.pool.query<{ lines: StoredLogLine[]; earlier: number }>(
      'SELECT lines, earlier FROM run_log WHERE run_id = $1',
      [runId],
    );
    return rows[0] ?? null;
  }

  /** The number of listings in a run's snapshot that lack each duty; null when the run has no stored snapshot. */
  async duties(runId: number): Promise<DutyCounts | null> {
    const { rows } = await this.pool.query<{ duties: DutyCounts }>(
      'SELECT s.duties FROM run r JOIN snapshot s ON s.gateway_id = r.gateway_id AND s.id = r.snapshot_id WHERE r.id = $1',
      [runId],
    );
    return rows[0]?.duties ?? null;
  }

  async details(runId: number): Promise<RunDetails | null> {
    const run = await this.runs.findOneBy({ id: runId });
    if (run === null) return null;
    const byCode = await this.refused
      .createQueryBuilder('rejection')
      .select('rejection.code', 'code')
      .addSelect('count(*)', 'count')
      .where({ runId })
      .groupBy('rejection.code')
      .orderBy('count', 'DESC')
      .addOrderBy('code')
      .getRawMany<{ code: RejectionCode; count: number }>();
    const { attempts, reasonCode, verdict, difference, baseSnapshotId, decidedBy, decisionReason } = run;
    return {
      gatewayId: run.gatewayId,
      requestedAt: run.requestedAt.toJSON(),
      askedBy: run.askedBy,
      requestId: run.requestId,
      ...{ attempts, worker: run.worker },
      isCancelRequested: run.cancelRequested,
      ...{ reasonCode, verdict, difference, baseSnapshotId, decidedBy },
      kept: run.kept ?? [],
      decidedAt: run.decidedAt?.toJSON() ?? null,
      decisionReason,
      rejectionsByCode: Object.fromEntries(byCode.map(({ code, count }) => [code, count])),
    };
  }

  /** Removes old listing changes. `RunCleaning` removes runs. */
  async pruneChanges({ keepDays }: HistoryOptions): Promise<void> {
    // Delete a token with the changes that lead to it: a reader with an older token then learns of its expiry.
    await this.pool.query(
      `WITH forgotten AS (
         DELETE FROM snapshot WHERE pruned_at < now() - make_interval(days => $1) RETURNING id, gateway_id
       )
       DELETE FROM listing_change h USING forgotten f WHERE h.gateway_id = f.gateway_id AND h.snapshot_id = f.id`,
      [keepDays],
    );
    // Use a scalar subquery, because it is evaluated only for old changes; a join would read every snapshot.
    await this.pool.query(
      `DELETE FROM listing_change h
       WHERE h.at < now() - make_interval(days => $1)
         AND (SELECT s.id FROM snapshot s WHERE s.gateway_id = h.gateway_id AND s.id = h.snapshot_id) IS NULL`,
      [keepDays],
    );
    await this.pool.query(`DELETE FROM former_listing WHERE removed_at < now() - make_interval(days => $1)`, [
      keepDays,
    ]);
  }

  private withGateway(): SelectQueryBuilder<RunEntity> {
    return this.runs
      .createQueryBuilder('run')
      .innerJoin('run.gateway', 'gateway')
      .addSelect(['gateway.id', 'gateway.crm', 'gateway.client']);
  }
}

function toView(run: RunEntity): RunView {
  const { id, gateway, trigger, state, records, added, changed, unchanged, removed, rejected, warnings } = run;
  return {
    ...{ id, crm: gateway.crm, client: gateway.client, trigger, state },
    started_at: run.startedAt?.toJSON() ?? null,
    ended_at: run.endedAt?.toJSON() ?? null,
    fetched_bytes: run.fetchedBytes,
    ...{ records, added, changed, unchanged, removed, rejected, warnings },
    snapshot: run.snapshotId,
    reason: run.reason,
    ...(run.kept !== null && { kept: run.kept.length }),
    ...(run.dryRun && { dry_run: true }),
    ...(run.forced && { forced: true }),
    ...(run.foldedRuns !== null && {
      folded: { runs: run.foldedRuns, first_started_at: run.foldedSince?.toJSON() ?? null },
    }),
  };
}
