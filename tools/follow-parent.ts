import { isMainThread } from 'node:worker_threads';

/**
 * Loaded ahead of a program (`node --require`) that must not outlive the one who started it. Its standard input is a pipe
 * that nobody writes to: it ends when the starter ends, however that happens. Then the program is asked to stop.
 */
const PATIENCE_MS = 25_000;

// Threads inherit what is loaded ahead, and have an input of their own that ends at once.
if (isMainThread) followParent();

function followParent(): void {
  process.stdin.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
  });
  process.stdin.on('error', () => undefined);
  process.stdin.resume();
  // It waits for the end of the starter, but does not keep the program running by itself.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
}
