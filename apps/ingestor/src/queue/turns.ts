import { isUrl } from '@passerelle/domain';
import { Inject, Injectable } from '@nestjs/common';
import { Schedule } from '@passerelle/database';
import type { IngestorConfig } from '../config';
import { GatewayRunner } from '../ingest/gateway-runner';
import { CONFIG } from '../tokens';
import { IngestQueue } from './ingest-queue';
import { Slots, type SlotUser } from './slots';

/** Enough for one look at the waiting gateways; whatever is forgotten is announced again. */
const MOST_PUT_ASIDE = 10_000;

/**
 * Gives the gateways that come from the queue their turns. A gateway whose host or connector has no slot left is put
 * aside, and has its turn when a slot of its kind is free and nobody else waits. Nothing is lost with what is put aside:
 * the run still waits in PostgreSQL, and the dispatchers announce it again.
 */
@Injectable()
export class Turns {
  private readonly slots: Slots;
  private readonly aside = new Map<number, SlotUser>();
  private isStopped = false;

  constructor(
    @Inject(CONFIG) config: Pick<IngestorConfig, 'ingestConcurrency'>,
    @Inject(Schedule) private readonly schedule: Pick<Schedule, 'sourceOf'>,
    @Inject(GatewayRunner) private readonly runner: Pick<GatewayRunner, 'run'>,
    @Inject(IngestQueue) private readonly queue: Pick<IngestQueue, 'isEmpty'>,
  ) {
    this.slots = new Slots(config.ingestConcurrency);
  }

  /** Carries out the run of a gateway that the queue has given, then those put aside for which there is a slot. */
  async take(gatewayId: number, shutdown: AbortSignal): Promise<void> {
    await this.runOne(gatewayId, shutdown);
    for (;;) {
      const next = await this.nextAside();
      if (next === null) return;
      await this.runOne(next, shutdown);
    }
  }

  /** From here on no gateway that was put aside has its turn: other processes take it up. */
  stop(): void {
    this.isStopped = true;
  }

  private async runOne(gatewayId: number, shutdown: AbortSignal): Promise<void> {
    const source = await this.schedule.sourceOf(gatewayId);
    if (source === null) return;
    const user = { connector: source.crm, host: hostOf(source.sourceUrl), isFailing: source.isFailing };
    const giveBack = this.slots.take(user);
    if (giveBack === null) {
      if (this.aside.size < MOST_PUT_ASIDE) this.aside.set(gatewayId, user);
      return;
    }
    this.aside.delete(gatewayId);
    try {
      await this.runner.run(gatewayId, shutdown);
    } finally {
      giveBack();
    }
  }

  /** Takes the gateway that has waited longest among those with a slot, unless the queue has one for this worker. */
  private async nextAside(): Promise<number | null> {
    if (this.isStopped || !this.hasAside() || !(await this.queue.isEmpty().catch(() => false))) return null;
    for (const [gatewayId, user] of this.aside) {
      if (!this.slots.hasFor(user)) continue;
      this.aside.delete(gatewayId);
      return gatewayId;
    }
    return null;
  }

  private hasAside(): boolean {
    for (const user of this.aside.values()) if (this.slots.hasFor(user)) return true;
    return false;
  }
}

/** `host:port`, or `''` for what is no address of a server. */
function hostOf(sourceUrl: string): string {
  return isUrl(sourceUrl) ? new URL(sourceUrl).host : '';
}
