import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type QueueConnection, QueueReadOnly } from './queue-connection';

/** A server may keep its connections and answer nothing. */
const QUIT_TIMEOUT_MS = 1_000;
/** Its memory is full, it is a replica, it cannot save, or too few replicas follow it. */
const WRITE_REFUSED = /^(OOM|READONLY|MISCONF|NOREPLICAS) /;
const PROBE_SECONDS = 60;

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
  return {
    ...{ connection, prefix },
    assertTakesWrites: () => assertTakesWrites(connection, `${prefix}:probe`),
    close: () => closeQuietly(connection),
  };
}

/** A server that only reads answers PING as if nothing were wrong. */
async function assertTakesWrites(connection: Redis, key: string): Promise<void> {
  try {
    await connection.set(key, '1', 'EX', PROBE_SECONDS);
  } catch (error) {
    if (!(error instanceof Error) || !WRITE_REFUSED.test(error.message)) throw error;
    throw new QueueReadOnly(error.message, { cause: error });
  }
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
