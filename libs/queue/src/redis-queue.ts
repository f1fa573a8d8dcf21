import { Redis } from 'ioredis';
import type { QueueConnection } from './queue-connection';

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
  await connection.quit().catch(() => {
    connection.disconnect();
  });
}
