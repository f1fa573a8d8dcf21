import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection, ReplicaReads } from '@passerelle/database';
import { carriesOpsToken } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { ApiConfig } from '../config';
import { Answers } from './answers';
import { Outage } from './outage';
import { SnapshotAges } from './snapshot-ages';

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Figures that are stored elsewhere, and read during a scrape. */
export interface MetricOptions<Value extends string = string> {
  name: string;
  help: string;
  label: string;
  figures: () => Readonly<Record<Value, number>>;
}

/** The metrics of one process. This class has the common metrics; each area of the API adds others. */
@Injectable()
export class Metrics {
  constructor(
    private readonly answers: Answers,
    @Inject(ReplicaReads) reads: Pick<ReplicaReads, 'figures'>,
    ages: SnapshotAges,
    outage: Outage,
    @Inject(DatabaseConnection) connection: Pick<DatabaseConnection, 'poolFigures'>,
  ) {
    const registers = [answers.registry];
    collectDefaultMetrics({ register: answers.registry });
    this.count({
      name: 'passerelle_api_list_reads_total',
      help: 'Reads of the texts of listings, by the database that they came from: the replica of DATABASE_READ_URL, or the primary',
      label: 'database',
      figures: () => ({ replica: reads.figures.replica, primary: reads.figures.primary }),
    });
    new Counter({
      name: 'passerelle_api_database_failures_total',
      help: 'Requests, and requests for runs, that failed because PostgreSQL did not answer',
      registers,
      collect() {
        this.reset();
        this.inc(outage.count);
      },
    });
    new Counter({
      name: 'passerelle_api_refused_writes_total',
      help: 'Writes that PostgreSQL refused because it is read-only or its disk is full; lists are served without them',
      registers,
      collect() {
        this.reset();
        this.inc(outage.refusedWrites);
      },
    });
    new Gauge({
      name: 'passerelle_api_oldest_served_seconds',
      help: 'Time since the source confirmed the oldest snapshot that was served in the last minutes; 0 when none was served',
      registers,
      collect() {
        this.set((ages.oldestMs() ?? 0) / 1000);
      },
    });
    this.gauge({
      name: 'passerelle_api_database_connections',
      help: 'Connections of the pool, idle connections, and requests that wait for a connection',
      label: 'state',
      figures: () => connection.poolFigures(),
    });
  }

  count<Value extends string>({ name, help, label, figures }: MetricOptions<Value>): void {
    new Counter({
      ...{ name, help, labelNames: [label], registers: [this.answers.registry] },
      collect() {
        this.reset();
        for (const [value, figure] of Object.entries<number>(figures())) this.inc({ [label]: value }, figure);
      },
    });
  }

  gauge<Value extends string>({ name, help, label, figures }: MetricOptions<Value>): void {
    new Gauge({
      ...{ name, help, labelNames: [label], registers: [this.answers.registry] },
      collect() {
        for (const [value, figure] of Object.entries<number>(figures())) this.set({ [label]: value }, figure);
      },
    });
  }

  text(): Promise<string> {
    return this.answers.registry.metrics();
  }
}

/** For all clients except operators this path does not exist. */
export const METRICS_PATH = '/metrics';

/** Whether a request has the operators' token. If no token is configured, no request has it. */
export function isOperator({ headers }: FastifyRequest, { opsToken }: Pick<ApiConfig, 'opsToken'>): boolean {
  return carriesOpsToken(headers.authorization, opsToken);
}
