import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the process exists. On Linux, its command line must also contain all these words. */
export function isRunning(pid: number, words: readonly string[]): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  if (platform() !== 'linux') return true;
  try {
    // A zombie process has an empty command line.
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return words.every((word) => commandLine.includes(word));
  } catch {
    return false;
  }
}

/** Sends SIGTERM to a process, and SIGKILL if it has not ended in time. */
export async function endProcess(pid: number, isStillRunning: () => boolean, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  signal(pid, 'SIGTERM');
  while (isStillRunning() && Date.now() < deadline) await sleep(50);
  if (isStillRunning()) signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
