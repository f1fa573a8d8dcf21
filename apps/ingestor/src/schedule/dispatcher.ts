import { Inject, Injectable } from '@nestjs/common';
import {
  DatabaseConnection,
  type Notifications,
  Reports,
  RunHistory,
  RunRequests,
  Schedule,
  Walks,
} from '@passerelle/database';
import { RUN_REQUESTED_CHANNEL } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { IngestQueue } from '../queue/ingest-queue';
import { CONFIG, LOGGER } from '../tokens';
import { Announcements } from './announcements';
import { PhotoPruning } from './photo-pruning';

/** How often to look for gateways that are due and for runs that no worker took up. */
const TICK_MS = 2_000;
const BATCH = 500;
const HISTORY = { keepDays: 90 };
const REPORTS = { keepDays: 90, keepCount: 1_000 };
/** The longest that a walk through the pages of a list may be set to take. */
const LONGEST_WALK_SECONDS = 12 * 3600;
const HOUR_MS = 3_600_000;

/**
 * Brings runs from PostgreSQL, where they are asked for, to the queue. Every ingestor has a dispatcher; they share the
 * work, and the next tick fills a queue that has lost everything.
 */
@Injectable()
export class Dispatcher {
  private notifications: Notifications | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ticking: Promise<void> = Promise.resolve();
  private isStopped = false;
  private readonly announcements = new Announcements();
  private prunedAtMs = -HOUR_MS;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly schedule: Schedule,
    private readonly runRequests: RunRequests,
    private readonly runHistory: RunHistory,
    private readonly walks: Walks,
    private readonly reports: Reports,
    private readonly queue: IngestQueue,
    private readonly photoPruning: PhotoPruning,
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'refreshEverySeconds'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.notifications = this.connection.notifications([RUN_REQUESTED_CHANNEL], {
      onNotification: () => {
        this.tickNow();
      },
      onStateChange: (isListening) => {
        if (!isListening) this.log.warn('the connection that hears of new runs is lost; looking for them every tick');
      },
    });
    await this.notifications.start();
    this.tickNow();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.notifications?.close();
    await this.ticking;
  }

  /** Runs a tick soon. Calls during a tick lead to one more. */
  private tickNow(): void {
    if (this.isStopped) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.ticking = this.ticking.then(() => this.tick());
    }, 0);
  }

  private async tick(): Promise<void> {
    if (this.isStopped) return;
    try {
      await this.schedule.requestDueRuns({ everySeconds: this.config.refreshEverySeconds, batch: BATCH });
      await this.pruneHistory();
      const news = this.announcements.next(await this.runRequests.waitingGateways(), performance.now());
      for (const { gatewayId, turn } of news.moved) {
        if (this.hasStopped()) return;
        await this.queue.moveForward(gatewayId, turn);
      }
      for (let at = 0; at < news.added.length; at += BATCH) {
        if (this.hasStopped()) return;
        await this.queue.announce(news.added.slice(at, at + BATCH));
      }
    } catch (error) {
      this.announcements.forget();
      this.log.error({ err: error }, 'runs could not be brought to the queue; trying again');
    }
    if (this.hasStopped()) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.tickNow();
    }, TICK_MS);
  }

  /** A function, for the compiler believes that a property does not change across an await. */
  private hasStopped(): boolean {
    return this.isStopped;
  }

  /** Removes old history every hour, in each process. Whichever comes second finds nothing left to do. */
  private async pruneHistory(): Promise<void> {
    if (performance.now() - this.prunedAtMs < HOUR_MS) return;
    this.prunedAtMs = performance.now();
    await this.walks.prune(LONGEST_WALK_SECONDS);
    await this.reports.prune(REPORTS);
    const runs = await this.runHistory.prune(HISTORY);
    if (runs > 0) this.log.info({ runs }, 'old history forgotten');
    await this.photoPruning.beginWhenDue();
  }
}
