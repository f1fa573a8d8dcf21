import { Pool } from 'pg';
import { inTransaction } from '../transaction';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { firstRunSince } from './run-outcomes';

export interface InstallationDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** The listings of all active gateways at the end of the day; null when unknown. */
  listings: number | null;
  runs: number;
  failed: number;
  added: number;
  changed: number;
  removed: number;
}

/** Sums of each day, because adding up the runs of a month takes too long for a page. */
export class InstallationDays {
  constructor(private readonly pool: Pool) {}

  /** The stored days of the period, oldest first. */
  async list(days: number): Promise<InstallationDay[]> {
    const { rows } = await this.pool.query<InstallationDay>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, listings, runs, failed, added, changed, removed
       FROM installation_day WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::integer ORDER BY day`,
      [days],
    );
    return rows;
  }

  /** Adds up today, and yesterday once more, because runs of its last minutes end later. Removes older days. */
  async renew(keepDays: number): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      for (const ago of [1, 0]) await client.query(SUM_OF_DAY, [ago]);
      await client.query(`DELETE FROM installation_day WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::integer`, [
        keepDays,
      ]);
    });
  }
}

const START = `(date_trunc('day', now() AT TIME ZONE 'UTC') - make_interval(days => $1)) AT TIME ZONE 'UTC'`;

const SUM_OF_DAY = `
  WITH RECURSIVE ${firstRunSince(START)}
  INSERT INTO installation_day AS d (day, listings, runs, failed, added, changed, removed)
  SELECT (${START} AT TIME ZONE 'UTC')::date,
         CASE $1::integer WHEN 0 THEN (
           SELECT coalesce(sum(s.total), 0) FROM gateway g
           JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id WHERE ${IS_GATEWAY_ACTIVE}) END,
         coalesce(sum(coalesce(folded_runs, 1)), 0), count(*) FILTER (WHERE state = 'failed'),
         coalesce(sum(added) FILTER (WHERE state = 'published'), 0),
         coalesce(sum(changed) FILTER (WHERE state = 'published'), 0),
         coalesce(sum(removed) FILTER (WHERE state = 'published'), 0)
  FROM run
  WHERE id >= (SELECT max(low) FROM half) AND requested_at >= ${START} AND requested_at < ${START} + interval '1 day'
    AND ended_at IS NOT NULL AND NOT dry_run AND state <> 'cancelled'
  ON CONFLICT (day) DO UPDATE SET listings = coalesce(excluded.listings, d.listings), runs = excluded.runs,
    failed = excluded.failed, added = excluded.added, changed = excluded.changed, removed = excluded.removed`;
