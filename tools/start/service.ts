import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFile } from './log-file';
import { CannotStart, say } from './one-line';
import { endProcess } from './processes';

/** One of the processes that `npm start` runs. */
export interface Service {
  name: string;
  pid: number;
  log: LogFile;
  /** Resolves when the process has ended, with the reason in words. */
  ended: Promise<string>;
  isRunning(): boolean;
  /** Asks it to finish its work, and ends it by force after a while. */
  stop(): Promise<void>;
  kill(): void;
}

export interface ServiceOptions {
  name: string;
  /** Below dist/. */
  script: string;
  env: NodeJS.ProcessEnv;
  log: LogFile;
}

const DIST = join(__dirname, '..', '..');
const STOP_PATIENCE_MS = 25_000;
const READY_PATIENCE_MS = 60_000;

/** Starts a built program. It gets a signal to stop when we end, even when we are killed. */
export function startService({ name, script, env, log }: ServiceOptions): Service {
  const followParent = ['--require', join(DIST, 'tools', 'follow-parent.js')];
  const child = spawn(process.execPath, [...nodeFlagsOf(script), ...followParent, join(DIST, script)], {
    env,
    // The input is never written to: see follow-parent.
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Ctrl-C in the terminal goes to us alone, and we stop the parts in their order.
    detached: true,
  });
  const { stdin, stdout, stderr, pid } = child;
  stdin.on('error', () => undefined);
  const echoError = errorEcho(name);
  for (const stream of [stdout, stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(line);
      echoError(line);
    });
  }
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null && pid !== undefined;
  return {
    name,
    pid: pid ?? 0,
    log,
    ended: endingOf(child),
    isRunning,
    async stop() {
      if (pid !== undefined) await endProcess(pid, isRunning, STOP_PATIENCE_MS);
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}

/** Waits until the part says that it is ready. @throws CannotStart when it does not, or when `signal` is aborted. */
export async function waitUntilReady(service: Service, healthUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_PATIENCE_MS;
  while (!(await answersOk(healthUrl))) {
    if (Date.now() > deadline)
      throw new CannotStart(`the ${service.name} is not ready after a minute: see ${service.log.path}`);
    await sleep(100, undefined, { signal });
  }
}

/** The lines that a person needs when a part has ended by itself. */
export function describeEnd({ name, log }: Service, reason: string): string {
  const lines = log.lastLines().map((line) => `    ${readable(line)}`);
  return [`the ${name} ended (${reason}); the end of ${log.path}:`, ...lines].join('\n');
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function endingOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    // `close`, not `exit`: by then its last words have been read.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
}

const PINO_ERROR = 50;

/** Errors also appear on the screen, each once until another comes; everything else is in the file. */
function errorEcho(name: string): (line: string) => void {
  let latest = '';
  return (line) => {
    const entry = parseEntry(line);
    if (entry === null || entry.level < PINO_ERROR || entry.text === latest) return;
    latest = entry.text;
    say(`  ${name}: ${latest}`);
  };
}

function readable(line: string): string {
  return parseEntry(line)?.text ?? line;
}

function parseEntry(line: string): { level: number; text: string } | null {
  try {
    const entry = JSON.parse(line) as { level?: unknown; msg?: unknown; err?: { message?: unknown } };
    if (typeof entry.level !== 'number') return null;
    const words = [entry.msg, entry.err?.message].filter((word) => typeof word === 'string' && word !== '');
    return { level: entry.level, text: [...new Set(words)].join(': ') };
  } catch {
    return null;
  }
}

/**
 * Options of Node for the ingestor. By default, with plenty of memory, Node lets the heap grow to four times its live
 * size before it collects; with a limit it collects earlier (docs/decisions/0022).
 */
const INGESTOR_FLAGS: readonly string[] = ['--max-old-space-size=256'];

/**
 * And for the API. Bytes that come from PostgreSQL lie outside of the heap, and count against what it may grow by until young objects are
 * collected: with the usual 16 MB of these, V8 collected all of the heap for each hundred pages (docs/decisions/0071).
 */
const API_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'apps/ingestor/src/main.js': INGESTOR_FLAGS,
  'apps/api/src/main.js': API_FLAGS,
};

/** Node's own arguments for a built program below dist/. */
export function nodeFlagsOf(script: string): readonly string[] {
  return FLAGS[script] ?? [];
}
