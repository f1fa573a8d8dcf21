import { Pool } from 'pg';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { assertFence } from '../snapshot/publish';
import { inTransaction } from '../transaction';

/** A connector whose listings can be mapped again from their stored records. */
export interface CurrentMapping {
  crm: string;
  /** `version.rules`, as a gateway's memory names the mapping of its listings. */
  mapping: string;
  /** The first version whose stored records are sufficient. */
  since: number;
}

/** Plans and requests the runs that map listings again from their stored records after an upgrade. */
export class Remaps {
  constructor(private readonly pool: Pool) {}

  /** Gives each gateway with another mapping a random time within `spreadSeconds`, unless it has one. */
  async plan(mappings: readonly CurrentMapping[], spreadSeconds: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      // The memory may come from a backup, so its texts are checked before they are read as numbers.
      `UPDATE gateway_schedule t SET remap_at = now() + random() * make_interval(secs => $4)
       FROM gateway g JOIN unnest($1::text[], $2::text[], $3::int[]) AS m (crm, mapping, since) ON m.crm = g.crm
       WHERE t.gateway_id = g.id AND t.remap_at IS NULL AND ${IS_GATEWAY_ACTIVE} AND g.current_snapshot_id IS NOT NULL
         AND g.feed_memory ->> 'mappedAs' <> m.mapping
         AND CASE WHEN g.feed_memory ->> 'mappedAs' ~ '^[0-9]{1,6}[.][0-9]{1,6}$'
               THEN split_part(g.feed_memory ->> 'mappedAs', '.', 1)::int >= m.since END
         AND NOT EXISTS (SELECT FROM run r WHERE r.gateway_id = g.id AND r.trigger = 'remap' AND r.state IN ('queued', 'running'))`,
      [
        mappings.map((one) => one.crm),
        mappings.map((one) => one.mapping),
        mappings.map((one) => one.since),
        spreadSeconds,
      ],
    );
    return rowCount ?? 0;
  }

  /**
   * Requests the runs whose time has come, while fewer than `limit` wait. A gateway with another run, a pause or a held
   * run waits. A time beyond the spread comes from a clock that was set back.
   */
  async requestDue(limit: number, spreadSeconds: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'request-remaps',
      text: `
        WITH due AS MATERIALIZED (
          SELECT t.gateway_id FROM gateway_schedule t JOIN gateway g ON g.id = t.gateway_id
          WHERE (t.remap_at <= now() OR t.remap_at > now() + make_interval(secs => $2)) AND ${IS_GATEWAY_ACTIVE}
            AND NOT EXISTS (SELECT FROM gateway_pause p WHERE p.gateway_id = t.gateway_id)
            AND NOT EXISTS (SELECT FROM run r
              WHERE r.gateway_id = t.gateway_id AND r.state IN ('queued', 'running', 'held') AND NOT r.dry_run)
          ORDER BY t.remap_at
          LIMIT greatest(0, $1 - (SELECT count(*) FROM run WHERE state IN ('queued', 'running') AND trigger = 'remap'))
          FOR UPDATE OF t SKIP LOCKED
        ), asked AS (
          INSERT INTO run (gateway_id, trigger) SELECT gateway_id, 'remap' FROM due
          ON CONFLICT (gateway_id, dry_run) WHERE state = 'queued' DO NOTHING
          RETURNING gateway_id
        )
        UPDATE gateway_schedule t SET remap_at = NULL FROM asked WHERE t.gateway_id = asked.gateway_id`,
      values: [limit, spreadSeconds],
    });
    return rowCount ?? 0;
  }

  /**
   * Makes the gateway's next run read the source completely, unless the listings already have this mapping.
   * @throws PublishRefused when the worker no longer holds the lease
   */
  async leaveToSource({ gatewayId, fence }: { gatewayId: number; fence: number }, mapping: string): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await assertFence(client, gatewayId, fence);
      await client.query(
        `UPDATE gateway SET feed_memory = feed_memory - 'mappedAs' WHERE id = $1 AND feed_memory ->> 'mappedAs' <> $2`,
        [gatewayId, mapping],
      );
    });
  }
}
