import { Inject, Injectable } from '@nestjs/common';
import { keepReport } from '@passerelle/bucket';
import { type NewReport, Reports } from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import { Clock } from '../clock';
import { PAGES_BOX } from '../tokens';
import { DatabaseOrBucket } from './database-or-bucket';

/** Reports of sites: into the database, or put aside in the bucket while it does not answer. An ingestor takes them in. */
@Injectable()
export class KeptReports {
  constructor(
    private readonly reports: Reports,
    private readonly database: DatabaseOrBucket,
    @Inject(PAGES_BOX) private readonly box: SecretBox | null,
    private readonly clock: Clock,
  ) {}

  /** @returns when it was received, ISO 8601 in UTC */
  async save(gatewayId: number, report: NewReport): Promise<{ receivedAt: string }> {
    const { box } = this;
    if (box === null) return this.reports.save(gatewayId, report);
    return this.database.ask<{ receivedAt: string }>(
      () => this.reports.save(gatewayId, report),
      async (bucket) => {
        const receivedAt = new Date(this.clock.nowMs()).toISOString();
        await keepReport(bucket, box, { gatewayId, receivedAt, report });
        return { receivedAt };
      },
    );
  }
}
