import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import pg from 'pg';
import { aFreePort } from './free-port';
import type { FollowedServer } from './followed-server';
import { until } from './waiting';

/** HAProxy with the configuration in deploy/haproxy, in front of a primary and its standby. */
export interface PostgresProxy {
  url: string;
  /** The log of HAProxy: the servers that it marked as down, with timestamps. */
  log(): string;
  stop(): Promise<void>;
}

/** A server that does not answer within this time counts as neither primary nor standby. */
const ANSWER_MS = 1_000;

export async function startPostgresProxy(server: FollowedServer): Promise<PostgresProxy> {
  const [listen, healthPort] = [await aFreePort(), await aFreePort()];
  const health = await Promise.all(server.hosts.map((host) => startHealth(host, server.urlOf(host), healthPort)));
  const [one, two] = server.hosts.map((host) => `${host}:${new URL(server.urlOf(host)).port}`);
  const env = { LISTEN: `127.0.0.1:${listen}`, ONE: one, TWO: two, HEALTH_PORT: String(healthPort) };
  const child = spawn('haproxy', ['-db', '-f', 'deploy/haproxy/postgres.cfg'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const way = new URL(server.urlOf(server.hosts[0]));
  way.host = `127.0.0.1:${listen}`;
  // Wait for HAProxy's first checks, because it initially treats every server as both primary and standby.
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += `${new Date().toISOString()} ${text}`));
  const isDown = (name: string): boolean => log.includes(`Server ${name} is DOWN`);
  await until(() => Promise.resolve(['postgres/two', 'postgres/standby-one'].every(isDown)));
  return {
    url: way.href,
    log: () => log,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      for (const one of health) one.close();
    },
  };
}

/** Replaces the health endpoint of Patroni beside each server. */
async function startHealth(host: string, url: string, port: number): Promise<Server> {
  let client: pg.Client | null = null;
  const isStandby = async (): Promise<boolean> => {
    client ??= await connect(url);
    const { rows } = await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
    return rows[0]?.is === true;
  };
  const health = createServer((request, response) => {
    isStandby().then(
      (is) => response.writeHead(is === (request.url === '/replica') ? 200 : 503).end(),
      () => {
        client = null;
        response.writeHead(503).end();
      },
    );
  });
  health.listen(port, host);
  health.on('close', () => void client?.end().catch(() => undefined));
  await once(health, 'listening');
  return health;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
