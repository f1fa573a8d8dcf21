import type { Pool } from 'pg';

/** How many requests one source may get, over all processes. */
export interface RequestBudget {
  perSecond: number;
  /** By the calendar of UTC. */
  perDay?: number | undefined;
}

export type Reservation =
  /** The request may be sent in so many ms. */
  | { kind: 'granted'; waitMs: number }
  /** Today's requests are used up. */
  | { kind: 'exhausted'; untilMs: number };

/** Requests to sources, counted in PostgreSQL so that every process sees the same. */
export class HostBudgets {
  constructor(private readonly pool: Pool) {}

  /**
   * Reserves the next free place for one request. Places are `1 / perSecond` apart; a source that was left alone for a
   * while has gathered none: a burst is what quotas are against.
   *
   * @param key the host, with whatever else the quota is counted by.
   */
  async reserve(key: string, budget: RequestBudget): Promise<Reservation> {
    const { rows } = await this.pool.query<{ waitMs: number }>({
      name: 'reserve-request',
      text: `
        INSERT INTO host_budget AS b (key, next_at, day, used)
        VALUES ($1, clock_timestamp() + make_interval(secs => $2), (now() AT TIME ZONE 'UTC')::date, 1)
        ON CONFLICT (key) DO UPDATE SET
          next_at = greatest(b.next_at, clock_timestamp()) + make_interval(secs => $2),
          day = excluded.day,
          used = CASE WHEN b.day = excluded.day THEN b.used + 1 ELSE 1 END
        WHERE $3::int IS NULL OR b.day <> excluded.day OR b.used < $3
        RETURNING (extract(epoch FROM next_at - make_interval(secs => $2) - clock_timestamp()) * 1000)::float8 AS "waitMs"`,
      values: [key, 1 / budget.perSecond, budget.perDay ?? null],
    });
    const row = rows[0];
    if (row !== undefined) return { kind: 'granted', waitMs: Math.max(0, row.waitMs) };
    return { kind: 'exhausted', untilMs: msToMidnightUtc() };
  }
}

function msToMidnightUtc(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
}
