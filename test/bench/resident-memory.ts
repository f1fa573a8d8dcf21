import { readFileSync, writeFileSync } from 'node:fs';

const MB = 1024;

/** The current and the peak resident memory of a process, in MB. Linux only. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / MB;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Resets the peak. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
