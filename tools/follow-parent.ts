import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded (`node --require`) in a program that must not outlive its parent process. Its standard input is a pipe without a
 * writer: it closes when the parent ends, for whatever reason. Then the program is asked to stop.
 */
const PATIENCE_MS = 25_000;

// Threads inherit preloaded modules, and have their own input, which ends immediately.
if (isMainThread) followParent();

function followParent(): void {
  process.stdin.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
  });
  process.stdin.on('error', () => undefined);
  process.stdin.resume();
  // It waits for the end of the parent, but does not keep the program running by itself.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
}
