import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for an expected event. Long enough for a slow machine, but shorter than the time limit of a
 * test.
 */
export const PATIENCE_MS = 180_000;

/** Long waits poll less often, because polling takes CPU time from the process that the test waits for. */
const POLL_MS = { least: 20, most: 100 };
const PART_OF_WAIT = 1 / 20;

/**
 * Repeats `ask` until it returns a value other than undefined. @throws Error if the answer is still undefined at the
 * time limit
 */
export async function eventually<T>(ask: () => Promise<T | undefined>, patienceMs = PATIENCE_MS): Promise<T> {
  const startedMs = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const waitedMs = Date.now() - startedMs;
    if (waitedMs > patienceMs) throw new Error('what was waited for did not happen');
    await sleep(Math.min(Math.max(waitedMs * PART_OF_WAIT, POLL_MS.least), POLL_MS.most));
  }
}

/** Repeats `isSo` until it returns true. @throws Error if the answer is still false at the time limit */
export async function until(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  await eventually(async () => (await isSo()) || undefined, patienceMs);
}
