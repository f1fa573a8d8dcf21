import { EventEmitter, once } from 'node:events';
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
/** How long a worker waits for a slot of a connector that has all of its slots, before it puts the gateway aside. */
const SLOT_PATIENCE_MS = 250;

/**
 * Gives the gateways that come from the queue their turns. A gateway whose host or connector has no slot left is put
 * aside, and has its turn when a slot of its kind is free and nobody else waits. Nothing is lost with what is put aside:
 * the run still waits in PostgreSQL, and is announced again.
 *
 * While a connector's runs are quick, its next gateway waits for one of its slots instead: where thousands of one connector
 * wait, a worker would take all of them from the queue only to put them aside.
 */
@Injectable()
export class Turns {
  private readonly slots: Slots;
  private readonly aside = new Map<number, SlotUser>();
  /** Tells that a slot was given back. */
  private readonly givenBack = new EventEmitter().setMaxListeners(0);
  /** Connectors that have all of their slots, and have given none back in time. */
  private readonly slow = new Set<string>();
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
    const giveBack = this.slots.take(user) ?? (await this.slotSoon(user));
    if (giveBack === null) {
      if (this.aside.size < MOST_PUT_ASIDE) this.aside.set(gatewayId, user);
      return;
    }
    this.aside.delete(gatewayId);
    try {
      await this.runner.run(gatewayId, shutdown);
    } finally {
      giveBack();
      this.slow.delete(user.connector);
      this.givenBack.emit('slot');
    }
  }

  /** Waits for a slot of a connector that has all of its slots, if it gives them back quickly. */
  private async slotSoon(user: SlotUser): Promise<(() => void) | null> {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      patience.abort();
    }, SLOT_PATIENCE_MS);
    try {
      while (this.slots.isFull(user.connector) && !this.slow.has(user.connector)) {
        await once(this.givenBack, 'slot', { signal: patience.signal }).catch(() => {
          this.slow.add(user.connector);
        });
        const giveBack = this.slots.take(user);
        if (giveBack !== null) return giveBack;
      }
    } finally {
      clearTimeout(timer);
    }
    return null;
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
