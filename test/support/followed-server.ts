import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { aFreePort } from './free-port';
import { type OwnPostgres, startOwnPostgres } from './own-postgres';
import { eventually } from './waiting';

const [PRIMARY, STANDBY] = ['127.0.0.1', '127.0.0.2'] as const;
const DATABASE = 'passerelle';

/**
 * Two PostgreSQL servers on the same port of two addresses: a primary and its standby. Replication is synchronous:
 * every commit is on both.
 */
export interface FollowedServer {
  /** First the primary. */
  hosts: readonly [string, string];
  urlOf(host: string): string;
  /** Makes the primary hang: it receives data from clients, but does not answer. */
  stall(): Promise<void>;
  /** Kills the primary, as if its machine had failed. */
  kill(): Promise<void>;
  /** Makes the standby accept writes. */
  promote(): Promise<void>;
  /** On the standby. */
  query<T extends object>(sql: string): Promise<T[]>;
  stop(): Promise<void>;
}

export async function startFollowedServer(): Promise<FollowedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-followed-'));
  await chmod(folder, 0o711);
  const [password, port] = [randomBytes(16).toString('hex'), await aFreePort()];
  const options = { directory: join(folder, 'primary'), password, port, database: DATABASE };
  const empty = await startOwnPostgres(options);
  await empty.end('stop');
  const copy = `${empty.directory}-standby`;
  // With their owner.
  await promisify(execFile)('cp', ['-a', empty.directory, copy]);
  await writeFile(join(copy, 'standby.signal'), '');
  // `fsync` is unnecessary, because the tests kill a server but never the machine.
  const settings = ['fsync=off'];
  const primary = await startOwnPostgres({ ...options, settings });
  const follows = `primary_conninfo=host=${PRIMARY} port=${port} user=postgres password=${password}`;
  const standby = await startOwnPostgres({
    ...options,
    ...{ directory: copy, settings: [...settings, `listen_addresses=${STANDBY}`, follows] },
  });
  const ofHost = (host: string): string => `postgres://postgres:${password}@${host}:${port}/${DATABASE}`;
  await waitForEachCommit(ofHost(PRIMARY));
  const signal = signalTo(primary, ofHost(PRIMARY));
  const client = new pg.Client({ connectionString: ofHost(STANDBY) });
  client.on('error', () => undefined);
  await client.connect();
  return {
    hosts: [PRIMARY, STANDBY],
    urlOf: ofHost,
    stall: () => signal('SIGSTOP'),
    async kill() {
      await signal('SIGKILL');
      await primary.end('kill');
    },
    async promote() {
      await client.query('SELECT pg_promote()');
    },
    query: async <T extends object>(sql: string) => (await client.query<T>(sql)).rows,
    async stop() {
      await client.end();
      await Promise.all([primary, standby].map((server) => server.end('stop')));
      for (const path of [folder, empty.directory, copy]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Makes the primary confirm a commit only after the standby has received it. */
async function waitForEachCommit(url: string): Promise<void> {
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  await eventually(async () => {
    const { rowCount } = await primary.query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`);
    return rowCount === 1 || undefined;
  });
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.query('SELECT pg_reload_conf()');
  await primary.end();
}

/** Returns a function that sends a signal to a server and to the processes that it has started. */
function signalTo({ directory }: OwnPostgres, url: string): (name: NodeJS.Signals) => Promise<void> {
  let pids: number[] = [];
  return async (name) => {
    if (pids.length === 0) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
      await client.end();
      const [server = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
      pids = [Number(server), ...rows.map(({ pid }) => pid)];
    }
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended by itself.
      }
    }
  };
}
