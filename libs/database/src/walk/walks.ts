import { Pool } from 'pg';
import type { PublishedSnapshot } from '../gateway/served-gateways';
import { WRITES_REFUSED_CHANNEL } from '@passerelle/domain';
import { DatabaseClock } from '../database-clock';
import { isDatabaseAway, RefusedWrites } from '../database-failures';
import {
  type AskedPage,
  fromAges,
  type RememberedWalk,
  type UnwrittenWalk,
  UnwrittenWalks,
  type WalkOf,
} from './unwritten-walks';
import { ago, isInTime, NOW, PROVEN, type ProvenRow, STEP, type SteppedRow } from './walk-statements';

/** A walk that begins elsewhere at this moment may use a snapshot that the statement cannot see yet: the next one can. */
const MOST_ATTEMPTS = 4;
/** One notification per second and process is enough, because it applies for the time of a walk. */
const ANNOUNCE_EVERY_MS = 1_000;

/** A later page of a walk whose snapshot this process cannot prove: the reader has to start again with page 1. */
export class UnknownWalk extends Error {
  constructor() {
    super('the snapshot of this walk is recorded nowhere');
  }
}

/**
 * Walks that outlive a publication. Rows are written and read around a publication only: a reader of a list that has
 * not changed for the time of a walk needs none.
 *
 * While PostgreSQL is read-only, only one process knows a walk that begins. All processes must still choose the same
 * snapshot, so each decides from data that all can see:
 * - if a walk that is under way has a row: its snapshot, also for page 1;
 * - else for page 1: the current snapshot of the database;
 * - else for a later page: the current snapshot if this process can prove that the walk began with it. The proof is a
 *   page 1 that this process sent from the same snapshot, because every page 1 since then came from it too. Without a
 *   proof it is an `UnknownWalk`.
 *
 * A refused write is announced to the other processes before its page is sent. For the time of a walk after the last
 * refusal, another process may be the only one that knows a walk, so no process serves a later page without a proof.
 */
export class Walks {
  private readonly unwritten = new UnwrittenWalks();
  /** When a write was last refused, here or in another process, in ms of the monotonic clock. */
  private refusedAtMs = -Infinity;
  private announcedAtMs = -Infinity;
  private announced: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly refused: RefusedWrites,
    private readonly clock: DatabaseClock,
  ) {}

  /** Whether the reader has a known walk whose first page is recent enough. */
  async isKnown({ gatewayId, reader }: WalkOf, walkSeconds: number): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'known-walk',
      text: `SELECT 1 FROM walk w WHERE gateway_id = $1 AND reader = $2 AND ${isInTime('clock_timestamp()', '$3')}`,
      values: [gatewayId, reader, walkSeconds],
    });
    return rows.length > 0;
  }

  /**
   * The reader's next step: continues its walk, unless that took too long, or it is finished and page 1 is requested again; else
   * begins one. Notes first and last pages; a page between them writes nothing.
   *
   * @returns the snapshot of the page. It may be newer than the one that this process knows: another process may be notified of a
   * publication earlier.
   * @throws UnknownWalk
   */
  async step(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const unwritten = this.unwritten.get(page.gatewayId, page.reader);
    try {
      if (unwritten !== null) await this.writeDown(page, unwritten);
      const snapshot = await this.written(page, walkSeconds);
      if (snapshot !== null) return snapshot;
    } catch (error) {
      this.refused.note(error);
      await this.announceRefusal();
    }
    return this.proven(page, walkSeconds);
  }

  /** Notes that a write was refused, here or in another process. */
  hearRefusal(): void {
    this.refusedAtMs = performance.now();
  }

  /** Notify the other processes before the page is sent: its reader may request the next page from one of them. */
  private async announceRefusal(): Promise<void> {
    this.hearRefusal();
    const nowMs = performance.now();
    if (nowMs - this.announcedAtMs >= ANNOUNCE_EVERY_MS) {
      this.announcedAtMs = nowMs;
      // A standby accepts no notifications: there, each process finds out by itself.
      this.announced = this.pool.query('SELECT pg_notify($1, $2)', [WRITES_REFUSED_CHANNEL, '']).then(
        () => undefined,
        () => undefined,
      );
    }
    await this.announced;
  }

  /** Whether another process may be the only one that knows a walk. */
  private mayLackWalks(walkSeconds: number): boolean {
    return performance.now() - this.refusedAtMs < walkSeconds * 1000;
  }

  /**
   * @returns null for a later page whose row is missing or finished, while another process may be the only one that
   * knows the walk
   */
  private async written(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot | null> {
    const { gatewayId, reader, begin, isFirst, upTo } = page;
    let mayBegin = isFirst;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const { rows } = await this.pool.query<SteppedRow>({
        name: 'step-of-walk',
        text: STEP,
        values: [gatewayId, reader, begin, isFirst, upTo, walkSeconds, mayBegin],
      });
      const stepped = rows[0];
      // Check after the query: a refusal that was announced before the reader sent this request has arrived by now.
      const isDoubtful = !isFirst && stepped?.isUnderWay !== true && this.mayLackWalks(walkSeconds);
      if (isDoubtful) return null;
      if (stepped?.isRecorded === false) mayBegin = true;
      const snapshot = stepped?.snapshot ?? null;
      if (snapshot !== null) return snapshot;
    }
    throw goneSnapshot(gatewayId);
  }

  /** The snapshot that every process chooses without a write. @throws UnknownWalk */
  private async proven(page: AskedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const { gatewayId, reader, isFirst } = page;
    const { rows } = await this.pool.query<ProvenRow>({
      name: 'snapshot-of-walk',
      text: PROVEN,
      values: [gatewayId, reader, walkSeconds],
    });
    const row = rows[0];
    if (row === undefined) throw goneSnapshot(gatewayId);
    const { current, walked } = row;
    if (walked !== null && row.isUnderWay) return walked;
    const known = this.unwritten.of(page, walkSeconds, current.id);
    const isProven = known !== null || row.isOnlyList || walked?.id === current.id;
    if (!isFirst && !isProven) throw new UnknownWalk();
    this.unwritten.note(page, current, known);
    return current;
  }

  /**
   * Stores a walk that only this process knows. A walk through a list that was replaced is dropped: its reader may have begun
   * again at another process since.
   */
  private async writeDown({ gatewayId, reader }: WalkOf, walk: UnwrittenWalk): Promise<void> {
    const nowMs = performance.now();
    await this.pool.query(
      `INSERT INTO walk AS w (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
       SELECT $1, $2, $3, ${ago('$4::float8')}, ${ago('$5::float8')}, ${ago('$6::float8')}
       WHERE EXISTS (SELECT 1 FROM gateway g WHERE g.id = $1 AND g.current_snapshot_id = $3)
       ON CONFLICT (gateway_id, reader) DO UPDATE
       SET (snapshot_id, first_at, last_first_at, finished_at)
         = (excluded.snapshot_id, excluded.first_at, excluded.last_first_at, excluded.finished_at)
       WHERE w.last_first_at < excluded.last_first_at`,
      [
        ...[gatewayId, reader, walk.snapshotId, nowMs - walk.firstMs, nowMs - walk.lastFirstMs],
        walk.finishedMs === null ? null : nowMs - walk.finishedMs,
      ],
    );
    this.unwritten.delete(gatewayId, reader);
  }

  /**
   * Stores the walks that a process knows through snapshots that were replaced; walks through the current one need no row.
   * Several processes may know parts of one walk: the earliest first page and the latest of the others count. A walk that has
   * begun since stays. A walk from before a refused write is not stored: its reader may have begun again at another process
   * since.
   */
  async save(gatewayId: number, walks: readonly RememberedWalk[]): Promise<void> {
    const sinceRefusalMs = performance.now() - this.refusedAtMs;
    const current = walks.filter(({ lastFirstAgeMs }) => lastFirstAgeMs < sinceRefusalMs);
    if (current.length === 0) return;
    try {
      await this.write(gatewayId, current);
    } catch (error) {
      if (!isDatabaseAway(error)) {
        this.refused.note(error);
        await this.announceRefusal();
      }
      const nowMs = performance.now();
      for (const walk of current) {
        // The newer notes about it are more complete.
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

  /** Notes that a reader will not request the last page of its walk through a snapshot. */
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
      // Its row stays: the reader gets the former list again, until writes work again or the time of its walk is over.
      this.refused.note(error);
    }
  }

  private endUnwritten({ gatewayId, reader }: WalkOf, walk: UnwrittenWalk | null, snapshotId: number): void {
    if (walk?.snapshotId !== snapshotId || (walk.finishedMs ?? -Infinity) >= walk.lastFirstMs) return;
    this.unwritten.set(gatewayId, reader, { ...walk, finishedMs: performance.now() });
  }

  /** Deletes walks that no reader can continue. @param walkSeconds the longest time of a walk */
  async prune(walkSeconds: number): Promise<void> {
    // The second condition implies the first, and the first one has an index.
    await this.pool.query(
      `DELETE FROM walk WHERE first_at < now() - make_interval(secs => $1)
         AND last_first_at < now() - make_interval(secs => $1)`,
      [walkSeconds],
    );
  }
}

function goneSnapshot(gatewayId: number): Error {
  return new Error(`the snapshot of a walk through the list of gateway ${gatewayId} is gone`);
}
