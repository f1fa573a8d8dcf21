import { DataSource, IsNull, Not, type Repository } from 'typeorm';
import { Injectable } from '@nestjs/common';
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

/** What the newest report says, and the newest site that a report named. */
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

/** What content-management plugins report about their imports. Each report is a row, so concurrent ones lose nothing. */
@Injectable()
export class Reports {
  private readonly reports: Repository<ReportEntity>;

  constructor(source: DataSource) {
    this.reports = source.getRepository(ReportEntity);
  }

  /** @returns the report's id and when it was received, ISO 8601 in UTC. */
  async save(gatewayId: number, report: NewReport): Promise<{ id: number; receivedAt: string }> {
    const { id, receivedAt } = await this.reports.save({ gatewayId, ...report }, { transaction: false });
    return { id, receivedAt: receivedAt.toISOString() };
  }

  async latest(gatewayId: number): Promise<ReportStatus> {
    const order = { id: 'DESC' } as const;
    const newest = await this.reports.findOne({ where: { gatewayId }, order });
    if (newest === null) return { status: null, count: null, message: null, receivedAt: null, siteUrl: null };
    const { status, count, message, receivedAt } = newest;
    const named =
      newest.siteUrl === null
        ? await this.reports.findOne({ where: { gatewayId, siteUrl: Not(IsNull()) }, order })
        : newest;
    return { status, count, message, receivedAt: receivedAt.toISOString(), siteUrl: named?.siteUrl ?? null };
  }

  /**
   * Removes reports that are older, and those beyond so many of one gateway. The newest of each gateway stays, and the
   * newest that named a site: `latest` tells of them.
   */
  async prune({ keepDays, keepCount }: { keepDays: number; keepCount: number }): Promise<void> {
    await this.reports.query(
      `DELETE FROM report r USING (
         SELECT id, received_at, row_number() OVER newest_first AS place,
                max(id) FILTER (WHERE site_url IS NOT NULL) OVER (PARTITION BY gateway_id) AS named
         FROM report WINDOW newest_first AS (PARTITION BY gateway_id ORDER BY id DESC)
       ) p
       WHERE p.id = r.id AND p.place > 1 AND p.id IS DISTINCT FROM p.named
         AND (p.place > $2 OR p.received_at < now() - make_interval(days => $1))`,
      [keepDays, keepCount],
    );
  }

  /** What the newest report says; null when there was none. */
  async newest(gatewayId: number): Promise<ReceivedReport | null> {
    const newest = await this.reports.findOne({ where: { gatewayId }, order: { id: 'DESC' } });
    if (newest === null) return null;
    const { status, count, message, siteUrl, snapshot, added, updated, removed, failed, plugin, receivedAt } = newest;
    const details = { siteUrl, snapshot, added, updated, removed, failed, plugin };
    return { status, count, message, ...details, receivedAt: receivedAt.toISOString() };
  }
}
