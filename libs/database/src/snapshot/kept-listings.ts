import { Pool, type PoolClient } from 'pg';

/** The listings that keep their last published version because their records are unreadable. */
export class KeptListings {
  constructor(private readonly pool: Pool) {}

  /** `isOver`: kept for at least `hours`. A time in the future, from a clock that was ahead, counts as now. */
  async find(gatewayId: number, hours: number): Promise<{ affId: string; isOver: boolean }[]> {
    const { rows } = await this.pool.query<{ affId: string; isOver: boolean }>(
      `SELECT aff_id AS "affId", least(kept_since, now()) <= now() - make_interval(hours => $2) AS "isOver"
       FROM kept_listing WHERE gateway_id = $1`,
      [gatewayId, hours],
    );
    return rows;
  }
}

/** Stored listings keep their time. Needs a lock on the lease row. @param since ISO 8601; by default now */
export async function storeKept(
  client: PoolClient,
  gatewayId: number,
  affIds: readonly string[],
  since: string | null = null,
): Promise<void> {
  await client.query(
    `WITH kept AS MATERIALIZED (SELECT unnest($2::text[]) AS aff_id), over AS (
       DELETE FROM kept_listing o WHERE gateway_id = $1 AND NOT EXISTS (SELECT FROM kept k WHERE k.aff_id = o.aff_id)
     )
     INSERT INTO kept_listing AS k (gateway_id, aff_id, kept_since)
     SELECT $1, aff_id, least($3::timestamptz, now()) FROM kept
     ON CONFLICT (gateway_id, aff_id) DO UPDATE SET kept_since = now() WHERE k.kept_since > now()`,
    [gatewayId, affIds, since],
  );
}
