import { Pool } from 'pg';

/** The results of a connector's runs. Dry runs, and runs that an operator stopped, do not count. */
export interface ConnectorOutcomes {
  crm: string;
  runs: number;
  failed: number;
  added: number;
  changed: number;
  removed: number;
}

const LISTING_COUNTS = ['added', 'changed', 'removed'];

/** SQL of the recursive table `half`, a binary search: its greatest `low` is the first run requested since `time`. */
export function firstRunSince(time: string): string {
  return `half AS (
         SELECT min(id) AS low, max(id) + 1 AS high FROM run
         UNION ALL
         SELECT CASE WHEN m.is_before THEN m.id + 1 ELSE h.low END, CASE WHEN m.is_before THEN h.high ELSE (h.low + h.high) / 2 END
         FROM half h CROSS JOIN LATERAL (
           SELECT r.id, r.id < h.high AND r.requested_at < ${time} AS is_before
           FROM run r WHERE r.id >= (h.low + h.high) / 2 ORDER BY r.id LIMIT 1
         ) m
         WHERE h.low < h.high
       )`;
}

/** How recent runs ended. */
export class RunOutcomes {
  constructor(private readonly pool: Pool) {}

  async since(hours: number): Promise<ConnectorOutcomes[]> {
    const { rows } = await this.pool.query<ConnectorOutcomes>(
      `WITH RECURSIVE ${firstRunSince('now() - make_interval(hours => $1)')}, ended AS MATERIALIZED (
         SELECT gateway_id, sum(coalesce(folded_runs, 1)) AS runs, count(*) FILTER (WHERE state = 'failed') AS failed,
                ${LISTING_COUNTS.map((name) => `sum(${name}) FILTER (WHERE state = 'published') AS ${name}`).join(', ')}
         FROM run
         WHERE id >= (SELECT max(low) FROM half) AND ended_at IS NOT NULL AND NOT dry_run AND state <> 'cancelled'
         GROUP BY gateway_id
       )
       SELECT g.crm, sum(e.runs)::int AS runs, sum(e.failed)::int AS failed,
              ${LISTING_COUNTS.map((name) => `coalesce(sum(e.${name}), 0)::int AS ${name}`).join(', ')}
       FROM ended e JOIN gateway g ON g.id = e.gateway_id GROUP BY g.crm ORDER BY g.crm`,
      [hours],
    );
    return rows;
  }
}
