import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { aFreePort } from './free-port';

/** State for the teardown of the same jest process. */
const started: { server: ChildProcess | null; directory: string | null } = { server: null, directory: null };

/** Returns TEST_REDIS_URL, or starts the `redis-server` on the PATH and returns its URL; null if both are missing. */
export async function startTestRedis(): Promise<string | null> {
  const given = process.env['TEST_REDIS_URL'];
  if (given !== undefined && given !== '') return given;
  const directory = await mkdtemp(join(tmpdir(), 'passerelle-redis-'));
  const port = await aFreePort();
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ],
    { stdio: 'ignore' },
  );
  const isThere = await new Promise<boolean>((resolve) => {
    server.once('spawn', () => {
      resolve(true);
    });
    server.once('error', () => {
      resolve(false);
    });
  });
  if (!isThere) {
    await rm(directory, { recursive: true, force: true });
    return null;
  }
  Object.assign(started, { server, directory });
  process.once('exit', () => server.kill('SIGKILL'));
  while (!(await accepts(port))) await sleep(20);
  return `redis://127.0.0.1:${port}/0`;
}

export async function stopTestRedis(): Promise<void> {
  const { server, directory } = started;
  if (server?.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  if (directory !== null) await rm(directory, { recursive: true, force: true });
}

/** The URL of Redis for the tests of this run; null: jest skips tests that need Redis. */
export function testRedisUrl(): string | null {
  return process.env['PASSERELLE_TEST_REDIS_URL'] ?? null;
}

/** Removes the keys that a test created, because the Redis may belong to the developer. */
export async function removeTestKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  for await (const keys of redis.scanStream({ match: `${prefix}:*` }) as AsyncIterable<string[]>) {
    if (keys.length > 0) await redis.del(keys);
  }
  await redis.quit();
}

/** Whether a server accepts connections on a port. */
export async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });
}
