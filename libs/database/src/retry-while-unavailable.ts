import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database-failures';

const PAUSE_MS = 200;

/** Without `sinceMs`, the time counts from the first failure, because a server may stall before it is lost. */
interface Waiting {
  sinceMs?: number;
  patienceMs: number;
  /** Whether the same query may succeed in a moment; by default, whether the database cannot be reached. */
  isRetryable?: (error: unknown) => boolean;
}

/**
 * Repeats the query at least once, because this process itself may be too busy to notice a new connection, and a lost
 * server's connections may fail one after the other. The query may be executed twice. @throws the last error
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
