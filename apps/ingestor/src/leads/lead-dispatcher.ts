import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection, LeadDeliveries, type Notifications } from '@passerelle/database';
import { LEAD_CHANNEL } from '@passerelle/domain';
import type { Logger } from 'pino';
import { Ticks } from '../ticks';
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
  private readonly ticks = new Ticks(
    () => this.deliver(),
    (error) => {
      this.log.error({ err: error }, 'leads could not be delivered; trying again');
      return TICK_MS;
    },
  );

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
        this.ticks.soon();
      },
      onStateChange: () => undefined,
    });
    await this.notifications.start();
    this.ticks.soon();
  }

  /** Ends what is under way: it is tried again. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.notifications?.close();
    await this.ticks.stop();
    this.mailer.close();
  }

  private async deliver(): Promise<number> {
    while (!this.shutdown.signal.aborted) {
      const leads = await this.deliveries.take({ limit: AT_ONCE, seconds: LEASE_SECONDS });
      await Promise.all(leads.map((lead) => this.sender.deliver(lead, this.shutdown.signal)));
      if (leads.length < AT_ONCE) break;
    }
    return TICK_MS;
  }
}
