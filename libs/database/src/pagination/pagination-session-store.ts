import { Pool } from 'pg';
import type { PublishedSnapshot } from '../gateway/served-gateways';
import { WRITES_REFUSED_CHANNEL } from '@passerelle/domain';
import { DatabaseClock } from '../database-clock';
import { isDatabaseAway, RefusedWrites } from '../database-failures';
import {
  type RequestedPage,
  fromAges,
  type SessionAges,
  type UnwrittenSession,
  UnwrittenSessions,
  type SessionOwner,
} from './unwritten-sessions';
import { ago, isInTime, NOW, PROVEN, type ProvenRow, STEP, type SteppedRow } from './session-statements';

/** A concurrent session may use a snapshot that the statement cannot see yet; the next attempt sees it. */
const MOST_ATTEMPTS = 4;
/** One notification per second and process is enough: each stays effective for the lifetime of a session. */
const ANNOUNCE_EVERY_MS = 1_000;

/** This process cannot prove which snapshot a later page needs: the reader has to start again with page 1. */
export class UnknownPaginationSession extends Error {
  constructor() {
    super('the snapshot of this pagination session is recorded nowhere');
  }
}

/**
 * Stores pagination sessions that outlive a publication; rows are written and read only around a publication. While
 * PostgreSQL is read-only, only one process knows a new session, so each process uses data that all processes see:
 * - if a session in progress has a row: the row's snapshot, also for page 1;
 * - else for page 1: the current snapshot of the database;
 * - else: the current snapshot if this process sent a page 1 from it, because every page 1 since then used it too.
 * Without this proof the process throws `UnknownPaginationSession`. A process announces a refused write before it sends
 * the page. After the last refusal, no process serves a later page without a proof for the lifetime of a session.
 */
export class PaginationSessionStore {
  private readonly unwritten = new UnwrittenSessions();
  /** When a write was last refused, in this or another process, in ms of the monotonic clock. */
  private refusedAtMs = -Infinity;
  private announcedAtMs = -Infinity;
  private announced: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly refused: RefusedWrites,
    private readonly clock: DatabaseClock,
  ) {}

  async isKnown({ gatewayId, reader }: SessionOwner, walkSeconds: number): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'known-pagination-session',
      text: `SELECT 1 FROM walk w WHERE gateway_id = $1 AND reader = $2 AND ${isInTime('clock_timestamp()', '$3')}`,
      values: [gatewayId, reader, walkSeconds],
    });
    return rows.length > 0;
  }

  /**
   * Continues the reader's session, unless it is too old, or finished and page 1 is requested again. Only first and
   * last pages are recorded.
   * @returns the page's snapshot, perhaps newer than the one that this process knows @throws UnknownPaginationSession
   */
  async step(page: RequestedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const unwritten = this.unwritten.get(page.gatewayId, page.reader);
    try {
      if (unwritten !== null) await this.writeUnwritten(page, unwritten);
      const snapshot = await this.written(page, walkSeconds);
      if (snapshot !== null) return snapshot;
    } catch (error) {
      this.refused.note(error);
      await this.announceRefusal();
    }
    return this.proven(page, walkSeconds);
  }

  noteRefusal(): void {
    this.refusedAtMs = performance.now();
  }

  /** Notify the other processes before the page is sent: its reader may request the next page from one of them. */
  private async announceRefusal(): Promise<void> {
    this.noteRefusal();
    const nowMs = performance.now();
    if (nowMs - this.announcedAtMs >= ANNOUNCE_EVERY_MS) {
      this.announcedAtMs = nowMs;
      // A standby accepts no notifications: in that case each process detects the refusal itself.
      this.announced = this.pool.query('SELECT pg_notify($1, $2)', [WRITES_REFUSED_CHANNEL, '']).then(
        () => undefined,
        () => undefined,
      );
    }
    await this.announced;
  }

  /** Whether another process may be the only one that knows a session. */
  private mayLackSessions(walkSeconds: number): boolean {
    return performance.now() - this.refusedAtMs < walkSeconds * 1000;
  }

  /** @returns null for a later page without a session in progress, when another process may know the session */
  private async written(page: RequestedPage, walkSeconds: number): Promise<PublishedSnapshot | null> {
    const { gatewayId, reader, begin, isFirst, upTo } = page;
    let mayBegin = isFirst;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const { rows } = await this.pool.query<SteppedRow>({
        name: 'step-of-pagination',
        text: STEP,
        values: [gatewayId, reader, begin, isFirst, upTo, walkSeconds, mayBegin],
      });
      const stepped = rows[0];
      // Check after the query: by now, every refusal that was announced before this request has arrived.
      const isDoubtful = !isFirst && stepped?.isUnderWay !== true && this.mayLackSessions(walkSeconds);
      if (isDoubtful) return null;
      if (stepped?.isRecorded === false) mayBegin = true;
      const snapshot = stepped?.snapshot ?? null;
      if (snapshot !== null) return snapshot;
    }
    throw goneSnapshot(gatewayId);
  }

  /** The snapshot that every process chooses without a write. @throws UnknownPaginationSession */
  private async proven(page: RequestedPage, walkSeconds: number): Promise<PublishedSnapshot> {
    const { gatewayId, reader, isFirst } = page;
    const { rows } = await this.pool.query<ProvenRow>({
      name: 'snapshot-of-pagination',
      text: PROVEN,
      values: [gatewayId, reader, walkSeconds],
    });
    const row = rows[0];
    if (row === undefined) throw goneSnapshot(gatewayId);
    const { current, recorded } = row;
    if (recorded !== null && row.isUnderWay) return recorded;
    const known = this.unwritten.of(page, walkSeconds, current.id);
    const isProven = known !== null || row.isOnlyList || recorded?.id === current.id;
    if (!isFirst && !isProven) throw new UnknownPaginationSession();
    this.unwritten.note(page, current, known);
    return current;
  }

  /** Drops a session whose snapshot was replaced, because its reader may have begun again in another process. */
  private async writeUnwritten({ gatewayId, reader }: SessionOwner, session: UnwrittenSession): Promise<void> {
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
        ...[gatewayId, reader, session.snapshotId, nowMs - session.firstMs, nowMs - session.lastFirstMs],
        session.finishedMs === null ? null : nowMs - session.finishedMs,
      ],
    );
    this.unwritten.delete(gatewayId, reader);
  }

  /**
   * Stores sessions for replaced snapshots, merged with the records of other processes. A session from before a refused
   * write is not stored, because its reader may have begun again in another process since.
   */
  async save(gatewayId: number, sessions: readonly SessionAges[]): Promise<void> {
    const sinceRefusalMs = performance.now() - this.refusedAtMs;
    const current = sessions.filter(({ lastFirstAgeMs }) => lastFirstAgeMs < sinceRefusalMs);
    if (current.length === 0) return;
    try {
      await this.write(gatewayId, current);
    } catch (error) {
      if (!isDatabaseAway(error)) {
        this.refused.note(error);
        await this.announceRefusal();
      }
      const nowMs = performance.now();
      for (const session of current) {
        // This process already has a newer and more complete record of the session.
        if (this.unwritten.get(gatewayId, session.reader) !== null) continue;
        this.unwritten.set(gatewayId, session.reader, fromAges(session, nowMs));
      }
    }
  }

  private async write(gatewayId: number, sessions: readonly SessionAges[]): Promise<void> {
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
        sessions.map(({ reader }) => reader),
        sessions.map(({ snapshotId }) => snapshotId),
        sessions.map(({ firstAgeMs }) => firstAgeMs),
        sessions.map(({ lastFirstAgeMs }) => lastFirstAgeMs),
        sessions.map(({ finishedAgeMs }) => finishedAgeMs),
        this.clock.nowMs(),
      ],
    );
  }

  /** Records that a reader will not request the last page of its session for a snapshot. */
  async finish(owner: SessionOwner, snapshotId: number): Promise<void> {
    const { gatewayId, reader } = owner;
    this.endUnwritten(owner, this.unwritten.get(gatewayId, reader), snapshotId);
    try {
      await this.pool.query({
        name: 'finish-pagination',
        text: `UPDATE walk SET finished_at = clock_timestamp()
               WHERE gateway_id = $1 AND reader = $2 AND snapshot_id = $3
                 AND coalesce(finished_at < last_first_at, true)`,
        values: [gatewayId, reader, snapshotId],
      });
    } catch (error) {
      // The row stays, so the reader gets the former list until writes work again or the session's lifetime ends.
      this.refused.note(error);
    }
  }

  private endUnwritten(
    { gatewayId, reader }: SessionOwner,
    session: UnwrittenSession | null,
    snapshotId: number,
  ): void {
    if (session?.snapshotId !== snapshotId || (session.finishedMs ?? -Infinity) >= session.lastFirstMs) return;
    this.unwritten.set(gatewayId, reader, { ...session, finishedMs: performance.now() });
  }

  /** Deletes sessions that no reader can continue. @param walkSeconds the longest lifetime of a session */
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
  return new Error(`the snapshot of a pagination session through the list of gateway ${gatewayId} is gone`);
}
