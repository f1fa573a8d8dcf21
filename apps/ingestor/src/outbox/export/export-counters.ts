import { Injectable } from '@nestjs/common';
import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300];

@Injectable()
export class ExportCounters {
  private readonly exports = new Counter({
    name: 'passerelle_exports_total',
    help: 'Exports of this process to portals, by target and by result',
    labelNames: ['target', 'result'],
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'passerelle_export_duration_seconds',
    help: 'Time that attempts of exports of this process took',
    labelNames: ['target'],
    buckets: SECONDS,
    registers: [],
  });

  register(registry: Registry): void {
    for (const metric of [this.exports, this.durations]) registry.registerMetric(metric);
  }

  count(target: string, result: string, ms: number): void {
    this.exports.inc({ target, result });
    this.durations.observe({ target }, ms / 1000);
  }
}
