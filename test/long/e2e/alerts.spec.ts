import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { commandOnPath } from '../../support/command-on-path';
import { canHaveComposeNames } from '../../support/compose-names';
import { aFreePort } from '../../support/free-port';
import { type Product, startProduct } from '../../support/product';
import { type Program, startProgram, untilReady } from '../../support/program';
import { type Prometheus, startPrometheus } from '../../support/prometheus';
import { type OwnRedis, startOwnRedis } from '../../support/own-redis';
import { eventually } from '../../support/waiting';

// Real: Prometheus with our configuration, rules and name resolution, API, ingestor and console as built, PostgreSQL,
// Redis. Fake: the CRM, and the network cables that the test unplugs. Time runs five times as fast in the rules and
// intervals: two minutes are 24 seconds.

const CAN_RUN = commandOnPath('prometheus');
const itOrSkip = CAN_RUN ? it : it.skip;
const HAS_REDIS = commandOnPath('redis-server');
const withRedis = CAN_RUN && HAS_REDIS ? it : it.skip;
/** Two rounds of the rules. */
const AFTERMATH_MS = 6_000;

const DASHBOARDS = join(__dirname, '..', '..', '..', 'ops', 'grafana');

/** The expressions of the dashboards, for every connector and over a window that Grafana would choose. */
const PANELS = [
  ...readdirSync(DASHBOARDS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(DASHBOARDS, name), 'utf8'))
    .join()
    .matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g),
].map(([, json = '""']) =>
  String(JSON.parse(json)).replaceAll('$connector', '.+').replaceAll('$__rate_interval', '20s'),
);

interface Monitoring {
  host: string;
  /** The names of the alerts that Prometheus posted to Alertmanager's address. */
  delivered(): string[];
  close(): void;
}

/** Replaces node-exporter and Alertmanager: it answers every request, and records the alerts that Prometheus posts. */
async function startMonitoring(): Promise<Monitoring> {
  const names: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') {
        const alerts = JSON.parse(Buffer.concat(chunks).toString()) as { labels: Record<string, string> }[];
        names.push(...alerts.map(({ labels }) => labels['alertname'] ?? ''));
      }
      response.end('');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    delivered: () => names,
    close: () => void server.close(),
  };
}

describe('real Prometheus with our rules', () => {
  let simulator: Simulator;
  let database: BreakableLink;
  let redis: OwnRedis | null = null;
  let queue: BreakableLink | null = null;
  let product: Product;
  let console: Program;
  let startConsole: () => Promise<Program>;
  let prometheus: Prometheus;
  let monitoring: Monitoring;
  const reading = new AbortController();
  let reader: Promise<void>;

  beforeAll(async () => {
    if (!CAN_RUN) return;
    simulator = await createSimulator({ seed: 23, counts: { kyero: 60 } });
    redis = HAS_REDIS ? await startOwnRedis() : null;
    queue = redis === null ? null : await linkTo(redis.url);
    product = await startProduct({
      ...{ simulator, redisUrl: queue?.url ?? null },
      through: async (url) => (database = await linkTo(url)).url,
    });
    const consolePort = String(await aFreePort());
    const consoleUrl = `http://127.0.0.1:${consolePort}`;
    startConsole = async () => {
      const program = startProgram('apps/console/src/main.js', {
        DATABASE_URL: product.db.urlOf('operate', database.url),
        CONSOLE_SECRET: randomBytes(32).toString('base64'),
        ...{ CONSOLE_PORT: consolePort, SECRETS_KEY: product.secrets.secretsKey, OPS_TOKEN: product.secrets.opsToken },
      });
      await untilReady(program, `${consoleUrl}/health/ready`);
      return program;
    };
    console = await startConsole();
    monitoring = await startMonitoring();
    prometheus = await startPrometheus(
      [
        { name: 'api-a', port: 3000, target: new URL(product.apiUrl).host },
        { name: 'api-b', port: 3000, target: new URL(product.apiUrl).host },
        { name: 'ingestor', port: 3001, target: new URL(product.opsUrl).host },
        { name: 'console', port: 3004, target: new URL(consoleUrl).host },
        { name: 'node-exporter', port: 9100, target: monitoring.host },
        { name: 'alertmanager', port: 9093, target: monitoring.host },
      ],
      product.secrets.opsToken,
    );
    await recordBackup('backup');
    const gateway = await product.addGateway('kyero');
    await product.ingest('kyero');
    reader = readOn(async () => {
      await (await gateway.get('/v1/properties')).arrayBuffer();
      // Without a session, load the page and send the form.
      for (const method of ['GET', 'POST']) {
        await (await fetch(`${consoleUrl}/sign-in`, { method, redirect: 'manual' })).arrayBuffer();
      }
    });
  });

  afterAll(async () => {
    if (!CAN_RUN) return;
    reading.abort();
    await reader;
    await prometheus.stop();
    monitoring.close();
    // A failed test may have left a cable unplugged.
    await Promise.all([database.mend(), queue?.mend()]);
    await console.stop();
    await product.stop();
    await Promise.all([database.close(), queue?.close(), simulator.close()]);
    await redis?.stop();
  });

  /** Records an attempt as `ops backup` does. */
  async function recordBackup(act: 'backup' | 'backup failed'): Promise<void> {
    await product.db.database.audit.record([{ who: 'the test', through: 'ops', act }]);
  }

  /** Reads again and again, as a site that ignores all errors. */
  async function readOn(read: () => Promise<unknown>): Promise<void> {
    while (!reading.signal.aborted) {
      await read().catch(() => undefined);
      await sleep(250);
    }
  }

  async function untilFiring(...names: string[]): Promise<void> {
    const wanted = names.sort().join();
    let seen = '';
    await eventually(async () => (seen = (await prometheus.firing()).join()) === wanted || undefined).catch(() => {
      throw new Error(`wanted: ${wanted}; fires: ${seen}`);
    });
  }

  /**
   * Expects that exactly these alerts fire and that `look` returns `wanted`. One of three checks must succeed: on a
   * busy machine a late scrape makes an alert pending for a moment, but a wrong alert lasts.
   */
  async function expectToLast<T>(names: string[], look: () => Promise<T>, wanted: T): Promise<void> {
    let seen: T | undefined;
    for (let looks = 0; looks < 3 && JSON.stringify(seen) !== JSON.stringify(wanted); looks += 1) {
      await untilFiring(...names);
      await sleep(AFTERMATH_MS);
      seen = await look();
    }
    expect(seen).toEqual(wanted);
  }

  /** Expects exactly these alerts, and no pending alert that would page an operator. */
  async function expectAlerts(...names: string[]): Promise<void> {
    const look = async (): Promise<object> => ({
      firing: await prometheus.firing(),
      pending: await prometheus.pendingPages(),
    });
    await expectToLast(names, look, { firing: names.sort(), pending: [] });
  }

  itOrSkip('sends no alert while everything works, and has data for every panel of the dashboards', async () => {
    expect(PANELS.length).toBeGreaterThan(30);
    const empty = async (): Promise<string[]> => {
      const found = await Promise.all(PANELS.map(async (panel) => ({ panel, series: await prometheus.query(panel) })));
      return found.filter(({ series }) => series.length === 0).map(({ panel }) => panel);
    };
    await eventually(async () => (await prometheus.query('rate(passerelle_api_answers_total[20s])'))[0]).catch(
      () => null,
    );
    // The panel of a process that was too slow for one scrape is empty for a moment.
    let seen = PANELS;
    await eventually(async () => (seen = await empty()).length === 0 || undefined).catch(() => undefined);
    expect(seen).toEqual([]);
    // On a busy machine, the API may be slow while everything starts.
    await expectToLast([], () => prometheus.firing(), []);
  });

  itOrSkip('reports a failed backup until the next successful backup, and reports nothing else', async () => {
    await recordBackup('backup failed');
    await expectAlerts('PasserelleBackupFailed');
    await recordBackup('backup');
    await untilFiring();
  });

  itOrSkip('reports that the API is down, and nothing else', async () => {
    product.api().signal('SIGKILL');
    const restore = await prometheus.withdraw('api-a', 'api-b');
    await expectAlerts('PasserelleApiGone', 'PasserelleNoApi');
    if (canHaveComposeNames()) expect(monitoring.delivered()).toContain('PasserelleNoApi');
    await product.restartApi();
    await restore();
    await untilFiring();
  });

  itOrSkip('reports that the ingestor is down, and nothing else', async () => {
    product.ingestor().signal('SIGKILL');
    const restore = await prometheus.withdraw('ingestor');
    await expectAlerts('PasserelleIngestorGone', 'PasserelleNoIngestor');
    await product.restartIngestor();
    await restore();
    await untilFiring();
  });

  itOrSkip('reports that the console is down, and nothing else', async () => {
    console.signal('SIGKILL');
    await console.ended;
    const restore = await prometheus.withdraw('console');
    await expectAlerts('PasserelleConsoleGone');
    console = await startConsole();
    await restore();
    await untilFiring();
  });

  itOrSkip('reports an unreachable database and the resulting API errors, and nothing else', async () => {
    await database.cut();
    await expectAlerts(
      'PasserelleApiErrors',
      'PasserelleDatabaseAway',
      ...(queue === null ? ['PasserelleQueueAway'] : []),
    );
    await database.mend();
    await untilFiring();
  });

  withRedis('reports that the Redis server of the queue is unreachable, and nothing else', async () => {
    await queue!.cut();
    await expectAlerts('PasserelleQueueAway');
    await queue!.mend();
    await untilFiring();
  });

  withRedis('reports that the Redis server of the queue refuses writes, and nothing else', async () => {
    await redis!.client.config('SET', 'maxmemory', '1');
    await expectAlerts('PasserelleQueueReadOnly');
    await redis!.client.config('SET', 'maxmemory', '0');
    await untilFiring();
  });

  itOrSkip('reports a read-only database but no API error, because the API still serves lists', async () => {
    const name = new URL(product.db.url).pathname.slice(1);
    const setReadOnly = async (value: string): Promise<void> => {
      await product.db.query(`SET default_transaction_read_only = off`);
      await product.db.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      // A server that becomes a standby also closes its connections.
      await product.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'passerelle-%'`,
      );
    };
    await setReadOnly('on');
    await expectAlerts('PasserelleDatabaseReadOnly');
    await setReadOnly('off');
    await untilFiring();
  });
});
