import { userInfo } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { runOps } from './run-ops';
import type { Terminal } from './terminal';

// `ops runs | head` closes the pipe after the first lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const terminal: Terminal = {
  out: (words) => process.stdout.write(words),
  err: (words) => process.stderr.write(words),
  isOutTty: process.stdout.isTTY,
  isErrTty: process.stderr.isTTY,
  columns: process.stdout.columns,
  user: accountName(),
  now: () => new Date(),
  async confirm(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(`${question} [y/N] `);
    lines.close();
    return /^y(es)?$/i.test(answer.trim());
  },
  readInput: () => buffer(process.stdin),
  catchInterrupt: () => {
    const interruption = new AbortController();
    process.once('SIGINT', () => {
      interruption.abort();
    });
    return interruption.signal;
  },
};

void runOps(process.argv.slice(2), process.env, terminal).then((exitCode) => {
  process.exitCode = exitCode;
});

/** In a container the account may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
