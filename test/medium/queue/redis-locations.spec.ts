import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { SharedCounts } from '@passerelle/limits';
import { connectQueue, type QueueConnection } from '@passerelle/queue';
import { MinuteCounts } from '../../../libs/limits/src/minute-counts';
import { describeWith } from '../../support/command-on-path';
import { aFreePort } from '../../support/free-port';
import { startRedisCluster } from '../../support/redis-cluster';
import { accepts } from '../../support/test-redis';
import { eventually, until } from '../../support/waiting';
import { trustTestAuthority } from '../transport/certificates';

// Real: Redis servers of the test, BullMQ, TLS. Nothing is fake.

const FIXTURES = join(__dirname, '..', 'transport', '__fixtures__');
const NO_DATABASE = { databaseUrl: 'postgres://nowhere/x', databaseDirectUrl: null };

/** Puts jobs on a queue while a worker takes them, and returns the jobs that were done. */
async function worked(
  place: QueueConnection,
  jobs: readonly string[],
  meanwhile?: () => Promise<void>,
): Promise<string[]> {
  const { connection, prefix } = place;
  const done: string[] = [];
  const queue = new Queue('jobs', { connection, prefix });
  const worker = new Worker('jobs', (job) => Promise.resolve(done.push(job.name)), { connection, prefix });
  queue.on('error', () => undefined);
  worker.on('error', () => undefined);
  try {
    const half = Math.ceil(jobs.length / 2);
    for (const name of jobs.slice(0, half)) await queue.add(name, {});
    await meanwhile?.();
    for (const name of jobs.slice(half)) await queue.add(name, {}, { attempts: 3 });
    for (let tries = 0; new Set(done).size < jobs.length && tries < 900; tries += 1) await sleep(100);
    return [...new Set(done)].sort();
  } finally {
    await Promise.all([worker.close(true), queue.close()]);
    await place.close();
  }
}

interface CountedByTwo {
  counts: number[];
  /** The errors of processes that could not count in Redis. */
  away: unknown[];
}

/** Starts two processes. Each call of `count` adds 1 in both, under a new name. */
async function withTwoProcesses<T>(url: string, ask: (count: () => Promise<CountedByTwo>) => Promise<T>): Promise<T> {
  let away: unknown[] = [];
  const processes = [0, 1].map(() => new SharedCounts({ url, prefix: 'x', onAway: (error) => away.push(error) }));
  try {
    return await ask(async () => {
      away = [];
      const name = randomUUID();
      const counts: number[] = [];
      for (const process of processes) counts.push((await process.add(name, new MinuteCounts(() => 0))).count);
      return { counts, away };
    });
  } finally {
    for (const process of processes) process.close();
  }
}

/**
 * The counts of two processes in Redis. A process counts in memory before it is connected, and when an answer takes too
 * long.
 */
function countedInRedis(url: string): Promise<number[]> {
  return withTwoProcesses(url, (count) =>
    eventually(async () => {
      const { counts, away } = await count();
      return away.length === 0 ? counts : undefined;
    }),
  );
}

const jobs = Array.from({ length: 20 }, (_, n) => `job-${String(n).padStart(2, '0')}`);

describeWith('redis-server', 'queue over TLS with a password', () => {
  let port: number;
  let stop: () => Promise<void>;
  /** The connections that the server could not accept. */
  let refused = 0;
  const url = (): string => `rediss://:p%2Fw@localhost:${port}/0`;

  beforeAll(async () => {
    port = await aFreePort();
    const tls = [
      '--tls-port',
      String(port),
      '--tls-auth-clients',
      'no',
      '--tls-ca-cert-file',
      join(FIXTURES, 'authority.pem'),
    ];
    const certificate = [
      '--tls-cert-file',
      join(FIXTURES, 'localhost.pem'),
      '--tls-key-file',
      join(FIXTURES, 'localhost.key'),
    ];
    const words = ['--port', '0', ...tls, ...certificate, '--requirepass', 'p/w', '--save', ''];
    const server = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'] });
    createInterface(server.stdout).on('line', (line) => {
      if (line.includes('Error accepting a client connection')) refused += 1;
    });
    stop = async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
    };
    await until(() => accepts(port));
  });
  afterAll(() => stop());

  it('shares no counts when the certificate is not trusted', async () => {
    const { counts, away } = await withTwoProcesses(url(), async (count) => {
      const before = refused;
      await until(() => Promise.resolve(refused >= before + 2));
      return count();
    });
    expect([counts, away.length]).toEqual([[1, 1], 2]);
  });

  it('carries out jobs, and shares counts between processes', async () => {
    trustTestAuthority();
    expect(await countedInRedis(url())).toEqual([1, 2]);
    expect(await worked(connectQueue({ redisUrl: url(), redisPrefix: 'test', ...NO_DATABASE }), jobs)).toEqual(jobs);
  });
});

describeWith('redis-server', 'queue in a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  it('continues after the loss of its master', async () => {
    const place = connectQueue({
      ...{ redisUrl: `redis+cluster://127.0.0.1:${cluster.port}`, redisPrefix: 'test', ...NO_DATABASE },
    });
    expect(place.prefix).toBe('{test}');
    await place.assertTakesWrites();
    expect(await countedInRedis(`redis+cluster://127.0.0.1:${cluster.port}`)).toEqual([1, 2]);
    expect(await worked(place, jobs, () => cluster.killMasterOf('{test}'))).toEqual(jobs);
  });
});
