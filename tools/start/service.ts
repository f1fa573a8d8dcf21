import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFile } from './log-file';
import { CannotStart, say } from './one-line';
import { endProcess } from './processes';

export interface Service {
  name: string;
  pid: number;
  log: LogFile;
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>;
  isRunning(): boolean;
  /** Asks the process to finish its work, and kills it after a time limit. */
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

/** Starts a built program. It gets a signal to stop when this process ends, even if this process is killed. */
export function startService({ name, script, env, log }: ServiceOptions): Service {
  const followParent = ['--require', join(DIST, 'tools', 'follow-parent.js')];
  const child = spawn(process.execPath, [...nodeFlagsOf(script), ...followParent, join(DIST, script)], {
    env,
    // Nothing is written to this input: see follow-parent.
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Ctrl-C in the terminal reaches only this process, which stops the parts in order.
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

/** @throws CannotStart when the service is not ready in time, and an error when `signal` is aborted. */
export async function waitUntilReady(service: Service, healthUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_PATIENCE_MS;
  while (!(await answersOk(healthUrl))) {
    if (Date.now() > deadline)
      throw new CannotStart(`the ${service.name} is not ready after a minute: see ${service.log.path}`);
    await sleep(100, undefined, { signal });
  }
}

/** The text for a person when a part has ended by itself: the reason and its last log lines. */
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
    // `close` instead of `exit`, because only `close` comes after all output.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
}

const PINO_ERROR = 50;

/** Returns a function that prints errors on the screen, without immediate repetitions; the log file has everything. */
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

/** On a machine with much memory, Node lets the heap grow to four times its live size (docs/decisions/0022). */
const INGESTOR_FLAGS: readonly string[] = ['--max-old-space-size=256'];

/** With the default of 16 MB, V8 collected the whole heap every hundred pages (docs/decisions/0071). */
const API_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'apps/ingestor/src/main.js': INGESTOR_FLAGS,
  'apps/api/src/main.js': API_FLAGS,
};

/** Node's own options for a built program in dist/. */
export function nodeFlagsOf(script: string): readonly string[] {
  return FLAGS[script] ?? [];
}
