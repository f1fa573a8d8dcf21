import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits for what must come: a machine may be as slow as it likes. Below the time that a whole test may take. */
export const PATIENCE_MS = 180_000;

const LOOK_EVERY_MS = 20;

/** Asks again and again until the answer is no longer undefined. @throws when it stays so. */
export async function eventually<T>(ask: () => Promise<T | undefined>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadlineMs) throw new Error('what was waited for did not happen');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Looks until `isSo` says yes. @throws when it never does. */
export async function until(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  await eventually(async () => (await isSo()) || undefined, patienceMs);
}
