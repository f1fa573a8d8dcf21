import { Inject, Injectable } from '@nestjs/common';
import {
  AuditLog,
  LeadDeliveries,
  Reports,
  RunCleaning,
  RunHistory,
  SourceMemories,
  Walks,
  WebhookDeliveries,
} from '@passerelle/database';
import { RETENTION } from '@passerelle/domain';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { PhotoPruning } from './photo-pruning';

const HISTORY = { keepDays: RETENTION.history.days };
const REPORTS = { keepDays: RETENTION.reports.days, keepCount: RETENTION.reports.count };
const WEBHOOKS = { keepDays: RETENTION.webhooks.days };
const LEADS = { keepDays: RETENTION.leads.days };
const LONGEST_WALK_SECONDS = RETENTION.walks.hours * 3600;
const HOUR_MS = 3_600_000;
/** Gateways whose runs are cleaned in one transaction. */
const GATEWAYS_AT_ONCE = 100;
/** The caller has runs to bring to the queue: what piled up before there was a cleaning takes many calls. */
const CLEANING_MS = 500;

/** Removes what is no longer kept: begins every hour, and goes on call by call until nothing is due. */
@Injectable()
export class HistoryPruning {
  private begunAtMs = -HOUR_MS;
  private uncleaned: number[] = [];
  private cleaned = { folded: 0, expired: 0 };

  constructor(
    private readonly runHistory: RunHistory,
    private readonly runCleaning: RunCleaning,
    private readonly walks: Walks,
    private readonly reports: Reports,
    private readonly webhooks: WebhookDeliveries,
    private readonly leads: LeadDeliveries,
    private readonly audit: AuditLog,
    private readonly memories: SourceMemories,
    private readonly photoPruning: PhotoPruning,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async goOn(): Promise<void> {
    if (performance.now() - this.begunAtMs >= HOUR_MS) await this.begin();
    if (this.uncleaned.length > 0) await this.cleanRuns();
  }

  private async begin(): Promise<void> {
    this.begunAtMs = performance.now();
    await this.walks.prune(LONGEST_WALK_SECONDS);
    await this.reports.prune(REPORTS);
    await this.reports.forgetTaken(RETENTION.takenReports.days);
    await this.webhooks.prune(WEBHOOKS);
    await this.leads.prune(LEADS);
    await this.audit.prune(RETENTION.audit.days);
    await this.memories.removeOld(RETENTION.details.days);
    await this.runHistory.pruneChanges(HISTORY);
    this.uncleaned = await this.runCleaning.due();
    await this.photoPruning.beginWhenDue();
  }

  private async cleanRuns(): Promise<void> {
    const untilMs = performance.now() + CLEANING_MS;
    while (this.uncleaned.length > 0 && performance.now() < untilMs) {
      const { folded, expired } = await this.runCleaning.clean(this.uncleaned.slice(0, GATEWAYS_AT_ONCE), HISTORY);
      this.cleaned.folded += folded;
      this.cleaned.expired += expired;
      this.uncleaned.splice(0, GATEWAYS_AT_ONCE);
    }
    if (this.uncleaned.length > 0) return;
    // Those of which more had piled up than goes at once.
    this.uncleaned = await this.runCleaning.due();
    if (this.uncleaned.length > 0) return;
    if (this.cleaned.folded + this.cleaned.expired > 0) this.log.info(this.cleaned, 'old runs folded and forgotten');
    this.cleaned = { folded: 0, expired: 0 };
  }
}
