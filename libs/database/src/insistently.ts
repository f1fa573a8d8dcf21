import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database-failures';

const PAUSE_MS = 200;

/** For how long somebody waits; without a beginning, from the first failure on: a server may stand still for a while before it is lost. */
interface Waiting {
  sinceMs?: number;
  patienceMs: number;
  /** Whether an error says that the same may be answered in a moment; default, that the database cannot be reached. */
  isForAnotherTry?: (error: unknown) => boolean;
}

/**
 * Asks the database, and again while it cannot be reached: twice at least. It is there, perhaps, where thousands ask at once and this
 * process is too busy to see in time that a connection was opened; or where a server was lost, and its connections are found to be dead
 * one after the other. What is asked may be done twice.
 *
 * @throws what the database says in the end.
 */
export async function insistently<T>(
  ask: () => Promise<T>,
  { sinceMs, patienceMs, isForAnotherTry = isDatabaseAway }: Waiting,
): Promise<T> {
  let fromMs = sinceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask();
    } catch (error) {
      fromMs ??= performance.now();
      if (!isForAnotherTry(error) || (!isFirst && performance.now() - fromMs >= patienceMs)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
