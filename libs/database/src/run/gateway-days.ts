import { Pool } from 'pg';

export interface GatewayDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** The number of listings in the last list of that day. */
  listings: number;
  added: number;
  changed: number;
  removed: number;
}

export class GatewayDays {
  constructor(private readonly pool: Pool) {}

  /** Lists publication days, oldest first. The last day before the period is included as the initial size. */
  async list(gatewayId: number, days: number): Promise<GatewayDay[]> {
    const { rows } = await this.pool.query<GatewayDay>(
      `WITH published AS MATERIALIZED (
         SELECT id, run_id, total, (published_at AT TIME ZONE 'UTC')::date AS day
         FROM snapshot WHERE gateway_id = $1 AND published_at IS NOT NULL
       ), wanted AS (
         SELECT * FROM published WHERE day > current_date - $2::integer
         UNION ALL
         (SELECT * FROM published WHERE day <= current_date - $2::integer ORDER BY id DESC LIMIT 1)
       )
       SELECT to_char(w.day, 'YYYY-MM-DD') AS day, (array_agg(w.total ORDER BY w.id DESC))[1] AS listings,
              coalesce(sum(r.added), 0)::int AS added, coalesce(sum(r.changed), 0)::int AS changed,
              coalesce(sum(r.removed), 0)::int AS removed
       FROM wanted w LEFT JOIN run r ON r.id = w.run_id
       GROUP BY w.day ORDER BY w.day`,
      [gatewayId, days],
    );
    return rows;
  }
}
