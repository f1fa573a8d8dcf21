import type { Database, Notifications } from '@passerelle/database';
import { RUN_REQUESTED_CHANNEL } from '@passerelle/domain';
import type { IngestQueue } from '../queue/ingest-queue';
import type { Logger } from 'pino';
import { Announcements } from './announcements';

export interface DispatcherOptions {
  everySeconds: number;
  /** How often to look for gateways that are due and for runs that nobody took up, in ms. */
  tickMs: number;
}

const BATCH = 500;
const HISTORY = { keepDays: 90 };
const HOUR_MS = 3_600_000;

/**
 * Brings runs from PostgreSQL, where they are asked for, to the queue. Every ingestor has one; they share the work, and
 * a queue that lost everything is filled again at the next tick.
 */
export class Dispatcher {
  private notifications: Notifications | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ticking: Promise<void> = Promise.resolve();
  private isStopped = false;
  private readonly announcements = new Announcements();
  private prunedAtMs = -HOUR_MS;

  constructor(
    private readonly database: Database,
    private readonly queue: Pick<IngestQueue, 'announce' | 'moveForward'>,
    private readonly options: DispatcherOptions,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.notifications = this.database.notifications([RUN_REQUESTED_CHANNEL], {
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

  /** Runs a tick soon; calls that come while one is under way make one more. */
  private tickNow(): void {
    if (this.isStopped) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.ticking = this.ticking.then(() => this.tick());
    }, 0);
  }

  /** Every hour, in each process: the second to come finds nothing left to do. */
  private async forgetOldHistory(): Promise<void> {
    if (performance.now() - this.prunedAtMs < HOUR_MS) return;
    this.prunedAtMs = performance.now();
    const runs = await this.database.pruneHistory(HISTORY);
    if (runs > 0) this.log.info({ runs }, 'old history forgotten');
  }

  private async tick(): Promise<void> {
    if (this.isStopped) return;
    try {
      const { everySeconds } = this.options;
      await this.database.schedule.requestDueRuns({ everySeconds, batch: BATCH });
      await this.forgetOldHistory();
      for (const gateway of this.announcements.next(await this.database.runs.waitingGateways())) {
        const { gatewayId, trigger, turn, isMoved } = gateway;
        if (isMoved) await this.queue.moveForward(gatewayId, turn);
        // Also those that were announced before: the queue may have lost everything.
        await this.queue.announce(gatewayId, trigger, turn);
      }
    } catch (error) {
      this.log.error({ err: error }, 'runs could not be brought to the queue; trying again');
    }
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.tickNow();
    }, this.options.tickMs);
  }
}
