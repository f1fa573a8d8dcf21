import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '../../tools/embedded/server-account';
import { aFreePort } from './free-port';
import { until } from './waiting';

/** Debian's PgBouncer, in transaction mode. */
export interface PgBouncer {
  /** Returns the URL of a database through PgBouncer. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/**
 * @param urls URLs of databases on one server, each with a user who may connect through PgBouncer
 * @param poolSize the number of connections to the server per database and user
 */
export async function startPgBouncer(urls: readonly string[], poolSize: number): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'passerelle-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await aFreePort();
  const { hostname, port: serverPort } = new URL(urls[0]!);
  const users = urls.map((url) => new URL(url)).map(({ username, password }) => `"${username}" "${password}"`);
  await writeFile(join(directory, 'users'), `${users.join('\n')}\n`);
  // Default settings, plus those that the test needs. By default, PgBouncer ignores no start-up parameter.
  const settings = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'scram-sha-256' },
    ...{ auth_file: join(directory, 'users'), pool_mode: 'transaction', default_pool_size: poolSize },
    ...{ max_client_conn: 2_000, server_round_robin: 1 },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(file, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // Run it as another user, because PgBouncer refuses to run as root.
  const child = spawn('pgbouncer', ['--quiet', file], { ...(await serverAccount()), stdio: 'ignore' });
  const through = (url: string): string => {
    const way = new URL(url);
    way.port = String(port);
    return way.href;
  };
  await until(() => answers(through(urls[0]!)));
  return {
    through,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
