import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { QueueConnection } from './queue-connection';

/** A server may keep its connections and answer nothing. */
const QUIT_TIMEOUT_MS = 1_000;

/**
 * The queue in Redis.
 *
 * @param url `redis://` or `rediss://`, with the database's number as its path.
 * @param prefix of every key.
 */
export function redisQueue(url: string, prefix = 'passerelle'): QueueConnection {
  const connection = new Redis(url, {
    // Workers wait on blocking commands; a limit would end them in an outage.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 200, 5_000),
    lazyConnect: false,
  });
  return { connection, prefix, close: () => closeQuietly(connection) };
}

async function closeQuietly(connection: Redis): Promise<void> {
  // In an outage "quit" would wait for the server to come back.
  if (connection.status !== 'ready') {
    connection.disconnect();
    return;
  }
  const tooLate = sleep(QUIT_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('too late')));
  await Promise.race([connection.quit(), tooLate]).catch(() => {
    connection.disconnect();
  });
}
