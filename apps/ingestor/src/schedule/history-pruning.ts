import { Inject, Injectable } from '@nestjs/common';
import {
  AuditLog,
  InstallationDays,
  Outbox,
  Reports,
  RunCleaning,
  RunHistory,
  SourceMemories,
  PaginationSessionStore,
  Publications,
} from '@passerelle/database';
import { DELIVERY_KINDS, RETENTION } from '@passerelle/domain';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { PhotoPruning } from './photo-pruning';

const HISTORY = { keepDays: RETENTION.history.days };
const REPORTS = { keepDays: RETENTION.reports.days, keepCount: RETENTION.reports.count };
const DELIVERIES = {
  ...{ webhook: RETENTION.webhooks.days, lead: RETENTION.leads.days },
  ...{ feedback: RETENTION.feedback.days, notification: RETENTION.notifications.days, edit: RETENTION.feedback.days },
  digest: RETENTION.notifications.days,
  export: RETENTION.exports.days,
};
const MAX_SESSION_SECONDS = RETENTION.walks.hours * 3600;
const HOUR_MS = 3_600_000;

/** Removes expired data and adds up the day, in the background every hour. A failed step does not prevent the other steps. */
@Injectable()
export class HistoryPruning {
  private begunAtMs = -HOUR_MS;
  private removing: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly runHistory: RunHistory,
    private readonly runCleaning: RunCleaning,
    private readonly paginationSessions: PaginationSessionStore,
    private readonly reports: Reports,
    private readonly outbox: Outbox,
    private readonly publications: Publications,
    private readonly audit: AuditLog,
    private readonly installationDays: InstallationDays,
    private readonly memories: SourceMemories,
    private readonly photoPruning: PhotoPruning,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  goOn(): void {
    if (this.isStopped || this.removing !== null || performance.now() - this.begunAtMs < HOUR_MS) return;
    this.begunAtMs = performance.now();
    this.removing = this.remove().finally(() => {
      this.removing = null;
    });
  }

  /** Waits for the current statement and prevents any other. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.removing;
  }

  private async remove(): Promise<void> {
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      walks: () => this.paginationSessions.prune(MAX_SESSION_SECONDS),
      reports: () => this.reports.prune(REPORTS),
      'taken reports': () => this.reports.forgetTaken(RETENTION.takenReports.days),
      deliveries: () => Promise.all(DELIVERY_KINDS.map((kind) => this.outbox.prune(kind, DELIVERIES[kind]))),
      publications: () => this.publications.prune(RETENTION.removedAdverts.days),
      audit: () => this.audit.prune(RETENTION.audit.days),
      days: () => this.installationDays.renew(RETENTION.history.days),
      details: () => this.memories.removeOld(RETENTION.details.days),
      changes: () => this.runHistory.pruneChanges(HISTORY),
      photos: () => this.photoPruning.beginWhenDue(),
      runs: () => this.cleanRuns(),
    };
    for (const [what, step] of Object.entries(steps)) if (!this.isStopped) await this.attempt(what, step);
  }

  /** A function, because the compiler assumes that a property does not change across an await. */
  private hasStopped(): boolean {
    return this.isStopped;
  }

  private async attempt(what: string, step: () => Promise<unknown>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      this.log.error({ err: error, what }, 'cannot remove expired rows or add up the day; trying again in an hour');
      return false;
    }
  }

  private async cleanRuns(): Promise<void> {
    const cleaned = { folded: 0, expired: 0 };
    const failed = new Set<number>();
    // `due` repeats gateways with a large backlog.
    for (let left = await this.runCleaning.due(); left.length > 0;) {
      const before = cleaned.folded + cleaned.expired;
      for (let at = 0; at < left.length && !this.hasStopped(); at += RunCleaning.gatewaysAtOnce) {
        const gatewayIds = left.slice(at, at + RunCleaning.gatewaysAtOnce);
        const isClean = await this.attempt('runs', async () => {
          const { folded, expired } = await this.runCleaning.clean(gatewayIds, HISTORY);
          cleaned.folded += folded;
          cleaned.expired += expired;
        });
        if (!isClean) for (const id of gatewayIds) failed.add(id);
      }
      if (this.hasStopped() || cleaned.folded + cleaned.expired === before) break;
      left = (await this.runCleaning.due()).filter((id) => !failed.has(id));
    }
    if (cleaned.folded + cleaned.expired > 0) this.log.info(cleaned, 'merged and deleted old runs');
  }
}
