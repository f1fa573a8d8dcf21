import { readFileSync, readlinkSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel was built with. */
const MS_PER_TICK = 10;
/** Index among the fields after the process name, which may contain blanks. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** The Linux id of the calling thread; null on other systems. */
export function ownTaskId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/** The CPU time of a thread of this process in ms; null where it cannot be read. */
export function cpuMsOf(taskId: number | null): number | null {
  if (taskId === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${taskId}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
