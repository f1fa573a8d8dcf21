import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { aFreePort } from './free-port';

const run = promisify(execFile);
const NODES = 6;
const JOINING_MS = 30_000;
const REPLICA_MS = 5000;

/** Three masters, each with a replica. */
export interface RedisCluster {
  port: number;
  /**
   * Waits until the replica has all writes so far, then kills the master of a key's slot. Redis does not guarantee
   * later writes.
   */
  killMasterOf(key: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'passerelle-cluster-'));
  const servers = await joinedServers(directory);
  const [first = 0] = servers.keys();
  const ask = async <T>(port: number, question: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(port, '127.0.0.1');
    try {
      return await question(client);
    } finally {
      client.disconnect();
    }
  };
  // A node reports "ok" when it knows all slots.
  for (const port of servers.keys()) {
    while (!(await ask(port, (client) => client.cluster('INFO'))).includes('cluster_state:ok')) await sleep(100);
    // Redis never promotes a replica that has never received its master's data.
    while (/role:slave[^]*master_link_status:down/.test(await ask(port, (client) => client.info('replication'))))
      await sleep(100);
  }
  return {
    port: first,
    async killMasterOf(key) {
      const slot = await ask(first, (client) => client.cluster('KEYSLOT', key));
      const slots = await ask(first, (client) => client.cluster('SLOTS'));
      const [, , master] = slots.find(([from, to]) => from <= slot && slot <= to)!;
      await ask(master![1], async (client) => {
        // WAIT needs a write of the same client. This write comes after the other clients' writes, so WAIT covers those
        // too.
        await client.set(`${key}:waited-for`, '');
        while ((await client.wait(1, REPLICA_MS)) < 1);
      });
      servers.get(master![1])!.kill('SIGKILL');
    },
    async stop() {
      await end(servers);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts servers that form a cluster, and new servers if the first do not form it in time, as on a busy machine. */
async function joinedServers(directory: string): Promise<Map<number, ChildProcess>> {
  for (let tries = 1; ; tries += 1) {
    const servers = new Map<number, ChildProcess>();
    while (servers.size < NODES) servers.set(...(await startServer(directory)));
    const hosts = [...servers.keys()].map((port) => `127.0.0.1:${port}`);
    try {
      const words = ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes'];
      await run('redis-cli', words, { timeout: JOINING_MS });
      return servers;
    } catch (error) {
      await end(servers);
      if (tries === 3) throw error;
    }
  }
}

/** Starts a server, on another port if a program takes the first port in the meantime. */
async function startServer(directory: string): Promise<[number, ChildProcess]> {
  for (;;) {
    const port = await aFreePort();
    // Choose the port for traffic between nodes too; by default it is the server's port plus 10,000.
    const busPort = await aFreePort();
    const folder = join(directory, String(port));
    await mkdir(folder, { recursive: true });
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
    const server = spawn('redis-server', [...place, ...cluster], { stdio: 'ignore' });
    const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
    const isUp = await Promise.race([client.ping().then(() => true), once(server, 'exit').then(() => false)]);
    client.disconnect();
    if (isUp) return [port, server];
  }
}

async function end(servers: ReadonlyMap<number, ChildProcess>): Promise<void> {
  for (const server of servers.values()) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}
