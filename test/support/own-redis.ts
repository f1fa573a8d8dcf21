import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { aFreePort } from './free-port';

/** A redis-server of one test, so that the test may change its settings. */
export interface OwnRedis {
  url: string;
  /** Where it saves. */
  directory: string;
  /** A client for the test's commands. */
  client: Redis;
  stop(): Promise<void>;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'passerelle-own-redis-'));
  const port = await aFreePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  const server = spawn('redis-server', [...place, '--maxmemory-policy', 'noeviction', '--save', ''], {
    stdio: 'ignore',
  });
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  await client.ping();
  return {
    ...{ url: `redis://127.0.0.1:${port}/0`, directory, client },
    async stop() {
      client.disconnect();
      server.kill('SIGKILL');
      await once(server, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
