import { Pool } from 'pg';
import { Injectable } from '../injection';

/** A reader's walk through the pages of one snapshot. */
export interface RecordedWalk {
  snapshotId: number;
  /** Whether the reader has not been sent the last page since it last asked for the first. */
  isUnderWay: boolean;
}

/** What one process remembers of a reader's walk; ages in ms, so that the clocks of processes do not matter. */
export interface RememberedWalk {
  reader: Buffer;
  snapshotId: number;
  firstAgeMs: number;
  lastFirstAgeMs: number;
  finishedAgeMs: number | null;
}

/** Whose walk it is: a gateway and a hash of what tells its readers apart. */
interface WalkOf {
  gatewayId: number;
  reader: Buffer;
}

/**
 * Walks that outlive a publication. Rows are written and read around a publication only: whoever reads a list that has
 * not changed for as long as a walk may take needs none.
 */
@Injectable()
export class Walks {
  constructor(private readonly pool: Pool) {}

  /** The reader's walk, unless its first page is longer ago than a walk may take. */
  async find({ gatewayId, reader }: WalkOf, walkSeconds: number): Promise<RecordedWalk | null> {
    const { rows } = await this.pool.query<RecordedWalk>({
      name: 'find-walk',
      text: `SELECT snapshot_id AS "snapshotId", coalesce(last_first_at > finished_at, true) AS "isUnderWay"
             FROM walk WHERE gateway_id = $1 AND reader = $2
               AND CASE WHEN first_at <= finished_at AND finished_at < last_first_at THEN last_first_at ELSE first_at END
                 > clock_timestamp() - make_interval(secs => $3)`,
      values: [gatewayId, reader, walkSeconds],
    });
    return rows[0] ?? null;
  }

  /** Begins a walk in place of the reader's former one. */
  async begin({ gatewayId, reader }: WalkOf, snapshotId: number): Promise<void> {
    await this.pool.query({
      name: 'begin-walk',
      text: `INSERT INTO walk (gateway_id, reader, snapshot_id, first_at, last_first_at)
             VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp())
             ON CONFLICT (gateway_id, reader) DO UPDATE
             SET snapshot_id = excluded.snapshot_id, first_at = excluded.first_at, last_first_at = excluded.last_first_at,
                 finished_at = NULL`,
      values: [gatewayId, reader, snapshotId],
    });
  }

  /** Notes that the reader of a walk under way asked for its first page again, or was sent its last. */
  async note({ gatewayId, reader }: WalkOf, page: 'first' | 'last'): Promise<void> {
    const column = page === 'first' ? 'last_first_at' : 'finished_at';
    await this.pool.query({
      name: `note-${page}-page`,
      text: `UPDATE walk SET ${column} = clock_timestamp() WHERE gateway_id = $1 AND reader = $2`,
      values: [gatewayId, reader],
    });
  }

  /**
   * Writes down what a process remembers of walks through snapshots that were replaced; walks through the current one
   * need no row. Several processes may remember parts of one walk: the earliest first page and the latest of the others
   * count. A walk that has begun since stays.
   */
  async save(gatewayId: number, walks: readonly RememberedWalk[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO walk AS w (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
       SELECT $1, u.reader, u.snapshot_id, ${ago('u.first_age')}, ${ago('u.last_first_age')}, ${ago('u.finished_age')}
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
      ],
    );
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

function ago(milliseconds: string): string {
  return `clock_timestamp() - make_interval(secs => ${milliseconds} / 1000)`;
}
