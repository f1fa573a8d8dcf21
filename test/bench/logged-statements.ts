import { readFileSync, statSync } from 'node:fs';

/** Settings that make the server log the duration of each statement. */
export const LOGGED = ['log_min_duration_statement=0', 'log_line_prefix=%p %n '];

/** A transaction as found in the server's log. */
export interface LoggedTransaction {
  /** From the start of its first statement to the end of its commit. */
  ms: number;
  /** The sum of its statements' durations on the server. */
  serverMs: number;
}

/** The current end of the log. */
export function endOfLog(path: string): number {
  return statSync(path).size;
}

/** The transactions after a position in the log with a statement that matches `wanted`. */
export function transactionsWith(path: string, from: number, wanted: RegExp): LoggedTransaction[] {
  const open = new Map<string, { beganMs: number; serverMs: number; isWanted: boolean }>();
  const found: LoggedTransaction[] = [];
  // Continuation lines of a statement begin with a tab.
  const entries = readFileSync(path)
    .subarray(from)
    .toString()
    .split(/\n(?!\t)/);
  for (const entry of entries) {
    const [, pid = '', at = '', took = '', text = ''] = ENTRY.exec(entry) ?? [];
    if (pid === '') continue;
    const [atMs, tookMs] = [Number(at) * 1000, Number(took)];
    if (/^(statement|execute [^:]*): BEGIN/.test(text))
      open.set(pid, { beganMs: atMs - tookMs, serverMs: 0, isWanted: false });
    const transaction = open.get(pid);
    if (transaction === undefined) continue;
    transaction.serverMs += tookMs;
    transaction.isWanted ||= wanted.test(text);
    if (!/^(statement|execute [^:]*): (COMMIT|ROLLBACK)/.test(text)) continue;
    open.delete(pid);
    if (transaction.isWanted) found.push({ ms: atMs - transaction.beganMs, serverMs: transaction.serverMs });
  }
  return found;
}

const ENTRY = /^(\d+) (\d+\.\d+) LOG: {2}duration: ([\d.]+) ms {2}(.*)$/s;
