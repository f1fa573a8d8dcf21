import { Pool } from 'pg';

/** The leases on gateways: which worker may work on a gateway, and its fencing number. */
export class Leases {
  constructor(private readonly pool: Pool) {}

  /** Takes a gateway's lease if it is free. @returns the fencing number; null when another holder has the lease. */
  async acquire(gatewayId: number, holder: string, seconds: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ fence: number }>({
      name: 'acquire-lease',
      text: `
        INSERT INTO gateway_lease (gateway_id, fence, holder, expires_at)
        SELECT id, 1, $2, clock_timestamp() + make_interval(secs => $3) FROM gateway WHERE id = $1
        ON CONFLICT (gateway_id) DO UPDATE
          SET fence = gateway_lease.fence + 1, holder = excluded.holder, expires_at = excluded.expires_at
          WHERE gateway_lease.expires_at < clock_timestamp()
        RETURNING fence`,
      values: [gatewayId, holder, seconds],
    });
    return rows[0]?.fence ?? null;
  }

  /** @returns false when the caller has lost the lease. */
  async renew(gatewayId: number, fence: number, seconds: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE gateway_lease SET expires_at = clock_timestamp() + make_interval(secs => $3)
       WHERE gateway_id = $1 AND fence = $2`,
      [gatewayId, fence, seconds],
    );
    return rowCount === 1;
  }

  /** Queues a waiting run of the gateway again, because its job in the queue has already been consumed. */
  async release(gatewayId: number, fence: number): Promise<void> {
    await this.pool.query({
      name: 'release-lease',
      text: `
        WITH released AS (
          UPDATE gateway_lease SET expires_at = '-infinity' WHERE gateway_id = $1 AND fence = $2 RETURNING gateway_id
        )
        UPDATE run SET announced_until = '-infinity' FROM released
        WHERE run.gateway_id = released.gateway_id AND state IN ('queued', 'running') AND announced_until > '-infinity'`,
      values: [gatewayId, fence],
    });
  }
}
