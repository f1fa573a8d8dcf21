import { DataSource, IsNull, Not, type Repository } from 'typeorm';
import { Timestamp } from '../connection-settings';
import { type FailedListing, ReportEntity } from '../entities/report.entity';

export interface NewReport {
  status: 'success' | 'error';
  count: number | null;
  message: string | null;
  siteUrl: string | null;
  /** The token of the snapshot that the site has applied. */
  snapshot: string | null;
  added: number | null;
  updated: number | null;
  removed: number | null;
  failed: FailedListing[] | null;
  /** Name and version of the plugin. */
  plugin: string | null;
}

/** The contents of the newest report, with the newest site URL of any report. */
export interface ReportStatus {
  status: 'success' | 'error' | null;
  count: number | null;
  message: string | null;
  /** ISO 8601 in UTC. */
  receivedAt: string | null;
  siteUrl: string | null;
}

/** A report as it was received; the time is ISO 8601 in UTC. */
export type ReceivedReport = NewReport & { receivedAt: string };

export interface NewestReport {
  gatewayId: number;
  status: 'success' | 'error';
  /** The number of listings on the site. */
  count: number | null;
  /** ISO 8601 in UTC. */
  receivedAt: string;
}

/** A delayed report is stored after newer ones, so sort by the time of receipt first. */
const NEWEST_FIRST = { receivedAt: 'DESC', id: 'DESC' } as const;
/** The newest report of a gateway is among this many reports that were stored last. */
const LATE_REPORTS = 5;

/** Each report is a row, so that concurrent reports do not overwrite each other. */
export class Reports {
  private readonly reports: Repository<ReportEntity>;

  constructor(source: DataSource) {
    this.reports = source.getRepository(ReportEntity);
  }

  /** @returns the report's id, and the time of receipt, ISO 8601 in UTC. */
  async save(gatewayId: number, report: NewReport): Promise<{ id: number; receivedAt: string }> {
    const { id, receivedAt } = await this.reports.save({ gatewayId, ...report }, { transaction: false });
    return { id, receivedAt: receivedAt.toISOString() };
  }

  /** Stores a spooled report. Does nothing when its id is already stored, or the gateway has been removed. */
  async takeIn(id: string, gatewayId: number, report: NewReport, receivedAt: string): Promise<void> {
    await this.reports.manager.transaction(async (manager) => {
      const [isNew] = await manager.query<unknown[]>(
        `INSERT INTO bucket_report (id) SELECT $1 WHERE EXISTS (SELECT 1 FROM gateway WHERE id = $2)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [id, gatewayId],
      );
      if (isNew === undefined) return;
      await manager.getRepository(ReportEntity).insert({ gatewayId, ...report, receivedAt: new Timestamp(receivedAt) });
    });
  }

  /** Deletes the ids of spooled reports that were stored long ago, because their files no longer exist. */
  async forgetTaken(days: number): Promise<void> {
    await this.reports.query('DELETE FROM bucket_report WHERE taken_at < now() - make_interval(days => $1)', [days]);
  }

  async latest(gatewayId: number): Promise<ReportStatus> {
    const order = NEWEST_FIRST;
    const newest = await this.reports.findOne({ where: { gatewayId }, order });
    if (newest === null) return { status: null, count: null, message: null, receivedAt: null, siteUrl: null };
    const { status, count, message, receivedAt } = newest;
    const named =
      newest.siteUrl === null
        ? await this.reports.findOne({ where: { gatewayId, siteUrl: Not(IsNull()) }, order })
        : newest;
    return { status, count, message, receivedAt: receivedAt.toISOString(), siteUrl: named?.siteUrl ?? null };
  }

  /** Keeps each gateway's newest report, and its newest report with a site URL, because `latest` needs both. */
  async prune({ keepDays, keepCount }: { keepDays: number; keepCount: number }): Promise<void> {
    await this.reports.query(
      `DELETE FROM report r USING (
         SELECT id, received_at, row_number() OVER newest_first AS place,
                first_value(id) OVER (PARTITION BY gateway_id ORDER BY site_url IS NULL, received_at DESC, id DESC) AS named
         FROM report WINDOW newest_first AS (PARTITION BY gateway_id ORDER BY received_at DESC, id DESC)
       ) p
       WHERE p.id = r.id AND p.place > 1 AND p.id IS DISTINCT FROM p.named
         AND (p.place > $2 OR p.received_at < now() - make_interval(days => $1))`,
      [keepDays, keepCount],
    );
  }

  async newestOfAll(): Promise<NewestReport[]> {
    // Read only the reports that were stored last, and sort them, because a delayed report is stored after newer ones.
    return this.reports.query(
      `SELECT g.id AS "gatewayId", r.status, r.count, to_json(r.received_at) #>> '{}' AS "receivedAt"
       FROM gateway g CROSS JOIN LATERAL (
         SELECT status, count, received_at FROM (
           SELECT * FROM report WHERE gateway_id = g.id ORDER BY id DESC LIMIT ${LATE_REPORTS}
         ) l ORDER BY received_at DESC, id DESC LIMIT 1
       ) r`,
    );
  }

  async newest(gatewayId: number): Promise<ReceivedReport | null> {
    const newest = await this.reports.findOne({ where: { gatewayId }, order: NEWEST_FIRST });
    if (newest === null) return null;
    const { status, count, message, siteUrl, snapshot, added, updated, removed, failed, plugin, receivedAt } = newest;
    const details = { siteUrl, snapshot, added, updated, removed, failed, plugin };
    return { status, count, message, ...details, receivedAt: receivedAt.toISOString() };
  }
}
