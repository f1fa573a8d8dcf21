import { Inject, Injectable } from '@nestjs/common';
import { DatabaseConnection, ReplicaReads } from '@passerelle/database';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { RefusedKeys } from '../access/refused-keys';
import { DumpTurns } from '../legacy/dump-turns';
import { Pages } from '../properties/pages';
import { Answers } from './answers';
import { Outage } from './outage';
import { SnapshotAges } from './snapshot-ages';

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of one process: what it counts at each answer, and what it is asked for when somebody scrapes. */
@Injectable()
export class Metrics {
  constructor(
    private readonly answers: Answers,
    @Inject(Pages) pages: Pick<Pages, 'figures'>,
    @Inject(ReplicaReads) reads: Pick<ReplicaReads, 'figures'>,
    ages: SnapshotAges,
    @Inject(DumpTurns) dumps: Pick<DumpTurns, 'figures'>,
    refused: RefusedKeys,
    outage: Outage,
    @Inject(DatabaseConnection) connection: Pick<DatabaseConnection, 'poolFigures'>,
  ) {
    const registers = [answers.registry];
    collectDefaultMetrics({ register: answers.registry });
    new Counter({
      name: 'passerelle_api_pages_total',
      help: 'Pages of properties that were in memory, and that had to be made',
      labelNames: ['cache'],
      registers,
      collect() {
        this.reset();
        this.inc({ cache: 'hit' }, pages.figures.hits);
        this.inc({ cache: 'miss' }, pages.figures.misses);
      },
    });
    new Counter({
      name: 'passerelle_api_list_reads_total',
      help: 'Reads of the texts of listings, by the database that they came from: the replica of DATABASE_READ_URL, or the primary',
      labelNames: ['database'],
      registers,
      collect() {
        this.reset();
        this.inc({ database: 'replica' }, reads.figures.replica);
        this.inc({ database: 'primary' }, reads.figures.primary);
      },
    });
    new Counter({
      name: 'passerelle_api_refused_keys_total',
      help: 'Requests that were refused for their key, or for a gateway that there is not; `limited` beyond REFUSED_KEYS_PER_MINUTE',
      labelNames: ['answer'],
      registers,
      collect() {
        this.reset();
        this.inc({ answer: 'limited' }, refused.limited);
        this.inc({ answer: 'refused' }, refused.count - refused.limited);
      },
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
    new Gauge({
      name: 'passerelle_api_oldest_served_seconds',
      help: 'Time since the source confirmed the oldest snapshot that was served in the last minutes; 0 when none was',
      registers,
      collect() {
        this.set((ages.oldestMs() ?? 0) / 1000);
      },
    });
    new Gauge({
      name: 'passerelle_api_database_connections',
      help: 'Connections of the pool, those of them that are idle, and requests that wait for one',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, value] of Object.entries(connection.poolFigures())) this.set({ state }, value);
      },
    });
    new Gauge({
      name: 'passerelle_api_dumps',
      help: 'Dumps of v0 that are under way, and that wait their turn',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, value] of Object.entries(dumps.figures())) this.set({ state }, value);
      },
    });
  }

  /** All metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.answers.registry.metrics();
  }
}
