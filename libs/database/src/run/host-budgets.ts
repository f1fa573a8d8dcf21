import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

export type DaysRequest =
  | { kind: 'granted' }
  /** Today's requests are used up. */
  | { kind: 'exhausted'; untilMs: number };

/** Requests to sources, counted in PostgreSQL so that every process sees the same. */
@Injectable()
export class HostBudgets {
  constructor(private readonly pool: Pool) {}

  /**
   * Reserves the next free slot for one request. Slots are `1 / perSecond` seconds apart and do not add up while a
   * source is idle: quotas forbid bursts.
   *
   * @returns the time until the slot, in ms.
   */
  async reserve(host: string, perSecond: number): Promise<number> {
    const { rows } = await this.pool.query<{ waitMs: number }>({
      name: 'reserve-request',
      text: `
        INSERT INTO host_budget AS b (key, next_at, day, used)
        VALUES ($1, clock_timestamp() + make_interval(secs => $2), (now() AT TIME ZONE 'UTC')::date, 0)
        ON CONFLICT (key) DO UPDATE SET
          next_at = greatest(b.next_at, clock_timestamp()) + make_interval(secs => $2)
        RETURNING (extract(epoch FROM next_at - make_interval(secs => $2) - clock_timestamp()) * 1000)::float8 AS "waitMs"`,
      values: [host, 1 / perSecond],
    });
    return Math.max(0, rows[0]?.waitMs ?? 0);
  }

  /** Counts one request of today (in UTC), unless `perDay` are used up. */
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
}

function msToMidnightUtc(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
}
