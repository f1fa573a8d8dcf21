import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, type BackupFacts, type ConnectorFigures, DatabaseConnection, Figures } from '@passerelle/database';
import type { IngestorConfig } from '../config';
import { CONFIG } from '../tokens';

const OVERDUE_PERIODS = 3;
/** How long figures are cached, including the result that the database is unavailable. */
const KEEP_MS = 5_000;
/** A scrape waits for the database no longer than this, well below Prometheus's limit of ten seconds. */
const PATIENCE_MS = 2_000;

/** Runs one statement at a time, none while figures are recent: scrapes must not burden a hanging database. */
@Injectable()
export class MetricsSnapshot {
  private figures: ConnectorFigures[] | null = null;
  isReadOnly = false;
  /** Null until the facts are read, and when they could not be read. */
  backups: BackupFacts | null = null;
  private readAtMs = -Infinity;
  private reading: { promise: Promise<void>; startedMs: number } | null = null;

  constructor(
    @Inject(Figures) private readonly stored: Pick<Figures, 'load'>,
    @Inject(DatabaseConnection) private readonly connection: Pick<DatabaseConnection, 'isReadOnly'>,
    @Inject(AuditLog) private readonly audit: Pick<AuditLog, 'backups'>,
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'refreshEverySeconds'>,
  ) {}

  /** Null when the database did not answer, or not in time. */
  async get(): Promise<ConnectorFigures[] | null> {
    if (performance.now() - this.readAtMs < KEEP_MS) return this.figures;
    this.reading ??= { promise: this.read(), startedMs: performance.now() };
    const { promise, startedMs } = this.reading;
    const isInTime = await endsWithin(promise, startedMs + PATIENCE_MS - performance.now());
    return isInTime ? this.figures : null;
  }

  private async read(): Promise<void> {
    const options = { everySeconds: this.config.refreshEverySeconds, overduePeriods: OVERDUE_PERIODS };
    this.figures = await this.stored.load(options).catch(() => null);
    if (this.figures !== null) this.isReadOnly = await this.connection.isReadOnly().catch(() => false);
    this.backups = this.figures === null ? null : await this.audit.backups().catch(() => null);
    this.readAtMs = performance.now();
    this.reading = null;
  }
}

async function endsWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(ms, 0), false);
  });
  const isInTime = await Promise.race([promise.then(() => true), tooLate]);
  clearTimeout(timer);
  return isInTime;
}
