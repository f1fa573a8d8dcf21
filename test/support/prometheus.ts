import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { canHaveComposeNames, startComposeNames } from './compose-names';
import { aFreePort } from './free-port';

/** A service of docker-compose.yml: its name, its port, and the `host:port` of the process that replaces it. */
export interface ComposeService {
  name: string;
  port: number;
  target: string;
}

/** A real Prometheus with our rules. */
export interface Prometheus {
  /**
   * Removes services from the DNS, as compose does when their containers end. @returns a function that adds them again
   */
  withdraw(...names: string[]): Promise<() => Promise<void>>;
  /** Evaluates an expression. @returns labels and value of each series. @throws Error if the expression is invalid */
  query(expression: string): Promise<{ labels: Record<string, string>; value: string }[]>;
  /** The names of the firing alerts, sorted. */
  firing(): Promise<string[]>;
  /** The pending alerts that page an operator if their cause continues. */
  pendingPages(): Promise<string[]>;
  stop(): Promise<void>;
}

interface Config {
  alerting?: unknown;
  global: { scrape_interval: string; evaluation_interval: string; scrape_timeout?: string };
  scrape_configs: { job_name: string; dns_sd_configs?: unknown; static_configs?: unknown }[];
}

/**
 * The factor by which time runs faster. 15 seconds become 3, which is enough because a scrape waits 2 seconds for an
 * unavailable database or queue.
 */
const HURRY = 5;
const FOLDER = join(__dirname, '..', '..', 'ops', 'prometheus');
const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Starts Prometheus for the services, with ops/prometheus and shortened times. Prometheus resolves the services' names
 * as in compose. If this process cannot set up names, the configuration contains addresses instead.
 */
export async function startPrometheus(services: readonly ComposeService[], opsToken: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-prometheus-'));
  const text = (await readFile(join(FOLDER, 'prometheus.yml'), 'utf8')).replaceAll('/run/secrets/', '');
  const config = parse(hurried(text)) as Config;
  config.global.scrape_timeout = config.global.scrape_interval;
  const names = canHaveComposeNames() ? await startComposeNames(join(folder, 'resolv.conf')) : null;
  const start = async (name: string): Promise<void> => {
    const service = services.find((one) => one.name === name)!;
    await names?.start(name, service.port, service.target);
  };
  for (const { name } of services) await start(name);
  if (names === null) {
    const targetsOf = (job: string): string[] =>
      services.filter(({ name }) => job.includes(name.split('-')[0]!)).map(({ target }) => target);
    delete config.alerting;
    for (const job of config.scrape_configs) {
      delete job.dns_sd_configs;
      job.static_configs = [{ targets: targetsOf(job.job_name) }];
    }
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config));
  await writeFile(join(folder, 'alerts.yml'), hurried(await readFile(join(FOLDER, 'alerts.yml'), 'utf8')));
  await writeFile(join(folder, 'ops_token'), opsToken);
  const address = `127.0.0.1:${await aFreePort()}`;
  const options = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`];
  const [program, args] = names?.among('prometheus', options) ?? ['prometheus', options];
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);

  while (!(await isReady(address))) {
    if (child.exitCode !== null) throw new Error(`Prometheus does not start:\n${Buffer.concat(said).toString()}`);
    await sleep(100);
  }
  const query: Prometheus['query'] = async (expression) => {
    const body = new URLSearchParams({ query: expression });
    const response = await fetch(`http://${address}/api/v1/query`, { method: 'POST', body });
    const answer = (await response.json()) as {
      error?: string;
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    if (answer.data === undefined) throw new Error(`${expression}: ${answer.error ?? 'no answer'}`);
    return answer.data.result.map(({ metric: labels, value: [, value] }) => ({ labels, value }));
  };
  const alerts = async (selector: string): Promise<string[]> => {
    const series = await query(`count by (alertname) (ALERTS{${selector}})`);
    return series.map(({ labels }) => labels['alertname'] ?? '').sort();
  };
  return {
    async withdraw(...withdrawn) {
      for (const name of withdrawn) await names?.stop(name);
      return async () => {
        for (const name of withdrawn) await start(name);
      };
    },
    query,
    firing: () => alerts('alertstate="firing"'),
    pendingPages: () => alerts('alertstate="pending", severity="page"'),
    async stop() {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await ended;
      await names?.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Shortens every duration in a file: in rules, in their expressions, and in intervals. */
function hurried(yaml: string): string {
  return yaml.replace(
    /(_interval: |for: |\[|offset )(\d+)([smhd])\b/g,
    (_all, before: string, amount: string, unit: keyof typeof UNIT_SECONDS) =>
      `${before}${(Number(amount) * UNIT_SECONDS[unit] * 1000) / HURRY}ms`,
  );
}

async function isReady(address: string): Promise<boolean> {
  return fetch(`http://${address}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
