import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PARTITIONS, type Database, openDatabase } from '@passerelle/database';
import { freePort, startEmbeddedPostgres } from '../../tools/embedded/embedded-postgres';
import { type Program, startProgram, untilReady } from '../support/program';

/** The environment of a bench: a separate migrated database, as `npm start` makes it, and the built programs. */
export interface Surroundings {
  database: Database;
  databaseUrl: string;
  inboxDir: string;
  /** Starts a built program that listens on `PORT`, `OPS_PORT` or `CONSOLE_PORT`, and waits until it is ready. */
  start(script: string, env?: Readonly<Record<string, string>>, flags?: readonly string[]): Promise<Running>;
  /**
   * Stops the server and starts it again with other settings (`name=value`). Afterwards the server's memory is empty,
   * and `database` is a new object.
   */
  restart(settings?: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

export interface Running {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** The API with its default access log, and with a rate limit that no bench reaches. */
export const AS_IT_COMES = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' } as const;
/** Without access log and without rate limit. */
export const WITHOUT_LOGS = { ACCESS_LOG: 'false', LOG_LEVEL: 'warn' } as const;

const RESTART_PATIENCE_MS = 300_000;

/** `BENCH_DATA` names a directory that stays, with its database, for a bench whose rows take long to make. */
export async function makeSurroundings(): Promise<Surroundings> {
  const kept = process.env['BENCH_DATA'];
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'passerelle-bench-')));
  const inboxDir = join(directory, 'inbox');
  await mkdir(inboxDir, { recursive: true });
  await chmod(directory, 0o711);
  const password = await passwordOf(directory);
  const options = { directory: join(directory, 'postgres'), password };
  let server = await startEmbeddedPostgres(options);
  const open = (): Promise<Database> => openDatabase({ url: server.url, applicationName: 'bench' });
  const database = await open();
  await database.migrations.migrate({}, Number(process.env['DATABASE_PARTITIONS'] ?? DEFAULT_PARTITIONS));
  const programs: Program[] = [];
  const { url, port: serverPort } = server;
  const surroundings: Surroundings = {
    database,
    databaseUrl: url,
    inboxDir,
    async start(script, env = {}, flags = []) {
      const port = await freePort();
      const settings = {
        NODE_ENV: 'production',
        DATABASE_URL: url,
        INBOX_DIR: inboxDir,
        LOG_LEVEL: 'warn',
        PORT: String(port),
        OPS_PORT: String(port),
        CONSOLE_PORT: String(port),
        ...env,
      };
      const program = startProgram(script, settings, undefined, [], [], flags);
      programs.push(program);
      await untilReady(program, `http://127.0.0.1:${port}/health/ready`);
      return { pid: program.pid, port, stop: () => program.stop() };
    },
    async restart(settings = []) {
      // Writing data from memory to disk takes longer than closing connections.
      await surroundings.database.close();
      await server.stop(RESTART_PATIENCE_MS);
      server = await startEmbeddedPostgres({ ...options, port: serverPort, settings });
      surroundings.database = await open();
    },
    async end() {
      const ends = await Promise.allSettled(programs.map((program) => program.stop()));
      await surroundings.database.close();
      await server.stop();
      if (kept === undefined) await rm(directory, { recursive: true, force: true });
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
  return surroundings;
}

/** The password of the server. It stays the same as long as the server's data exists. */
async function passwordOf(directory: string): Promise<string> {
  const file = join(directory, 'password');
  const made = randomBytes(16).toString('hex');
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return readFile(file, 'utf8');
}
