import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection, LeadDeliveries, type Notifications } from '@passerelle/database';
import { LEAD_CHANNEL } from '@passerelle/domain';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { LeadSender } from './lead-sender';
import { Mailer } from './mailer';

/** How often to look for leads whose pause is over, and for those of an ingestor that is gone. */
const TICK_MS = 2_000;
const AT_ONCE = 20;
/** Longer than a delivery takes, with all its time limits. */
const LEASE_SECONDS = 120;

/** Delivers leads that wait in PostgreSQL. Every ingestor does: each takes others. */
@Injectable()
export class LeadDispatcher {
  private readonly shutdown = new AbortController();
  private notifications: Notifications | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ticking: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly deliveries: LeadDeliveries,
    private readonly sender: LeadSender,
    private readonly mailer: Mailer,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.notifications = this.connection.notifications([LEAD_CHANNEL], {
      onNotification: () => {
        this.tickIn(0);
      },
      onStateChange: () => undefined,
    });
    await this.notifications.start();
    this.tickIn(0);
  }

  /** Ends what is under way: it is tried again. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.notifications?.close();
    await this.ticking;
    this.mailer.close();
  }

  /** Calls during a tick lead to one more. */
  private tickIn(ms: number): void {
    if (this.shutdown.signal.aborted) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.ticking = this.ticking.then(() => this.tick());
    }, ms);
  }

  private async tick(): Promise<void> {
    try {
      await this.deliver();
    } catch (error) {
      this.log.error({ err: error }, 'leads could not be delivered; trying again');
    }
    // Somebody may have asked for another one meanwhile.
    if (this.timer === null) this.tickIn(TICK_MS);
  }

  private async deliver(): Promise<void> {
    while (!this.shutdown.signal.aborted) {
      const leads = await this.deliveries.take({ limit: AT_ONCE, seconds: LEASE_SECONDS });
      await Promise.all(leads.map((lead) => this.sender.deliver(lead, this.shutdown.signal)));
      if (leads.length < AT_ONCE) return;
    }
  }
}
