import { Pool } from 'pg';
import { type PublishedSnapshot, snapshotJson } from '../gateway/served-gateways';
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../database-clock';
import { isDatabaseAway, RefusedWrites } from '../database-failures';
import { type AskedPage, isOnWalk, type UnwrittenWalk, UnwrittenWalks, type WalkOf } from './unwritten-walks';

/** What one process remembers of a reader's walk; ages in ms, so that the clocks of processes do not matter. */
export interface RememberedWalk {
  reader: Buffer;
  snapshotId: number;
  firstAgeMs: number;
  lastFirstAgeMs: number;
  finishedAgeMs: number | null;
}

/**
 * Walks that outlive a publication. Rows are written and read around a publication only: a reader of a list that has
 * not changed for as long as a walk may take needs none.
 *
 * While PostgreSQL reads and takes no writes, this process keeps the walks of its readers in memory. It writes each down
 * when the reader comes again and that is possible.
 */
@Injectable()
export class Walks {
  private readonly unwritten = new UnwrittenWalks();
  /** Those that are written down, as far as this process has seen them: for the time when PostgreSQL does not answer. */
  private readonly seen = new UnwrittenWalks();

  constructor(
    private readonly pool: Pool,
    private readonly refused: RefusedWrites,
    private readonly clock: DatabaseClock,
  ) {}

  /** Whether a walk of the reader is known that its first page is not too long ago for. */
  async isKnown({ gatewayId, reader }: WalkOf, walkSeconds: number): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'known-walk',
      text: `SELECT 1 FROM walk w WHERE gateway_id = $1 AND reader = $2 AND ${isInTime('clock_timestamp()', '$3')}`,
      values: [gatewayId, reader, walkSeconds],
    });
    return rows.length > 0;
  }

  /**
   * The reader's next step: goes on with its walk, unless that took too long, or is over and page 1 is asked for again; else
   * begins one. Notes first and last pages; a page between them writes nothing.
   *
   * @returns the snapshot that the page comes from. It may be newer than what this process knows of: another one has heard
   *   of a publication earlier.
   */
  async step(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const unwritten = this.unwritten.get(page.gatewayId, page.reader);
    try {
      if (unwritten !== null) await this.writeDown(page, unwritten);
      const snapshot = await this.written(page, walkSeconds);
      this.seen.note(page, snapshot, this.seen.of(page, walkSeconds, snapshot.id));
      return snapshot;
    } catch (error) {
      this.refused.note(error);
      return await this.remembered(page, walkSeconds);
    }
  }

  /**
   * The same while PostgreSQL does not answer: of walks this process knows what it has seen itself.
   *
   * @param kept the snapshots that can be read
   * @returns null for one that cannot
   */
  stepAway(page: AskedPage, walkSeconds: number, kept: readonly PublishedSnapshot[]): PublishedSnapshot | null {
    const known = this.unwritten.of(page, walkSeconds) ?? this.seen.of(page, walkSeconds);
    const snapshot = kept.find(({ id }) => id === (known?.snapshotId ?? page.begin));
    if (snapshot === undefined) return null;
    this.unwritten.note(page, snapshot, known);
    return snapshot;
  }

  private async written(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const { gatewayId, reader, begin, isFirst, upTo } = page;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const { rows } = await this.pool.query<{ snapshot: PublishedSnapshot }>({
        name: 'step-of-walk',
        text: STEP,
        values: [gatewayId, reader, begin, isFirst, upTo, walkSeconds],
      });
      if (rows[0] !== undefined) return rows[0].snapshot;
    }
    throw goneSnapshot(gatewayId);
  }

  private async remembered(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const { gatewayId, reader, begin, isFirst } = page;
    const nowMs = performance.now();
    const walk = this.unwritten.get(gatewayId, reader) ?? (await this.loadWalk(page, nowMs));
    const known = walk !== null && isOnWalk(walk, { isFirst, nowMs }, walkSeconds * 1000) ? walk : null;
    const { rows } = await this.pool.query<{ snapshot: PublishedSnapshot }>({
      name: 'snapshot-of-walk',
      text: `SELECT ${snapshotJson('s')} AS snapshot FROM snapshot s WHERE s.gateway_id = $2 AND s.id = $1`,
      values: [known?.snapshotId ?? begin, gatewayId],
    });
    const snapshot = rows[0]?.snapshot;
    if (snapshot === undefined) throw goneSnapshot(gatewayId);
    this.unwritten.note(page, snapshot, known);
    return snapshot;
  }

  private async loadWalk({ gatewayId, reader }: WalkOf, nowMs: number): Promise<UnwrittenWalk | null> {
    const { rows } = await this.pool.query<Omit<RememberedWalk, 'reader'>>({
      name: 'walk-as-written',
      text: `SELECT snapshot_id AS "snapshotId", ${age('first_at')} AS "firstAgeMs",
                    ${age('last_first_at')} AS "lastFirstAgeMs", ${age('finished_at')} AS "finishedAgeMs"
             FROM walk WHERE gateway_id = $1 AND reader = $2`,
      values: [gatewayId, reader],
    });
    return rows[0] === undefined ? null : fromAges(rows[0], nowMs);
  }

  /** Whatever else was written of it is older. */
  private async writeDown({ gatewayId, reader }: WalkOf, walk: UnwrittenWalk): Promise<void> {
    const nowMs = performance.now();
    await this.pool.query(
      `INSERT INTO walk (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
       VALUES ($1, $2, $3, ${ago('$4::float8')}, ${ago('$5::float8')}, ${ago('$6::float8')})
       ON CONFLICT (gateway_id, reader) DO UPDATE
       SET (snapshot_id, first_at, last_first_at, finished_at)
         = (excluded.snapshot_id, excluded.first_at, excluded.last_first_at, excluded.finished_at)`,
      [
        ...[gatewayId, reader, walk.snapshotId, nowMs - walk.firstMs, nowMs - walk.lastFirstMs],
        walk.finishedMs === null ? null : nowMs - walk.finishedMs,
      ],
    );
    this.unwritten.delete(gatewayId, reader);
  }

  /**
   * Writes down what a process remembers of walks through snapshots that were replaced; walks through the current one
   * need no row. Several processes may remember parts of one walk: the earliest first page and the latest of the others
   * count. A walk that has begun since stays.
   */
  async save(gatewayId: number, walks: readonly RememberedWalk[]): Promise<void> {
    try {
      await this.write(gatewayId, walks);
    } catch (error) {
      if (!isDatabaseAway(error)) this.refused.note(error);
      const nowMs = performance.now();
      for (const walk of walks) {
        // What was noted of it since says more.
        if (this.unwritten.get(gatewayId, walk.reader) !== null) continue;
        this.unwritten.set(gatewayId, walk.reader, fromAges(walk, nowMs));
      }
    }
  }

  private async write(gatewayId: number, walks: readonly RememberedWalk[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO walk AS w (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
       SELECT $1, u.reader, u.snapshot_id, ${ago('u.first_age', NOW)}, ${ago('u.last_first_age', NOW)}, ${ago('u.finished_age', NOW)}
       FROM unnest($2::bytea[], $3::bigint[], $4::float8[], $5::float8[], $6::float8[])
         AS u (reader, snapshot_id, first_age, last_first_age, finished_age)
       WHERE EXISTS (SELECT 1 FROM gateway g WHERE g.id = $1 AND g.current_snapshot_id <> u.snapshot_id)
       ORDER BY u.reader
       ON CONFLICT (gateway_id, reader) DO UPDATE
       SET first_at = least(w.first_at, excluded.first_at),
           last_first_at = greatest(w.last_first_at, excluded.last_first_at),
           finished_at = greatest(w.finished_at, excluded.finished_at)
       WHERE w.snapshot_id = excluded.snapshot_id`,
      [
        gatewayId,
        walks.map(({ reader }) => reader),
        walks.map(({ snapshotId }) => snapshotId),
        walks.map(({ firstAgeMs }) => firstAgeMs),
        walks.map(({ lastFirstAgeMs }) => lastFirstAgeMs),
        walks.map(({ finishedAgeMs }) => finishedAgeMs),
        this.clock.nowMs(),
      ],
    );
  }

  /** Takes note that a reader will not ask for the last page of its walk through a snapshot. */
  async finish(walkOf: WalkOf, snapshotId: number): Promise<void> {
    const { gatewayId, reader } = walkOf;
    this.endUnwritten(walkOf, this.unwritten.get(gatewayId, reader), snapshotId);
    try {
      await this.pool.query({
        name: 'finish-walk',
        text: `UPDATE walk SET finished_at = clock_timestamp()
               WHERE gateway_id = $1 AND reader = $2 AND snapshot_id = $3
                 AND coalesce(finished_at < last_first_at, true)`,
        values: [gatewayId, reader, snapshotId],
      });
    } catch (error) {
      this.refused.note(error);
      if (this.unwritten.get(gatewayId, reader) !== null) return;
      this.endUnwritten(walkOf, await this.loadWalk(walkOf, performance.now()), snapshotId);
    }
  }

  private endUnwritten({ gatewayId, reader }: WalkOf, walk: UnwrittenWalk | null, snapshotId: number): void {
    if (walk?.snapshotId !== snapshotId || (walk.finishedMs ?? -Infinity) >= walk.lastFirstMs) return;
    this.unwritten.set(gatewayId, reader, { ...walk, finishedMs: performance.now() });
  }

  /** Forgets walks that nobody can be on any more. @param walkSeconds the longest that a walk may take */
  async prune(walkSeconds: number): Promise<void> {
    // The first condition follows from the second, and is the one that has an index.
    await this.pool.query(
      `DELETE FROM walk WHERE first_at < now() - make_interval(secs => $1)
         AND last_first_at < now() - make_interval(secs => $1)`,
      [walkSeconds],
    );
  }
}

/** SQL: whether the first page of the walk `w` is not too long ago. A walk that was over and began again counts from there. */
function isInTime(now: string, walkSeconds: string): string {
  return `CASE WHEN w.first_at <= w.finished_at AND w.finished_at < w.last_first_at THEN w.last_first_at ELSE w.first_at END
    > ${now} - make_interval(secs => ${walkSeconds})`;
}

/** SQL: whether the page belongs to the walk `w`. */
const isOn = (now: string): string => `(${isInTime(now, '$6')}
  AND (NOT $4 OR coalesce(w.last_first_at > w.finished_at, true)))`;

/** SQL: whether the page is the last of a snapshot. */
const isLastOf = (snapshot: string): string =>
  `(SELECT s.total <= $5 FROM snapshot s WHERE s.gateway_id = $1 AND s.id = ${snapshot})`;

/** A walk that begins at this moment elsewhere may be on a snapshot that the statement cannot see yet: the next one can. */
const MOST_ATTEMPTS = 3;

// One time for the whole step: a list of one page is asked for and sent to its end at once, and is over then.
const STEP = `
  WITH asked AS (
    SELECT clock_timestamp() AS at
  ), known AS (
    SELECT w.snapshot_id FROM walk w, asked WHERE w.gateway_id = $1 AND w.reader = $2 AND ${isOn('asked.at')}
  ), stepped AS (
    INSERT INTO walk AS w (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
    SELECT $1, $2, $3, at, at, CASE WHEN ${isLastOf('$3')} THEN at END FROM asked
    WHERE $4 OR NOT EXISTS (SELECT 1 FROM known WHERE NOT ${isLastOf('snapshot_id')})
    ON CONFLICT (gateway_id, reader) DO UPDATE
    SET (snapshot_id, first_at, last_first_at, finished_at) = (
      SELECT CASE WHEN is_on THEN w.snapshot_id ELSE excluded.snapshot_id END,
             CASE WHEN is_on THEN w.first_at ELSE excluded.first_at END,
             CASE WHEN is_on AND NOT $4 THEN w.last_first_at ELSE excluded.first_at END,
             CASE WHEN NOT is_on THEN excluded.finished_at
                  WHEN ${isLastOf('w.snapshot_id')} THEN excluded.first_at
                  ELSE w.finished_at END
      FROM (SELECT ${isOn('excluded.first_at')} AS is_on) _
    )
    RETURNING w.snapshot_id
  )
  SELECT ${snapshotJson('s')} AS snapshot FROM snapshot s
  WHERE s.gateway_id = $1 AND s.id = coalesce((SELECT snapshot_id FROM stepped), (SELECT snapshot_id FROM known))`;

/** SQL: when the ages were taken. The statement may come to the database much later: another process' pages would be ahead of it. */
const NOW = 'coalesce(to_timestamp($7::float8 / 1000), clock_timestamp())';

function ago(milliseconds: string, now = 'clock_timestamp()'): string {
  return `${now} - make_interval(secs => ${milliseconds} / 1000)`;
}

function age(time: string): string {
  return `(extract(epoch FROM clock_timestamp() - ${time}) * 1000)::float8`;
}

function fromAges(walk: Omit<RememberedWalk, 'reader'>, nowMs: number): UnwrittenWalk {
  const { snapshotId, firstAgeMs, lastFirstAgeMs, finishedAgeMs } = walk;
  return {
    snapshotId,
    firstMs: nowMs - firstAgeMs,
    lastFirstMs: nowMs - lastFirstAgeMs,
    finishedMs: finishedAgeMs === null ? null : nowMs - finishedAgeMs,
  };
}

function goneSnapshot(gatewayId: number): Error {
  return new Error(`the snapshot of a walk through the list of gateway ${gatewayId} is gone`);
}
