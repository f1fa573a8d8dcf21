import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;
const REMEMBERED_LINES = 15;

/** A new file begins at each start and when the file becomes large; the previous one is kept as `.1`. */
export interface LogFile {
  readonly path: string;
  write(line: string): void;
  /** The latest lines, oldest first. */
  lastLines(): string[];
}

export function openLogFile(path: string): LogFile {
  let bytes = 0;
  let file = openAnew(path);
  const last: string[] = [];
  return {
    path,
    write(line) {
      if (bytes > MAX_BYTES) {
        closeSync(file);
        file = openAnew(path);
        bytes = 0;
      }
      bytes += writeSync(file, `${line}\n`);
      last.push(line);
      if (last.length > REMEMBERED_LINES) last.shift();
    },
    lastLines: () => [...last],
  };
}

function openAnew(path: string): number {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // There was none.
  }
  return openSync(path, 'w', 0o600);
}
