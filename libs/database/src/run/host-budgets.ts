import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

export type DaysRequest =
  | { kind: 'granted' }
  /** Today's requests are used up; more are available at `untilMs`. */
  | { kind: 'exhausted'; untilMs: number };

/** One of the concurrent requests that a source allows. */
export interface RequestSlot {
  key: string;
  slot: number;
  holder: string;
}

/** The network may move requests closer together, and a source may count in any second. */
const LEFT_FREE = 1.1;

/** A slot beyond both limits was assigned while the clock was ahead, so do not wait for it. */
const FURTHEST_SECONDS = 900;
const MOST_BEFORE = 10_000;

/** Requests to sources, counted in PostgreSQL so that all processes share the count. */
export class HostBudgets {
  constructor(private readonly pool: Pool) {}

  /** Slots do not accumulate while a source is idle, because quotas forbid bursts. @returns ms until the slot */
  async reserve(host: string, perSecond: number): Promise<number> {
    const apart = LEFT_FREE / perSecond;
    const { rows } = await this.pool.query<{ waitMs: number }>({
      name: 'reserve-request',
      text: `
        INSERT INTO host_budget AS b (key, next_at, day, used)
        VALUES ($1, clock_timestamp() + make_interval(secs => $2), (now() AT TIME ZONE 'UTC')::date, 0)
        ON CONFLICT (key) DO UPDATE SET
          next_at = make_interval(secs => $2) + CASE
            WHEN b.next_at BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => $3) THEN b.next_at
            ELSE clock_timestamp() END
        RETURNING (extract(epoch FROM next_at - make_interval(secs => $2) - clock_timestamp()) * 1000)::float8 AS "waitMs"`,
      values: [host, apart, Math.max(FURTHEST_SECONDS, MOST_BEFORE * apart)],
    });
    return Math.max(0, rows[0]?.waitMs ?? 0);
  }

  /** Counts one more request today (in UTC), unless `perDay` are used up. */
  async countToday(account: string, perDay: number): Promise<DaysRequest> {
    const { rowCount } = await this.pool.query({
      name: 'count-request',
      text: `
        INSERT INTO host_budget AS b (key, next_at, day, used)
        VALUES ('day ' || $1, now(), (now() AT TIME ZONE 'UTC')::date, 1)
        ON CONFLICT (key) DO UPDATE SET
          day = excluded.day, used = CASE WHEN b.day = excluded.day THEN b.used + 1 ELSE 1 END
        WHERE b.day <> excluded.day OR b.used < $2`,
      values: [account, perDay],
    });
    return rowCount === 1 ? { kind: 'granted' } : { kind: 'exhausted', untilMs: msToMidnightUtc() };
  }

  /** The slot of a process that crashes becomes free after `forMs`. */
  async enter(key: string, atOnce: number, forMs: number): Promise<RequestSlot | null> {
    const holder = randomUUID();
    const { rows } = await this.pool.query<{ place: number }>({
      name: 'enter-place',
      text: `
        INSERT INTO request_place AS p (key, place, holder, until)
        SELECT $1, free.place, $3, clock_timestamp() + make_interval(secs => $4)
        FROM (
          SELECT one.place FROM generate_series(1, $2::int) AS one (place)
          WHERE NOT EXISTS (SELECT FROM request_place r WHERE r.key = $1 AND r.place = one.place AND r.until > clock_timestamp())
          ORDER BY random() LIMIT 1
        ) AS free
        ON CONFLICT (key, place) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE p.until <= clock_timestamp()
        RETURNING place`,
      values: [key, atOnce, holder, forMs / 1000],
    });
    const slot = rows[0]?.place;
    return slot === undefined ? null : { key, slot, holder };
  }

  /** Extends a slot to `forMs` from now. */
  async stay({ key, slot, holder }: RequestSlot, forMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE request_place SET until = clock_timestamp() + make_interval(secs => $4)
       WHERE key = $1 AND place = $2 AND holder = $3`,
      [key, slot, holder, forMs / 1000],
    );
  }

  /** Frees a slot, unless another request has taken it meanwhile. */
  async leave({ key, slot, holder }: RequestSlot): Promise<void> {
    await this.pool.query({
      name: 'leave-place',
      text: 'DELETE FROM request_place WHERE key = $1 AND place = $2 AND holder = $3',
      values: [key, slot, holder],
    });
  }
}

function msToMidnightUtc(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
}
