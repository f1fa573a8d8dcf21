import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection } from '@passerelle/database';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** The label of requests without a route. */
const NO_ROUTE = 'none';
const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The metrics of one process of the console. They name no operator, client or address. */
@Injectable()
export class ConsoleMetrics {
  private readonly registry = new Registry();
  private readonly answers = new Counter({
    name: 'passerelle_console_answers_total',
    help: 'Responses of the console by status',
    labelNames: ['route', 'status'],
    registers: [this.registry],
  });
  private readonly seconds = new Histogram({
    name: 'passerelle_console_answer_seconds',
    help: 'Duration of responses of the console, from the request headers until the last byte was handed to the system',
    labelNames: ['route'],
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  });

  constructor(@Inject(DatabaseConnection) connection: Pick<DatabaseConnection, 'poolFigures'>) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'passerelle_console_database_connections',
      help: 'Connections of the pool, idle connections, and requests that wait for a connection',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, count] of Object.entries(connection.poolFigures())) this.set({ state }, count);
      },
    });
  }

  watch(server: Pick<FastifyInstance, 'addHook'>): void {
    server.addHook('onResponse', (request, reply, done) => {
      const route = request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
      this.count(route, reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Counts one answer. @param route the pattern, because a path may contain anything */
  count(route: string, status: number, seconds: number): void {
    this.answers.inc({ route, status: String(status) });
    this.seconds.observe({ route }, seconds);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
