import { Inject, Injectable } from '@nestjs/common';
import { type ConnectorRegistry, mappingOf } from '@passerelle/connectors';
import { Remaps } from '@passerelle/database';
import type { Logger } from 'pino';
import type { RunnerOptions } from '../ingest/run-settings';
import { LOGGER, REGISTRY, RUNNER_OPTIONS } from '../tokens';

/** An upgrade is not urgent, and a plan reads the memory of every gateway. */
const PLAN_EVERY_MS = 60_000;
/** Few, so that these runs do not fill the queue. */
const MOST_WAITING = 20;
const SECONDS_PER_HOUR = 3600;

/** After an upgrade, spreads the runs that map listings again from their stored records. Only the announcer does this. */
@Injectable()
export class RemapPlanning {
  private plannedAtMs = -Infinity;

  constructor(
    @Inject(Remaps) private readonly remaps: Pick<Remaps, 'plan' | 'requestDue'>,
    @Inject(REGISTRY) private readonly registry: Pick<ConnectorRegistry, 'list'>,
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'remapSpreadHours'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async goOn(): Promise<void> {
    const { remapSpreadHours } = this.options;
    if (remapSpreadHours === 0) return;
    const spreadSeconds = remapSpreadHours * SECONDS_PER_HOUR;
    const now = performance.now();
    if (now - this.plannedAtMs >= PLAN_EVERY_MS) {
      this.plannedAtMs = now;
      const planned = await this.remaps.plan(this.mappings(), spreadSeconds);
      if (planned > 0)
        this.log.info({ gateways: planned, hours: remapSpreadHours }, 'listings will be mapped again after an upgrade');
    }
    await this.remaps.requestDue(MOST_WAITING, spreadSeconds);
  }

  private mappings(): Parameters<Remaps['plan']>[0] {
    return this.registry.list().flatMap((connector) => {
      const { code: crm, remap } = connector;
      return remap === undefined || 'not' in remap ? [] : [{ crm, mapping: mappingOf(connector), since: remap.since }];
    });
  }
}
