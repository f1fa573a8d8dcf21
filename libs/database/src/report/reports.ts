import type { Pool } from 'pg';

export interface NewReport {
  status: 'success' | 'error';
  count: number | null;
  message: string | null;
  siteUrl: string | null;
}

/** What the newest report says, and the newest site that a report named. */
export interface ReportStatus {
  status: 'success' | 'error' | null;
  count: number | null;
  message: string | null;
  /** ISO 8601 in UTC. */
  receivedAt: string | null;
  siteUrl: string | null;
}

/** Reports of imports by content-management plugins. Each is a row of its own, so that concurrent ones lose nothing. */
export class Reports {
  constructor(private readonly pool: Pool) {}

  /** @returns the report's id and when it was received, ISO 8601 in UTC. */
  async save(gatewayId: number, report: NewReport): Promise<{ id: number; receivedAt: string }> {
    const { rows } = await this.pool.query<{ id: number; receivedAt: Date }>({
      name: 'save-report',
      text: `INSERT INTO report (gateway_id, status, count, message, site_url) VALUES ($1, $2, $3, $4, $5)
             RETURNING id, received_at AS "receivedAt"`,
      values: [gatewayId, report.status, report.count, report.message, report.siteUrl],
    });
    const row = rows[0];
    if (row === undefined) throw new Error('the report was not stored');
    return { id: row.id, receivedAt: row.receivedAt.toISOString() };
  }

  async latest(gatewayId: number): Promise<ReportStatus> {
    const { rows } = await this.pool.query<Omit<ReportStatus, 'receivedAt'> & { receivedAt: Date | null }>({
      name: 'latest-report',
      text: `SELECT r.status, r.count, r.message, r.received_at AS "receivedAt",
                    (SELECT s.site_url FROM report s WHERE s.gateway_id = $1 AND s.site_url IS NOT NULL
                     ORDER BY s.id DESC LIMIT 1) AS "siteUrl"
             FROM (SELECT 1) one
             LEFT JOIN LATERAL (SELECT * FROM report WHERE gateway_id = $1 ORDER BY id DESC LIMIT 1) r ON true`,
      values: [gatewayId],
    });
    const row = rows[0];
    if (row === undefined) throw new Error('the latest report could not be read');
    return { ...row, receivedAt: row.receivedAt?.toISOString() ?? null };
  }
}
