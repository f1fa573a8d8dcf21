import { Injectable } from '@nestjs/common';
import { WEBHOOK_EVENTS } from '@passerelle/domain';
import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15];
const DELAY_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3600, 86_400];
const RESULTS = ['delivered', 'failed'] as const;

@Injectable()
export class WebhookTries {
  private readonly tries = new Counter({
    name: 'passerelle_webhook_tries_total',
    help: 'Messages that this process sent to webhooks, by event and by whether they were accepted',
    labelNames: ['type', 'result'],
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'passerelle_webhook_duration_seconds',
    help: 'Time until webhook endpoints answered this process, or failed to answer',
    labelNames: ['result'],
    buckets: SECONDS,
    registers: [],
  });
  private readonly delays = new Histogram({
    name: 'passerelle_webhook_delay_seconds',
    help: 'Time from the event of a message until an endpoint accepted it',
    buckets: DELAY_SECONDS,
    registers: [],
  });

  constructor() {
    for (const result of RESULTS) this.durations.zero({ result });
    for (const type of WEBHOOK_EVENTS) for (const result of RESULTS) this.tries.inc({ type, result }, 0);
  }

  register(registry: Registry): void {
    for (const metric of [this.tries, this.durations, this.delays]) registry.registerMetric(metric);
  }

  /** @param sinceMs the time since the event of the message. */
  count(type: string, hasArrived: boolean, ms: number, sinceMs: number): void {
    const result = hasArrived ? 'delivered' : 'failed';
    this.tries.inc({ type, result });
    this.durations.observe({ result }, ms / 1000);
    if (hasArrived) this.delays.observe(Math.max(0, sinceMs) / 1000);
  }
}
