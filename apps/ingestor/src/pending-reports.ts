import { buffer } from 'node:stream/consumers';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Bucket, openBucket, parseBucketUrl } from '@passerelle/bucket';
import { type NewReport, Reports } from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { IngestorConfig } from './config';
import { PollingLoop } from './polling-loop';
import { CONFIG, LOGGER, SECRET_BOX } from './tokens';

// The next release deletes this file, `Reports.takeIn`, and the tables bucket_gateway and bucket_report.

/** A report that the API of the previous release put into the pages bucket while the database was away. */
interface WaitingReport {
  /** An id that prevents the report from being stored twice, even if two ingestors read it. */
  id: string;
  gatewayId: number;
  /** ISO 8601 in UTC. */
  receivedAt: string;
  report: NewReport;
}

const FOLDER = 'reports/';
/** An API of the previous release may still add reports during the upgrade. */
const EVERY_MS = 60_000;

/** Stores the reports that wait in the bucket of PAGES_BUCKET_URL. That setting has no other use. */
@Injectable()
export class WaitingReports implements OnApplicationBootstrap, OnApplicationShutdown {
  private bucket: Bucket | null = null;
  private readonly loop = new PollingLoop(
    async () => {
      await this.storeAll();
      return EVERY_MS;
    },
    (error) => {
      this.log.warn({ err: error }, 'cannot read the reports that wait in the bucket of PAGES_BUCKET_URL; retrying');
      return EVERY_MS;
    },
  );

  constructor(
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'pagesBucketUrl'>,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
    private readonly reports: Reports,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { pagesBucketUrl } = this.config;
    if (pagesBucketUrl === null) return;
    try {
      this.bucket = openBucket(parseBucketUrl(pagesBucketUrl, 'PAGES_BUCKET_URL'), 'pages');
    } catch (error) {
      this.log.warn({ err: error }, 'cannot read the reports that wait in the bucket of PAGES_BUCKET_URL');
      return;
    }
    this.loop.soon();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.bucket?.close();
  }

  /** Stores reports in order of arrival, as names begin with the time. Leaves reports not sealed with SECRETS_KEY. */
  private async storeAll(): Promise<void> {
    const { bucket, box } = this;
    if (bucket === null || box === null) return;
    let stored = 0;
    for await (const { name } of bucket.list(FOLDER)) {
      const body = await bucket.read(name);
      const waiting = body === null ? null : opened(box, await buffer(body));
      if (waiting === null) continue;
      await this.reports.takeIn(waiting.id, waiting.gatewayId, waiting.report, waiting.receivedAt);
      await bucket.remove(name);
      stored += 1;
    }
    if (stored > 0) this.log.info({ stored }, 'stored the reports that waited in the bucket of PAGES_BUCKET_URL');
  }
}

function opened(box: SecretBox, sealed: Buffer): WaitingReport | null {
  try {
    const { kind, report } = JSON.parse(box.open(sealed)) as { kind: string; report: WaitingReport };
    return kind === 'report' ? report : null;
  } catch {
    return null;
  }
}
