import { Inject, Injectable } from '@nestjs/common';
import { RunRequests, type ServedGateway } from '@passerelle/database';
import type { Traces } from '@passerelle/traces';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Clock } from '../clock';
import { Outage } from '../metrics/outage';
import { LOGGER, TRACES } from '../tokens';

/** A process requests a run of one gateway at most this often; the database merges the requests of several processes. */
const PAUSE_MS = 10_000;
const MOST_ENTRIES = 10_000;

@Injectable()
export class RefreshRequests {
  private readonly requested: LRUCache<number, true>;

  constructor(
    @Inject(RunRequests) private readonly runs: Pick<RunRequests, 'requestForReader'>,
    clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outage: Outage,
    @Inject(TRACES) private readonly traces: Traces,
  ) {
    const perf = { now: () => clock.monotonicMs() };
    this.requested = new LRUCache({ max: MOST_ENTRIES, ttl: PAUSE_MS, ttlResolution: 0, perf });
  }

  /** Requests a run, unless one was requested a moment ago. Never fails: the reader can be served without a run. */
  ask(
    gateway: Pick<ServedGateway, 'id' | 'crm' | 'client'>,
    trigger: 'stale-read' | 'first-read',
    requestId: string,
  ): void {
    const { id: gatewayId, crm, client } = gateway;
    if (this.requested.has(gatewayId)) return;
    this.requested.set(gatewayId, true);
    const names = { requestId, crm, client, trigger };
    const startMs = Date.now();
    this.runs.requestForReader(gatewayId, trigger, requestId).then(
      (run) => {
        if (run === null) return;
        this.logger.info({ ...names, run }, 'requested a run');
        this.traces.record({
          ...{ name: 'ask for a run', kind: 'internal', startMs, endMs: Date.now(), requestId, hasFailed: false },
          attributes: {
            'passerelle.run': run,
            'passerelle.trigger': trigger,
            'passerelle.crm': crm,
            'passerelle.client': client,
          },
        });
      },
      (error: unknown) => {
        this.requested.delete(gatewayId);
        if (!this.outage.covers(error)) this.logger.error({ ...names, err: error }, 'cannot request a run');
      },
    );
  }
}
