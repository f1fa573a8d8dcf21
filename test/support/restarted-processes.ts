import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { aFreePort } from './free-port';
import { type Program, startProgram, untilReady } from './program';

const INGESTOR = 'apps/ingestor/src/main.js';

export interface RestartedIngestor {
  /** Null while it starts. */
  ready: Program | null;
  /** Kills the process, even if it is not ready yet. */
  kill(): void;
  end(): Promise<void>;
}

/** Starts an ingestor, and starts it again whenever it ends. */
export function restartIngestor(env: Readonly<Record<string, string>>): RestartedIngestor {
  const kept: RestartedIngestor & { started: Program | null; isEnded: boolean } = {
    ...{ ready: null, started: null, isEnded: false },
    kill() {
      kept.started?.signal('SIGKILL');
      kept.ready = null;
    },
    async end() {
      kept.isEnded = true;
      kept.kill();
      await keeping;
    },
  };
  const keeping = (async () => {
    while (!kept.isEnded) {
      const port = await aFreePort();
      const program = startProgram(INGESTOR, { ...env, OPS_PORT: String(port) });
      kept.started = program;
      await untilReady(program, `http://127.0.0.1:${port}/health/ready`).then(
        () => (kept.ready = program),
        () => {
          program.signal('SIGKILL');
        },
      );
      await program.ended;
      kept.ready = null;
    }
  })();
  return kept;
}

/** Kills a random ingestor among those that are ready. @returns whether one was ready */
export function killIngestor(ingestors: readonly RestartedIngestor[]): boolean {
  const ready = ingestors.filter((one) => one.ready !== null);
  const victim = ready[Math.floor(Math.random() * ready.length)];
  if (victim === undefined) return false;
  victim.kill();
  return true;
}

/**
 * Kills a random backend of PostgreSQL. The server then ends all backends and recovers. @returns whether there was a
 * backend
 */
export async function killBackend(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
     AND datname = current_database() ORDER BY random() LIMIT 1`,
  );
  if (rows[0] === undefined) return false;
  process.kill(rows[0].pid, 'SIGKILL');
  return true;
}

/** A separate Redis server. After a kill, it starts again immediately, without data. */
export async function startMortalRedis(): Promise<{ url: string; kill(): Promise<boolean>; end(): Promise<void> }> {
  const port = await aFreePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--maxmemory-policy', 'noeviction'];
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn('redis-server', place, { stdio: 'ignore' });
    while (!(await accepts(port))) await sleep(20);
  };
  const end = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async kill() {
      await end();
      await start();
      return true;
    },
    end,
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
