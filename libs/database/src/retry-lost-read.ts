import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost } from './database-failures';

/**
 * When a server is lost, the pool's other connections break within this time. The repeated read must not use one of
 * them.
 */
const PAUSE_MS = 100;

/**
 * Reads from the database, and repeats the read once when the connection is lost: after a failover the address leads to
 * another server. A lost connection does not show whether the statement was executed, so `read` must be safe to run
 * twice.
 * @throws the error of the second attempt
 */
export async function retryLostRead<T>(
  read: () => Promise<T>,
  isForAnotherTry: (error: unknown) => boolean = isConnectionLost,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isForAnotherTry(error)) throw error;
    await sleep(PAUSE_MS);
    return read();
  }
}
