import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost } from './database-failures';

/** Wait until a lost server's other connections have broken: the repeated read must not use them. */
const PAUSE_MS = 100;

/** Repeats a read once when the connection is lost: `read` must be safe to run twice. @throws the second error */
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
