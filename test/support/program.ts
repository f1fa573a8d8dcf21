import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlagsOf } from '../../tools/start/service';
import { PATIENCE_MS } from './waiting';

/** A built program in a process of its own. */
export interface Program {
  pid: number;
  /** Everything that it has written so far. */
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  signal(name: NodeJS.Signals): void;
  /** Asks it to stop and waits. @throws with its output when it does not end with exit code 0. */
  stop(): Promise<void>;
}

// Not this file's place: the benches run it from dist/.
const ROOT = process.cwd();

/**
 * Starts a program below dist/ (of another folder's build). It ends with this test process, however that ends. `launcher` is a
 * command that becomes the program whose command line follows; `words` stand behind the script.
 */
export function startProgram(
  script: string,
  env: Readonly<Record<string, string>>,
  root = ROOT,
  launcher: readonly string[] = [],
  words: readonly string[] = [],
): Program {
  const chunks: Buffer[] = [];
  const followParent = ['--require', join(ROOT, 'dist', 'tools', 'follow-parent.js')];
  const node = [process.execPath, ...nodeFlagsOf(script), ...followParent, join(root, 'dist', script)];
  const [command, ...args] = [...launcher, ...node, ...words];
  const child = spawn(command!, args, {
    cwd: root,
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve(signal ?? code ?? 0);
    });
  });
  return {
    pid: child.pid ?? 0,
    output: () => Buffer.concat(chunks).toString(),
    ended,
    signal: (name) => child.kill(name),
    async stop() {
      child.kill('SIGTERM');
      const end = await ended;
      if (end !== 0) throw new Error(`${script} ended with ${end}:\n${Buffer.concat(chunks).toString()}`);
    },
  };
}

/** Waits until the program's health endpoint says that it is ready. @throws with its output when it does not. */
export async function untilReady(program: Program, healthUrl: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const end: { code: number | NodeJS.Signals | null } = { code: null };
  void program.ended.then((code) => (end.code = code));
  while (!(await isOk(healthUrl))) {
    if (end.code !== null || Date.now() > deadline) {
      throw new Error(`not ready (${String(end.code ?? 'time is up')}):\n${program.output()}`);
    }
    await sleep(50);
  }
}

/** The exit code and the output of a program that ran to its end. */
export interface Finished {
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** Runs a program below dist/ to its end. */
export async function runProgram(
  script: string,
  env: Readonly<Record<string, string>>,
  args: string[],
  root = ROOT,
): Promise<Finished> {
  const child = spawn(process.execPath, [join(root, 'dist', script), ...args], {
    cwd: root,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      resolve(signal ?? exitCode ?? 0);
    });
  });
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

/** The tests decide what a program finds in its environment, not the shell that they were started from. */
function inherited(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', NODE_ENV: 'test' };
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
