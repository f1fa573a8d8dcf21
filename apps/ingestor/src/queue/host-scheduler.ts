import { EventEmitter, once } from 'node:events';
import { isUrl } from '@passerelle/domain';
import { Inject, Injectable } from '@nestjs/common';
import { type ConnectorRegistry, requestsPerSecond } from '@passerelle/connectors';
import { Schedule, type WaitingSource } from '@passerelle/database';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { GatewayRunner } from '../ingest/gateway-runner';
import { SlowSources } from '../ingest/gateway-feeds';
import { CONFIG, LOGGER, REGISTRY } from '../tokens';
import { IngestQueue } from './ingest-queue';
import { RunsInFlight } from './runs-in-flight';
import { SourceSlots, type SourceUser, type HeldSlot } from './source-slots';

/** Enough for one pass over the waiting gateways; a dropped gateway is announced again. */
const MOST_DEFERRED = 10_000;
/** How long a worker waits for a host whose slots are all in use, before it defers the gateway. */
const SLOT_PATIENCE_MS = 250;

/**
 * Defers a gateway whose host has no free slot. Losing a deferral is harmless: its run is announced again. While a
 * host's runs are quick, its next gateway waits, because a worker would otherwise defer thousands in vain.
 */
@Injectable()
export class HostScheduler {
  private readonly slots: SourceSlots;
  private readonly deferred = new Map<number, SourceUser>();
  private readonly released = new EventEmitter().setMaxListeners(0);
  /** Hosts whose slots were all in use, and that released no slot in time. */
  private readonly slowHosts = new Set<string>();
  private isStopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'fetchConcurrency' | 'fetchPerHost'>,
    @Inject(REGISTRY) private readonly registry: Pick<ConnectorRegistry, 'get'>,
    @Inject(Schedule) private readonly schedule: Pick<Schedule, 'sourceOf'>,
    @Inject(GatewayRunner) private readonly runner: Pick<GatewayRunner, 'run'>,
    private readonly slowSources: SlowSources,
    private readonly inFlight: RunsInFlight,
    @Inject(IngestQueue) private readonly queue: Pick<IngestQueue, 'isEmpty'>,
    @Inject(LOGGER) private readonly log: Pick<Logger, 'error'>,
  ) {
    this.slots = new SourceSlots(config.fetchConcurrency);
  }

  /** Runs deferred gateways afterwards. Does not wait for the end of a run whose source is slow. */
  async run(gatewayId: number): Promise<void> {
    await this.runOne(gatewayId);
    for (;;) {
      const next = await this.nextDeferred();
      if (next === null) return;
      await this.runOne(next);
    }
  }

  /** Starts no further gateway here, because other processes take them. */
  stop(): void {
    this.isStopped = true;
  }

  private async runOne(gatewayId: number): Promise<void> {
    const known = this.deferred.get(gatewayId);
    // It was announced again.
    if (known !== undefined && !this.slots.hasFor(known)) return;
    const source = await this.schedule.sourceOf(gatewayId);
    if (source === null) return;
    const user = this.userOf(source);
    const slot = this.slots.acquire(user) ?? (await this.slotSoon(user));
    // The run waits in PostgreSQL for another process.
    if (this.hasStopped()) {
      slot?.release();
      return;
    }
    if (slot === null) {
      if (this.deferred.size < MOST_DEFERRED) this.deferred.set(gatewayId, user);
      return;
    }
    this.deferred.delete(gatewayId);
    await this.runIn(slot, gatewayId, user);
  }

  /** Returns when the run has ended, or when its source is so slow that another source may be read. */
  private async runIn(slot: HeldSlot, gatewayId: number, { host }: SourceUser): Promise<void> {
    await new Promise<void>((resolve) => {
      const letGo = (): void => {
        if (!slot.letGo()) return;
        this.released.off('slot', letGo);
        resolve();
      };
      const forget = this.slowSources.watch(gatewayId, () => {
        // The slots for slow sources may be full; then the run tries again when a slot is released.
        this.released.on('slot', letGo);
        letGo();
      });
      const run = async (): Promise<void> => {
        try {
          await this.inFlight.track((shutdown) => this.runner.run(gatewayId, shutdown));
        } catch (error) {
          this.log.error({ err: error, gateway: gatewayId }, 'a run could not be carried out');
        } finally {
          forget();
          this.released.off('slot', letGo);
          slot.release();
          this.slowHosts.delete(host);
          this.released.emit('slot');
          resolve();
        }
      };
      void run();
    });
  }

  private userOf({ crm, sourceUrl, isFailing, requestsPerSecond: own }: WaitingSource): SourceUser {
    const host = isUrl(sourceUrl) ? new URL(sourceUrl).host : '';
    const rate = requestsPerSecond(host, { requestsPerSecond: own }, this.registry.get(crm)?.quota);
    return { host, isFailing, mostOfHost: Math.max(1, Math.min(this.config.fetchPerHost, Math.floor(rate))) };
  }

  /** Waits for a slot of a host to be released, if the host's runs are quick. */
  private async slotSoon(user: SourceUser): Promise<HeldSlot | null> {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      patience.abort();
    }, SLOT_PATIENCE_MS);
    try {
      while (!user.isFailing && user.host !== '' && !this.slowHosts.has(user.host)) {
        await once(this.released, 'slot', { signal: patience.signal }).catch(() => {
          this.slowHosts.add(user.host);
        });
        const slot = this.slots.acquire(user);
        if (slot !== null) return slot;
      }
    } finally {
      clearTimeout(timer);
    }
    return null;
  }

  /** The deferred gateway with a slot that has waited longest; null while the queue has a gateway for this worker. */
  private async nextDeferred(): Promise<number | null> {
    if (this.isStopped || !this.hasDeferred() || !(await this.queue.isEmpty().catch(() => false))) return null;
    for (const [gatewayId, user] of this.deferred) {
      if (!this.slots.hasFor(user)) continue;
      this.deferred.delete(gatewayId);
      return gatewayId;
    }
    return null;
  }

  /** A function, because the compiler assumes that a property does not change across an await. */
  private hasStopped(): boolean {
    return this.isStopped;
  }

  private hasDeferred(): boolean {
    for (const user of this.deferred.values()) if (this.slots.hasFor(user)) return true;
    return false;
  }
}
