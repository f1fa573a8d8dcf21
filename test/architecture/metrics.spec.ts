import { Socket } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpoolBudget } from '@passerelle/connectors';
import type { ConnectorFigures } from '@passerelle/database';
import { DUTY_CODES, EXPORT_RESULTS, noFigures } from '@passerelle/domain';
import pino from 'pino';
import { parse } from 'yaml';
import { AccessModule } from '../../apps/api/src/access/access.module';
import { LimitStore } from '../../apps/api/src/access/limit-store';
import { RefusedKeys } from '../../apps/api/src/access/refused-keys';
import { systemClock } from '../../apps/api/src/clock';
import { Answers } from '../../apps/api/src/metrics/answers';
import { Metrics as ApiMetrics } from '../../apps/api/src/metrics/metrics';
import { Outage } from '../../apps/api/src/metrics/outage';
import { LoggedRequest } from '../../apps/api/src/metrics/access-log';
import { SnapshotAges } from '../../apps/api/src/metrics/snapshot-ages';
import { PropertiesModule } from '../../apps/api/src/properties/properties.module';
import type { PaginationSessions } from '../../apps/api/src/properties/pagination-sessions';
import { ExportLimiter } from '../../apps/api/src/full-export/export-limiter';
import { FullExportModule } from '../../apps/api/src/full-export/full-export.module';
import { InvalidTokenLimiter } from '../../apps/ingestor/src/access/invalid-token-limiter';
import { DATABASE_GAUGES } from '../../apps/ingestor/src/metrics/database-gauges';
import { ProcessingSlots } from '../../apps/ingestor/src/ingest/processing-slots';
import { MetricsSnapshot } from '../../apps/ingestor/src/metrics/metrics-snapshot';
import { Metrics } from '../../apps/ingestor/src/metrics/prometheus';
import { ReadingGauges } from '../../apps/ingestor/src/metrics/reading-gauges';
import { RunsInFlight } from '../../apps/ingestor/src/queue/runs-in-flight';
import { ExportCounters } from '../../apps/ingestor/src/outbox/export/export-counters';
import { WebhookTries } from '../../apps/ingestor/src/outbox/webhook/webhook-tries';
import { ConsoleMetrics } from '../../apps/console/src/metrics/console-metrics';
import { connector as kyero } from '../../libs/connectors/src/sources/kyero/connector';
import { expectSection, markdownTable } from '../support/generated-section';

const ROOT = join(__dirname, '..', '..');
const RULES = readFileSync(join(ROOT, 'ops/prometheus/alerts.yml'), 'utf8');
const DASHBOARDS = readdirSync(join(ROOT, 'ops/grafana')).filter((name) => name.endsWith('.json'));
const PAGE = 'docs/operations.md';

interface Metric {
  name: string;
  help: string;
  /** The values of each label. */
  labels: Map<string, Set<string>>;
}

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

/** Labels whose values come from requests. */
const OPEN_LABELS = ['job', 'route', 'status', 'target'];

/** The metrics of an ingestor with one connector. Its gateways produce a value for every metric. */
async function ingestorMetrics(): Promise<Metric[]> {
  const figures: ConnectorFigures = {
    connector: 'kyero',
    ...{
      active: 1,
      paused: 1,
      disabled: 1,
      expired: 1,
      failing: 1,
      longestFailingSeconds: 1,
      withoutSnapshot: 1,
      overdue: 1,
      confirmedAhead: 1,
    },
    ...{ freshestSeconds: 1, stalestSeconds: 1, listings: 1, missedRuns: 1, held: 1 },
    duties: Object.fromEntries(DUTY_CODES.map((code) => [code, 1])),
    ...{ waiting: 1, running: 1, abandoned: 1, oldestWaitingSeconds: 1, webhooksDisabled: 1 },
    leads: { waiting: 1, oldestSeconds: 1 },
    feedback: { waiting: 1, oldestSeconds: 1 },
    webhookMessages: { well: { pending: 1, oldestSeconds: 1 }, failing: { pending: 1, oldestSeconds: 1 } },
    ...{ webhooksWaiting: 1, oldestWebhookSeconds: 1 },
    exports: { longestFailingSeconds: 1, held: 1, ready: 1, refused: 1, oldestUnansweredSeconds: 1 },
  };
  const slots = { ingestConcurrency: 1, fetchConcurrency: 1 };
  const exports = new ExportCounters();
  for (const result of [...EXPORT_RESULTS, 'failed']) exports.count('kyero', result, 1);
  const metrics = new Metrics(
    new MetricsSnapshot(
      { load: () => Promise.resolve([figures]) },
      { isReadOnly: () => Promise.resolve(false) },
      { backups: () => Promise.resolve({ at: '2026-11-27T00:00:00Z', ageSeconds: 60, failure: null }) },
      { refreshEverySeconds: 3000 },
    ),
    new ReadingGauges(new RunsInFlight(), new ProcessingSlots(slots), new SpoolBudget(), slots),
    { state: () => Promise.resolve('ok') },
    { list: () => [kyero] },
    new InvalidTokenLimiter(pino({ level: 'silent' })),
    new WebhookTries(),
    exports,
  );
  const run = { connector: 'kyero', reason: null, dryRun: false, ms: 1, waitedMs: 1, figures: noFigures() };
  for (const state of ['published', 'held', 'failed', 'unchanged'] as const) metrics.countRun({ ...run, state });
  return metricsOf(await metrics.text());
}

/** The metrics of an API that has answered one request. */
async function apiMetrics(): Promise<Metric[]> {
  const answers = new Answers(null);
  for (const cache of ['hit', 'miss', 'none'] as const) {
    const logged = () => new LoggedRequest({ method: 'GET', path: '/v1/properties' });
    const end = { id: '', logged, route: '/v1/properties', cache, start: answers.begin(new Socket()) };
    answers.end({ writableFinished: true, statusCode: 200 }, end);
  }
  const logger = pino({ level: 'silent' });
  const metrics = new ApiMetrics(
    answers,
    { figures: { replica: 1, primary: 1 } },
    new SnapshotAges(systemClock),
    new Outage(logger),
    { poolFigures: () => ({ total: 1, idle: 1, waiting: 1 }) },
  );
  const store = new LimitStore({ redisUrl: null, redisPrefix: 'test' }, systemClock, logger);
  new AccessModule(metrics, new RefusedKeys({ refusedKeysPerMinute: 1 }, store, logger));
  new PropertiesModule(
    metrics,
    { figures: { hits: 1, misses: 1 } },
    { addListener: () => undefined },
    {} as PaginationSessions,
  );
  new FullExportModule(metrics, new ExportLimiter());
  return metricsOf(await metrics.text());
}

/** The metrics of a console that has answered one request. */
async function consoleMetrics(): Promise<Metric[]> {
  const metrics = new ConsoleMetrics({ poolFigures: () => ({ total: 1, idle: 1, waiting: 1 }) });
  metrics.count('/sign-in', 200, 0.01);
  return metricsOf(await metrics.text());
}

function metricsOf(text: string): Metric[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => ({
    name,
    help,
    labels: labelsOf(name, text),
  }));
}

function labelsOf(name: string, text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, inner = ''] of text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm'))) {
    for (const [, label = '', value = ''] of inner.matchAll(/\b(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }
  labels.delete('le');
  return labels;
}

const isOurs = ({ name }: { name: string }): boolean => name.startsWith('passerelle_');

interface Dashboard {
  uid: string;
  title: string;
  panels: { id: number; gridPos: { x: number; y: number; w: number; h: number }; targets?: { expr: string }[] }[];
  templating: { list: { query: string | { query: string } }[] };
}

function dashboards(): Dashboard[] {
  return DASHBOARDS.map((name) => JSON.parse(readFileSync(join(ROOT, 'ops/grafana', name), 'utf8')) as Dashboard);
}

function dashboardExpressions(): string[] {
  return dashboards().flatMap(({ panels, templating }) => [
    ...panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr),
    ...templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query)),
  ]);
}

function rules(): Rule[] {
  const { groups } = parse(RULES) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
}

/** Metrics that the PromQL expressions name, with the label matchers of each metric. */
function named(expressions: readonly string[]): { name: string; matchers: [label: string, value: string][] }[] {
  return expressions.flatMap((expression) =>
    [...expression.matchAll(/\b((?:passerelle|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
      ([, name = '', inner = '']) => ({
        name: name.replace(/_(bucket|sum|count)$/, ''),
        matchers: [...inner.matchAll(/\b(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']): [string, string] => [
          label,
          value,
        ]),
      }),
    ),
  );
}

describe("Passerelle's metrics", () => {
  let ingestor: Metric[];
  let api: Metric[];
  let console: Metric[];
  let metrics: Metric[];
  beforeAll(async () => {
    [ingestor, api, console] = [await ingestorMetrics(), await apiMetrics(), await consoleMetrics()];
    metrics = [...ingestor, ...api, ...console];
  });
  const expressions = (): string[] => [...rules().map(({ expr }) => expr), ...dashboardExpressions()];

  it('are used by an alert or a dashboard', () => {
    const used = new Set(named(expressions()).map(({ name }) => name));
    expect(metrics.filter(isOurs).filter(({ name }) => !used.has(name))).toEqual([]);
  });

  it('have dashboards with unique names and panels that do not overlap', () => {
    const all = dashboards();
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
    for (const { title, panels } of all) {
      expect([title, new Set(panels.map(({ id }) => id)).size]).toEqual([title, panels.length]);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_none, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
      );
      expect([title, new Set(cells).size]).toEqual([title, cells.length]);
    }
  });

  it('include each name, label and value that alerts and dashboards use', () => {
    const unknown = named(expressions()).flatMap(({ name, matchers }) => {
      const metric = metrics.find((known) => known.name === name);
      if (metric === undefined) return [name];
      return matchers
        .filter(
          ([label, value]) => !OPEN_LABELS.includes(label) && value !== '$connector' && !knows(metric, label, value),
        )
        .map(([label, value]) => `${name}{${label}="${value}"}`);
    });
    expect(unknown).toEqual([]);
  });

  it('are explained in docs/operations.md, for the ingestor', () => {
    const fromDatabase = new Set(DATABASE_GAUGES.map(({ name }) => name));
    const rows = ingestor
      .filter(isOurs)
      .map(({ name, help, labels }) => [
        `\`${name}\``,
        inWords(labels),
        fromDatabase.has(name) ? 'database' : 'process',
        help,
      ]);
    expectSection(PAGE, 'metrics', markdownTable(['metric', 'labels', 'from', ''], rows));
  });

  it('are explained in docs/operations.md, for the API', () => {
    const rows = api.filter(isOurs).map(({ name, help, labels }) => [`\`${name}\``, inWords(labels), help]);
    expectSection(PAGE, 'api-metrics', markdownTable(['metric', 'labels', ''], rows));
  });

  it('are explained in docs/operations.md, for the console', () => {
    const rows = console.filter(isOurs).map(({ name, help, labels }) => [`\`${name}\``, inWords(labels), help]);
    expectSection(PAGE, 'console-metrics', markdownTable(['metric', 'labels', ''], rows));
  });

  it('have alerts that docs/operations.md explains', () => {
    const rows = rules().map(({ alert, labels, annotations }) => [
      `\`${alert}\``,
      labels.severity,
      annotations.description,
    ]);
    expectSection(PAGE, 'alerts', markdownTable(['alert', 'severity', 'what it means and what to do'], rows));
  });

  it('have alerts with a severity and a description that tells the operator what to do', () => {
    for (const { labels, annotations } of rules()) {
      expect(labels.severity).toMatch(/^(page|ticket)$/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });
});

function inWords(labels: Metric['labels']): string {
  return [...labels]
    .filter(([label]) => label !== 'connector')
    .map(([label, values]) =>
      OPEN_LABELS.includes(label) ? `\`${label}\`` : `\`${label}\`: ${[...values].join(', ')}`,
    )
    .join('; ');
}

function knows({ labels }: Metric, label: string, value: string): boolean {
  return value.split('|').every((word) => labels.get(label)?.has(word) === true);
}
