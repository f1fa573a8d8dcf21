import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '@passerelle/database';

/** CRMs wait for an answer for ten seconds or longer. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 200;

/**
 * Asks the database, and again while it cannot be reached. Where thousands of calls come at once it is there, and this process is
 * too busy to see in time that a connection was opened. A statement that was carried out, and is carried out again, does no harm.
 *
 * @param sinceMs when somebody began to wait; it is asked twice at least.
 * @throws what the database says in the end.
 */
export async function insistently<T>(ask: () => Promise<T>, sinceMs = performance.now()): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseAway(error) || (!isFirst && performance.now() - sinceMs >= PATIENCE_MS)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
