import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database-failures';

const PAUSE_MS = 200;

/**
 * How long the caller may wait. Without a beginning, the time counts from the first failure: a server may stall for a while
 * before it is lost.
 */
interface Waiting {
  sinceMs?: number;
  patienceMs: number;
  /** Whether the same query may succeed in a moment; default: when the database cannot be reached. */
  isRetryable?: (error: unknown) => boolean;
}

/**
 * Queries the database, and repeats the query while it cannot be reached: at least once. The database may be fine when thousands
 * query at the same time and this process is too busy to notice in time that a connection was opened; or when a server was lost,
 * and its connections turn out to be dead one after the other. The query may be executed twice.
 *
 * @throws the last error of the database
 */
export async function retryWhileUnavailable<T>(
  query: () => Promise<T>,
  { sinceMs, patienceMs, isRetryable = isDatabaseAway }: Waiting,
): Promise<T> {
  let fromMs = sinceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await query();
    } catch (error) {
      fromMs ??= performance.now();
      if (!isRetryable(error) || (!isFirst && performance.now() - fromMs >= patienceMs)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
