import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOnPath } from './command-on-path';
import { aFreePort } from './free-port';
import { untilAnswered } from './steady-load';

/** A proxy in front of some APIs. */
export interface Proxy {
  name: string;
  url: string;
  stop(): Promise<void>;
}

/** A readiness probe of Kubernetes. */
export interface Probe {
  httpGet: { path: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

/**
 * Caddy as in docker-compose.yml if it is installed, otherwise a simple proxy with the same check interval. The simple
 * proxy never retries a request.
 */
export function startProxy(ports: readonly [number, number]): Promise<Proxy> {
  return commandOnPath('caddy') ? startCaddy(ports) : startPlainProxy(ports);
}

/** Caddy with the configuration that docker-compose.yml mounts. */
async function startCaddy([a, b]: readonly [number, number]): Promise<Proxy> {
  const url = `http://127.0.0.1:${await aFreePort()}`;
  const home = await mkdtemp(join(tmpdir(), 'passerelle-caddy-'));
  const env = { HOME: home, BASE_URL: url, API_A: `127.0.0.1:${a}`, API_B: `127.0.0.1:${b}` };
  const args = ['run', '--config', 'deploy/compose/Caddyfile', '--adapter', 'caddyfile'];
  return started({ name: 'caddy', url, folder: home }, 'caddy', args, env);
}

/**
 * HAProxy that sends requests to the ports for which a Kubernetes probe succeeds, as a Service does. It never retries a
 * request.
 * @param ports also the ports of pods that start later
 */
export async function startHaproxy(ports: readonly number[], probe: Probe): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-haproxy-'));
  const listen = await aFreePort();
  const server = (port: number): string =>
    `  server s${port} 127.0.0.1:${port} check inter ${probe.periodSeconds}s fall ${probe.failureThreshold} rise 1`;
  const config = `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check ${probe.timeoutSeconds}s
  retries 0
frontend f
  bind 127.0.0.1:${listen}
  default_backend b
backend b
  balance roundrobin
  option httpchk GET ${probe.httpGet.path}
${ports.map(server).join('\n')}
`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  const url = `http://127.0.0.1:${listen}`;
  const proxy = await started({ name: 'haproxy', url, folder }, 'haproxy', ['-db', '-f', file], {});
  // Wait for the first checks, because HAProxy initially treats every port as ready.
  await sleep((probe.periodSeconds + probe.timeoutSeconds) * 1_000);
  return proxy;
}

async function started(
  { name, url, folder }: { name: string; url: string; folder: string },
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<Proxy> {
  const child = spawn(command, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  await untilAnswered(url);
  return {
    ...{ name, url },
    async stop() {
      process.off('exit', kill);
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Distributes requests over the ports that were ready at the last check, at most a second ago. */
async function startPlainProxy(ports: readonly number[]): Promise<Proxy> {
  const ready = new Set<number>();
  const look = async (): Promise<void> => {
    for (const port of ports) {
      const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
    }
  };
  await look();
  const timer = setInterval(() => void look(), 1_000);
  let turn = 0;
  const server = createServer((asked, answered) => {
    const port = [...ready][turn++ % Math.max(1, ready.size)] ?? ports[0];
    const { method, url, headers } = asked;
    const sent = request({ port, method, path: url, headers, host: '127.0.0.1' }, (response) => {
      answered.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answered);
    });
    sent.on('error', () => {
      answered.destroy();
    });
    asked.pipe(sent);
  });
  const port = await aFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    ...{ name: 'a plain proxy', url: `http://127.0.0.1:${port}` },
    async stop() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
