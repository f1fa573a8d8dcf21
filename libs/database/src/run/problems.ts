import type { RejectionCode, WarningCode } from '@passerelle/domain';
import { Pool } from 'pg';
import { isReading } from './reading-sql';

/** A rejection or warning that is common to the newest runs of several gateways of one connector. */
export interface Problem {
  crm: string;
  kind: 'rejection' | 'warning';
  code: RejectionCode | WarningCode;
  field: string | null;
  /** The source's value; null for a rejection. */
  value: string | null;
  gateways: number;
  records: number;
  /** One run with this problem, as an example. */
  runId: number;
  /** An example from that run, as in the feed: an identifier or a text. */
  example: string | null;
}

export class Problems {
  constructor(private readonly pool: Pool) {}

  /** Lists the problems in each gateway's newest run that read records to the end; the most common come first. */
  async list(limit: number): Promise<Problem[]> {
    const { rows } = await this.pool.query<Problem>(
      `WITH newest AS MATERIALIZED (
         SELECT g.crm, g.id AS gateway_id, r.id
         FROM gateway g CROSS JOIN LATERAL (
           SELECT n.id, n.rejected, n.warnings FROM run n
           WHERE n.gateway_id = g.id AND ${isReading('n')} ORDER BY n.id DESC LIMIT 1
         ) r
         WHERE r.rejected > 0 OR r.warnings > 0
       )
       SELECT crm, 'warning' AS kind, w.code, w.field, w.value, count(*)::int AS gateways, sum(w.count)::int AS records,
              max(n.id) AS "runId", (array_agg(w.examples[1] ORDER BY n.id DESC))[1] AS example
       FROM newest n JOIN run_warning w ON w.run_id = n.id
       GROUP BY crm, w.code, w.field, w.value
       UNION ALL
       SELECT crm, 'rejection', j.code, j.field, NULL, count(DISTINCT n.gateway_id)::int, count(*)::int,
              max(n.id), (array_agg(coalesce(j.record_id, j.excerpt) ORDER BY n.id DESC))[1]
       FROM newest n JOIN rejection j ON j.run_id = n.id
       WHERE j.code <> 'withdrawn'
       GROUP BY crm, j.code, j.field
       ORDER BY gateways DESC, records DESC, crm, code LIMIT $1`,
      [limit],
    );
    return rows;
  }
}
