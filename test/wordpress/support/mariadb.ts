import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MARIADB_SERVER } from './programs';
import { PATIENCE_MS } from '../../support/waiting';

/** A MariaDB server for these tests. It listens only on its socket; the user is `root` without a password. */
export interface MariaDb {
  socket: string;
  stop(): Promise<void>;
}

/** Works as root and as an unprivileged user: the server runs as the user of the tests. */
export async function startMariaDb(): Promise<MariaDb> {
  // The path of a socket may have at most 107 characters, so the folder's name is short.
  const folder = await mkdtemp(join(tmpdir(), 'maria-'));
  const [data, socket] = [join(folder, 'data'), join(folder, 's')];
  const common = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`];
  await promisify(execFile)('mariadb-install-db', [
    ...common,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--innodb-log-file-size=8M',
  ]);
  const server = spawn(
    MARIADB_SERVER,
    [
      ...common,
      ...[`--socket=${socket}`, '--skip-networking', `--pid-file=${join(folder, 'pid')}`, `--tmpdir=${folder}`],
      // The data of a test run does not have to survive a crash of the machine.
      ...['--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--innodb-buffer-pool-size=128M'],
      '--innodb-log-file-size=8M',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  const gone = once(server, 'exit');
  const deadlineMs = Date.now() + PATIENCE_MS;
  while (!existsSync(socket)) {
    if (server.exitCode !== null || Date.now() > deadlineMs) throw new Error(`MariaDB did not start:\n${log}`);
    await sleep(50);
  }
  return {
    socket,
    async stop() {
      server.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
