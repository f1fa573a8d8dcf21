import { type AgencyDigest, MOST_REJECTED } from '@passerelle/domain';
import { Pool } from 'pg';
import { IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { isReading } from '../run/reading-sql';
import { inTransaction } from '../transaction';

/** Only one process queues letters at a time; the others do not wait for it. */
const QUEUEING = 20_261_128;

/** Queues the weekly letters to agencies. */
export class AgencyDigests {
  constructor(private readonly pool: Pool) {}

  /**
   * From Monday 8:00 in Europe/Paris on, one letter a week for each active gateway with the setting `digest-email`. The
   * letter of a gateway that is added later in the week waits for Monday. @param now default: the server's clock
   */
  async enqueueDue(now: Date | null = null): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ isMine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS "isMine"', [
        QUEUEING,
      ]);
      if (rows[0]?.isMine !== true) return;
      const { rows: due } = await client.query<AgencyDigest & { gatewayId: number }>(
        `SELECT g.id AS "gatewayId", g.settings ->> 'digest-email' AS "to", g.client, coalesce(g.settings ->> 'langue', 'fr') AS language,
                s.total AS listings, s.duties, coalesce(j.rejected, '[]') AS rejected, coalesce(j.rejections, 0)::integer AS rejections
         FROM gateway g JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id
         LEFT JOIN LATERAL (
           SELECT n.id FROM run n WHERE n.gateway_id = g.id AND ${isReading('n')} ORDER BY n.id DESC LIMIT 1
         ) r ON true
         LEFT JOIN LATERAL (
           SELECT json_agg(json_build_object('id', o.record_id, 'code', o.code, 'field', o.field) ORDER BY o.position)
                    FILTER (WHERE o.ordinal <= ${MOST_REJECTED}) AS rejected, count(*) AS rejections
           FROM (
             SELECT *, row_number() OVER (ORDER BY position) AS ordinal FROM rejection WHERE run_id = r.id AND code <> 'withdrawn'
           ) o
         ) j ON true
         WHERE ${IS_GATEWAY_ACTIVE} AND coalesce(g.settings ->> 'digest-email', '') <> ''
           AND extract(isodow FROM coalesce($1, now()) AT TIME ZONE 'Europe/Paris') = 1 AND extract(hour FROM coalesce($1, now()) AT TIME ZONE 'Europe/Paris') >= 8
           AND NOT EXISTS (SELECT FROM outbox d WHERE d.gateway_id = g.id AND d.kind = 'digest' AND d.at > now() - interval '2 days')`,
        [now],
      );
      for (const { gatewayId, ...digest } of due)
        await client.query(
          `INSERT INTO outbox (gateway_id, kind, type, data) VALUES ($1, 'digest', 'weekly', $2::json)`,
          [gatewayId, JSON.stringify(digest)],
        );
    });
  }
}
