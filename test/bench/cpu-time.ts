import { readdirSync, readFileSync } from 'node:fs';

/** Linux states the times in `/proc/PID/stat` in hundredths of a second, independent of the kernel's clock rate. */
const TICK_MS = 10;

interface Process {
  parent: number;
  name: string;
  /** CPU time of the process and of its ended children. */
  cpuMs: number;
}

/** CPU time that a process has used so far, in ms. Linux only. */
export function cpuTimeOf(pid: number): number {
  return read(pid)?.cpuMs ?? 0;
}

/** CPU time that the embedded server of this process has used so far, with all its connections, in ms. Linux only. */
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
  // The name may contain any character, also blanks and brackets.
  const nameEnd = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const fields = stat
    .slice(nameEnd + 2)
    .split(' ')
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { parent: fields[1] ?? 0, name, cpuMs: ticks * TICK_MS };
}
