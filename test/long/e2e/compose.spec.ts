import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { addGateway, someListings } from '../../medium/api/api-under-test';
import { describeWith } from '../../support/command-on-path';
import { aFreePort } from '../../support/free-port';
import { type Program, startProgram, untilReady } from '../../support/program';
import { type Proxy, startProxy } from '../../support/proxies';
import { request, LEAST_REQUESTS, startLoad } from '../../support/steady-load';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const { services } = parse(readFileSync(join(process.cwd(), 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { command: string[]; environment: Record<string, string> }>;
};

// Real: two API processes as in docker-compose.yml, PostgreSQL, and Caddy with its file if Caddy is installed.
describe('an upgrade behind the proxy of docker-compose.yml', () => {
  let db: TestDatabase;
  const ports: number[] = [];
  const apis: Program[] = [];
  let proxy: Proxy;

  beforeAll(async () => {
    db = await createTestDatabase();
    for (const at of [0, 1]) {
      ports.push(await aFreePort());
      apis.push(await start(at));
    }
    proxy = await startProxy(ports as [number, number]);
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all(apis.map((api) => api.stop()));
    await db.drop();
  });

  async function start(at: number): Promise<Program> {
    const { DRAIN_SECONDS } = services[`api-${'ab'[at]}`]!.environment;
    const env = {
      DATABASE_URL: db.url,
      PORT: String(ports[at]),
      DRAIN_SECONDS: DRAIN_SECONDS!,
      TRUST_PROXY: '127.0.0.1',
    };
    const api = startProgram('apps/api/src/main.js', env);
    await untilReady(api, `http://127.0.0.1:${ports[at]}/health/ready`);
    return api;
  }

  it('causes no failed request', async () => {
    const gateway = await addGateway(db.database, { listings: someListings(50) });
    const path = `/v1/properties?${gateway.query}&per_page=50`;
    const headers = { ...gateway.headers, 'X-Request-Id': 'upgrade' };
    const asked = { origin: proxy.url, path, headers };
    const expected = await request(new Agent(), asked);
    expect(expected.status).toBe('200');
    const load = startLoad(
      asked,
      ({ status, body }) => `${status} with ${body.equals(expected.body) ? 'all' : body.length}`,
    );
    for (const at of [0, 1]) {
      apis[at]?.signal('SIGTERM');
      expect(await apis[at]?.ended).toBe(0);
      apis[at] = await start(at);
      // Wait as `docker compose up --wait` does, and until the next health check of the proxy.
      await sleep(2_000);
    }
    const answers = await load.stop();

    expect(answers).toEqual({ '200 with all': expect.any(Number) });
    expect(answers['200 with all']).toBeGreaterThanOrEqual(LEAST_REQUESTS);
  });
});

describeWith('redis-server', 'the queue of docker-compose.yml', () => {
  it('requires the password, keeps its data and evicts nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'passerelle-queue-'));
    const port = await aFreePort();
    await writeFile(join(folder, 'redis_password'), 'letters0123');
    const [sh, ...args] = services['redis']!.command;
    const command = args.map((arg) =>
      arg
        .replaceAll('/run/secrets', folder)
        .replaceAll('$$', '$')
        .replace('dir /data', `dir ${folder}\nport ${port}\nbind 127.0.0.1`),
    );
    const server = spawn(sh!, command, { stdio: 'ignore' });
    const ended = new Promise((resolve) => server.once('close', resolve));
    const redis = new Redis(port, { password: 'letters0123' });
    const stranger = new Redis(port, { lazyConnect: true, retryStrategy: () => null });
    stranger.on('error', () => undefined);
    try {
      await redis.ping();
      await expect(stranger.set('a', 'b')).rejects.toThrow('NOAUTH');
      const read = await redis.config('GET', 'appendonly', 'maxmemory-policy', 'maxmemory', 'dir');
      expect(read).toEqual(
        expect.arrayContaining(['appendonly', 'yes', 'maxmemory-policy', 'noeviction', 'maxmemory', '402653184']),
      );
      expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain('letters0123');
    } finally {
      redis.disconnect();
      stranger.disconnect();
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    }
  });
});
