import { readFileSync, writeFileSync } from 'node:fs';

const MB = 1024;

/** What a process has in memory, in MB, now and at its peak. Linux only. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / MB;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** From here on the peak counts anew. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
