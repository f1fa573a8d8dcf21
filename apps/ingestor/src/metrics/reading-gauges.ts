import { Injectable, Inject } from '@nestjs/common';
import { SpoolBudget } from '@passerelle/connectors';
import { Gauge, type Registry } from 'prom-client';
import type { IngestorConfig } from '../config';
import { ProcessingSlots } from '../ingest/processing-slots';
import { RunsInFlight } from '../queue/runs-in-flight';
import { CONFIG } from '../tokens';

@Injectable()
export class ReadingGauges {
  constructor(
    private readonly inFlight: RunsInFlight,
    private readonly slots: ProcessingSlots,
    private readonly budget: SpoolBudget,
    @Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'ingestConcurrency' | 'fetchConcurrency'>,
  ) {}

  register(registry: Registry): void {
    const { inFlight, slots, budget } = this;
    const { ingestConcurrency, fetchConcurrency } = this.config;
    const gauge = (name: string, help: string, value: () => number): void => {
      new Gauge({
        ...{ name, help, registers: [registry] },
        collect() {
          this.set(value());
        },
      });
    };
    gauge('passerelle_runs_under_way', 'Runs that this process is carrying out', () => inFlight.count);
    gauge(
      'passerelle_source_slots',
      'Largest number of sources that this process reads at a time; very slow ones do not count',
      () => {
        return fetchConcurrency;
      },
    );
    gauge('passerelle_sources_being_read', 'Runs under way that wait for their source or read it', () => {
      return Math.max(0, inFlight.count - slots.taken - slots.waiting);
    });
    gauge('passerelle_runs_waiting_for_slot', 'Runs under way whose feed is fetched and waits to be processed', () => {
      return slots.waiting;
    });
    gauge('passerelle_runs_at_work', 'Runs under way whose feed this process is processing', () => slots.taken);
    gauge(
      'passerelle_run_slots',
      'Largest number of feeds that this process processes at a time',
      () => ingestConcurrency,
    );
    const bytes = new Gauge({
      name: 'passerelle_spooled_bytes',
      help: 'Fetched bytes that this process has not processed yet, in memory and on the disk',
      labelNames: ['where'],
      registers: [registry],
      collect() {
        bytes.set({ where: 'memory' }, budget.bytesInMemory);
        bytes.set({ where: 'disk' }, budget.bytesOnDisk);
      },
    });
  }
}
