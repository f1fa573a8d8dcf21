import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database-failures';

const PAUSE_MS = 200;

/**
 * How long the caller may wait. Without `sinceMs`, the time counts from the first failure, because a server may stall
 * for a while before it is lost.
 */
interface Waiting {
  sinceMs?: number;
  patienceMs: number;
  /** Whether the same query may succeed in a moment; by default, whether the database cannot be reached. */
  isRetryable?: (error: unknown) => boolean;
}

/**
 * Queries the database, and repeats the query at least once while the database cannot be reached. The database may be
 * fine when this process has thousands of queries at the same time and is too busy to notice that a connection was
 * opened. When a server was lost, its connections may turn out to be dead one after the other. The query may be
 * executed twice.
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
