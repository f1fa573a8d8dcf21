import { isMainThread } from 'node:worker_threads';

/** Preload this with `node --require`. When the parent ends, standard input closes, and the program gets SIGTERM. */
const PATIENCE_MS = 25_000;

// Threads inherit preloaded modules, but have their own input, which ends immediately.
if (isMainThread) followParent();

function followParent(): void {
  process.stdin.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
  });
  process.stdin.on('error', () => undefined);
  process.stdin.resume();
  // Waiting for the parent's end must not keep the program running.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
}
