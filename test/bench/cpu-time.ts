import { readdirSync, readFileSync } from 'node:fs';

/** The unit of `/proc/PID/stat`, whatever the kernel's clock is: Linux shows programs hundredths of a second. */
const TICK_MS = 10;

interface Process {
  parent: number;
  name: string;
  /** Its own and that of its children that have ended. */
  cpuMs: number;
}

/** CPU time that a process has taken so far, in ms. Linux only. */
export function cpuTimeOf(pid: number): number {
  return read(pid)?.cpuMs ?? 0;
}

/** CPU time that the embedded server of this process has taken so far, with all its connections, in ms. Linux only. */
export function cpuTimeOfPostgres(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const processes = new Map(pids.map((pid) => [Number(pid), read(Number(pid))]));
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  let sum = 0;
  for (const [pid, one] of processes) if (one?.name.startsWith('postgres') === true && isOurs(pid)) sum += one.cpuMs;
  return sum;
}

function read(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
  // The name may hold anything, blanks and brackets too.
  const nameEnd = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const fields = stat
    .slice(nameEnd + 2)
    .split(' ')
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { parent: fields[1] ?? 0, name, cpuMs: ticks * TICK_MS };
}
