import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { freePort } from '../../tools/embedded/embedded-postgres';
import { addGateway, someListings } from '../medium/api/api-under-test';
import { describeWith } from '../support/command-on-path';
import { type Program, startProgram, untilReady } from '../support/program';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const { services } = parse(readFileSync(join(process.cwd(), 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { command: string[]; environment: Record<string, string> }>;
};

// Real: Caddy with the file that docker-compose.yml gives it, two API processes as it sets them, and PostgreSQL.
describeWith('caddy', 'an upgrade behind the proxy of docker-compose.yml', () => {
  const REQUESTS = 10_000;
  let db: TestDatabase;
  const ports: number[] = [];
  const apis: Program[] = [];
  let proxy: ReturnType<typeof spawn>;
  let url: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    for (const at of [0, 1]) {
      ports.push(await freePort());
      apis.push(await start(at));
    }
    url = `http://127.0.0.1:${await freePort()}`;
    const env = { PATH: process.env['PATH'], HOME: tmpdir(), BASE_URL: url };
    proxy = spawn('caddy', ['run', '--config', 'deploy/compose/Caddyfile', '--adapter', 'caddyfile'], {
      env: { ...env, API_A: `127.0.0.1:${ports[0]}`, API_B: `127.0.0.1:${ports[1]}` },
      stdio: 'ignore',
    });
    while ((await answerOf(new Agent(), url, '/health/live', {})).status !== '200') await sleep(50);
  });
  afterAll(async () => {
    proxy.kill();
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

  it('fails not one request', async () => {
    const gateway = await addGateway(db.database, { listings: someListings(50) });
    const path = `/v1/properties?${gateway.query}&per_page=50`;
    const headers = { ...gateway.headers, 'X-Request-Id': 'upgrade' };
    const expected = await answerOf(new Agent(), url, path, headers);
    expect(expected.status).toBe('200');
    const answers = new Map<string, number>();
    let isOver = false;
    let count = 0;
    const read = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true });
      while (!isOver || count < REQUESTS) {
        count += 1;
        const { status, length } = await answerOf(agent, url, path, headers);
        const answer = `${status} with ${length === expected.length ? 'all' : length}`;
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        await sleep(2);
      }
      agent.destroy();
    };
    const readers = [read(), read(), read(), read()];
    for (const at of [0, 1]) {
      apis[at]?.signal('SIGTERM');
      expect(await apis[at]?.ended).toBe(0);
      apis[at] = await start(at);
      // As `docker compose up --wait` does, and the proxy's next look.
      await sleep(2_000);
    }
    isOver = true;
    await Promise.all(readers);

    expect([...answers.keys()]).toEqual(['200 with all']);
    expect(answers.get('200 with all')).toBeGreaterThanOrEqual(REQUESTS);
  }, 240_000);
});

describeWith('redis-server', 'the queue of docker-compose.yml', () => {
  it('asks for the password, and neither forgets nor evicts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'passerelle-queue-'));
    const port = await freePort();
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

/** One request. A connection that broke is a status of its own. */
function answerOf(
  agent: Agent,
  origin: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: string; length: number }> {
  return new Promise((resolve) => {
    const sent = request(origin + path, { agent, headers }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('error', (error) => {
        resolve({ status: error.message, length });
      });
      response.on('end', () => {
        resolve({ status: String(response.statusCode), length });
      });
    });
    sent.on('error', (error) => {
      resolve({ status: error.message, length: 0 });
    });
    sent.end();
  });
}
