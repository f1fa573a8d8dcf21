import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlagsOf } from '../../tools/start/service';
import { PATIENCE_MS } from './waiting';

/** A built program in a separate process. */
export interface Program {
  pid: number;
  /** Everything that the program has printed so far. */
  output(): string;
  /** Resolves to the exit code, or to the signal that ended the program. */
  ended: Promise<number | NodeJS.Signals>;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM and waits for the end. @throws Error with the output if the exit code is not 0 */
  stop(): Promise<void>;
}

// Use the working directory, because the benches run this file from dist/.
const ROOT = process.cwd();

/**
 * Starts a program below dist/, optionally of a build in another folder. The program ends when this test process ends,
 * even by a kill. `launcher` is a command that runs the following command line; `words` are the script's arguments,
 * `flags` are options of Node beside the program's own.
 */
export function startProgram(
  script: string,
  env: Readonly<Record<string, string>>,
  root = ROOT,
  launcher: readonly string[] = [],
  words: readonly string[] = [],
  flags: readonly string[] = [],
): Program {
  const chunks: Buffer[] = [];
  const followParent = ['--require', join(ROOT, 'dist', 'tools', 'follow-parent.js')];
  const node = [process.execPath, ...nodeFlagsOf(script), ...flags, ...followParent, join(root, 'dist', script)];
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

/**
 * Waits until the program's health endpoint reports that it is ready. @throws Error with the output if it does not
 * become ready
 */
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

/** The exit code and output of a program that has ended. */
export interface Finished {
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** Runs a program below dist/ until it ends. */
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

/** Programs inherit almost no environment variables, so that tests do not depend on the shell that started them. */
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
