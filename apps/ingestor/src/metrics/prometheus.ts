import { Inject, Injectable } from '@nestjs/common';
import type { ConnectorRegistry } from '@passerelle/connectors';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { InvalidTokenLimiter } from '../access/invalid-token-limiter';
import type { RunEnd } from '../ingest/run-end';
import { IngestQueue } from '../queue/ingest-queue';
import { REGISTRY } from '../tokens';
import { DATABASE_GAUGES, type MetricHead } from './database-gauges';
import { ExportCounters } from '../outbox/export/export-counters';
import { WebhookTries } from '../outbox/webhook/webhook-tries';
import { MetricsSnapshot } from './metrics-snapshot';
import { ReadingGauges } from './reading-gauges';
import { RUN_COUNTERS } from './run-counters';
import type { BackupFacts } from '@passerelle/database';

/** A gauge of the whole database, equal in every process; null omits the line. */
interface BackupGauge extends MetricHead {
  value: (facts: BackupFacts) => number | null;
}

const BACKUP_GAUGES: readonly BackupGauge[] = [
  {
    name: 'passerelle_backup_age_seconds',
    help: 'Time since `ops backup` recorded the last backup that can be restored; no value when there was none',
    value: ({ ageSeconds }) => ageSeconds,
  },
  {
    name: 'passerelle_backup_failed',
    help: 'Whether the last attempt of `ops backup` failed',
    value: ({ failure }) => (failure === null ? 0 : 1),
  },
  {
    name: 'passerelle_backup_never',
    help: 'Whether `ops backup` has never recorded a backup that can be restored',
    value: ({ at }) => (at === null ? 1 : 0),
  },
];

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const DURATION_BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const WAIT_BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/** The database's gauges are the same in every process. The counters of runs cover only this process. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly gauges = DATABASE_GAUGES.map((definition) => ({ ...definition, gauge: this.gauge(definition) }));
  private readonly counters = RUN_COUNTERS.map((definition) => ({ ...definition, counter: this.counter(definition) }));
  private readonly durations = new Histogram({
    name: 'passerelle_run_duration_seconds',
    help: 'Duration of the runs that this process ended; dry runs do not count',
    labelNames: ['connector', 'state'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [this.registry],
  });
  private readonly waits = new Histogram({
    name: 'passerelle_run_wait_seconds',
    help: 'How long the runs that this process ended had waited for a worker since they could start; dry runs do not count',
    labelNames: ['connector'],
    buckets: WAIT_BUCKETS_SECONDS,
    registers: [this.registry],
  });
  private readonly databaseUp = new Gauge({
    name: 'passerelle_database_up',
    help: 'Whether PostgreSQL answered this process; if not, the figures from the database are missing',
    registers: [this.registry],
  });
  private readonly readOnly = new Gauge({
    name: 'passerelle_database_read_only',
    help: 'Whether PostgreSQL answers but accepts no writes, for example as a standby; no run can be carried out',
    registers: [this.registry],
  });
  private readonly backups = BACKUP_GAUGES.map(({ name, help, value }) => ({
    gauge: new Gauge({ name, help, registers: [this.registry] }),
    value,
  }));

  constructor(
    private readonly figures: MetricsSnapshot,
    reading: ReadingGauges,
    @Inject(IngestQueue) queue: Pick<IngestQueue, 'state'>,
    @Inject(REGISTRY) registry: Pick<ConnectorRegistry, 'list'>,
    guesses: InvalidTokenLimiter,
    webhookTries: WebhookTries,
    exports: ExportCounters,
  ) {
    webhookTries.register(this.registry);
    exports.register(this.registry);
    collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    reading.register(this.registry);
    new Gauge({
      name: 'passerelle_queue_up',
      help: "Whether the queue's store answered this process",
      registers,
      async collect() {
        this.set((await queue.state()) === 'unavailable' ? 0 : 1);
      },
    });
    new Gauge({
      name: 'passerelle_queue_read_only',
      help: "Whether the queue's store answers but refuses writes, for example a Redis replica or a Redis without free memory; no run starts",
      registers,
      async collect() {
        this.set((await queue.state()) === 'read-only' ? 1 : 0);
      },
    });
    new Gauge({
      name: 'passerelle_queue_paused',
      help: 'Whether a queue is paused, so that workers take no job; starting an ingestor resumes it',
      registers,
      async collect() {
        this.set((await queue.state()) === 'paused' ? 1 : 0);
      },
    });
    new Counter({
      name: 'passerelle_ops_wrong_tokens_total',
      help: 'Requests to the ops port with a wrong token; `limited` when over 60 a minute from one network',
      labelNames: ['answer'],
      registers,
      collect() {
        this.reset();
        this.inc({ answer: 'refused' }, guesses.count - guesses.limited);
        this.inc({ answer: 'limited' }, guesses.limited);
      },
    });
    for (const { code: connector } of registry.list()) {
      for (const { counter, known } of this.counters) {
        for (const labels of known) counter.inc({ connector, ...labels }, 0);
      }
    }
  }

  countRun(end: RunEnd): void {
    if (end.dryRun) return;
    const { connector, state, ms, waitedMs } = end;
    this.waits.observe({ connector }, waitedMs / 1000);
    this.durations.observe({ connector, state }, ms / 1000);
    for (const { counter, counts } of this.counters) {
      for (const { labels, value } of counts(end)) counter.inc({ connector, ...labels }, value);
    }
  }

  /** All metrics in Prometheus's text format, without the database's gauges when the database is unavailable. */
  async text(): Promise<string> {
    const figures = await this.figures.get();
    this.databaseUp.set(figures === null ? 0 : 1);
    this.readOnly.set(figures !== null && this.figures.isReadOnly ? 1 : 0);
    for (const { gauge, samples } of this.gauges) {
      // A connector that is gone, or whose figures are unknown, must not keep its last values.
      gauge.reset();
      for (const row of figures ?? []) {
        for (const { labels, value } of samples(row)) {
          if (value !== null) gauge.set({ connector: row.connector, ...labels }, value);
        }
      }
    }
    for (const { gauge, value } of this.backups) {
      gauge.remove();
      const known = figures === null || this.figures.backups === null ? null : value(this.figures.backups);
      if (known !== null) gauge.set(known);
    }
    return this.registry.metrics();
  }

  private gauge({ name, help, labels = [] }: (typeof DATABASE_GAUGES)[number]): Gauge {
    return new Gauge({ name, help, labelNames: ['connector', ...labels], registers: [this.registry] });
  }

  private counter({ name, help, labels = [] }: (typeof RUN_COUNTERS)[number]): Counter {
    return new Counter({ name, help, labelNames: ['connector', ...labels], registers: [this.registry] });
  }
}
