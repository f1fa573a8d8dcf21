import { setTimeout as sleep } from 'node:timers/promises';
import { redisLocation } from '@passerelle/settings';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { type QueueConnection, QueueReadOnly } from './queue-connection';

/** Limits the wait, because a server may keep its connections open without answering. */
const QUIT_TIMEOUT_MS = 1_000;
/** Redis errors: the memory is full, the server is a replica, it cannot save, or too few replicas follow it. */
const WRITE_REFUSED = /^(OOM|READONLY|MISCONF|NOREPLICAS) /;
const PROBE_SECONDS = 60;
const WAIT_MS = 200;

/**
 * @param url of one server, with the database's number as its path, or of a cluster.
 * @param prefix In a cluster, all keys must be on one master, because scripts move jobs between them.
 */
export function redisQueue(url: string, prefix = 'passerelle'): QueueConnection {
  const { nodes, isTls, username, password } = redisLocation(url);
  // Workers wait in blocking commands; a retry limit would stop the workers during an outage.
  const options: RedisOptions = { maxRetriesPerRequest: null, retryStrategy: retryDelayMs };
  const connection =
    nodes === null
      ? new Redis(url, options)
      : new Cluster(nodes, {
          clusterRetryStrategy: retryDelayMs,
          // Nodes redirect clients to the lost master until a replica is promoted; workers wait for the promotion.
          ...{ retryDelayOnMoved: WAIT_MS, retryDelayOnClusterDown: WAIT_MS, maxRedirections: Infinity },
          // Nodes announce each other's addresses; over TLS, these must match the name in the certificate.
          ...(isTls && { dnsLookup: asNamed }),
          redisOptions: {
            ...{ maxRetriesPerRequest: null },
            ...(username !== '' && { username }),
            ...(password !== '' && { password }),
            ...(isTls && { tls: {} }),
          },
        });
  const used = nodes === null || hasHashTag(prefix) ? prefix : `{${prefix}}`;
  return {
    ...{ connection, prefix: used },
    assertTakesWrites: () => assertTakesWrites(connection, `${used}:probe`),
    close: () => closeQuietly(connection),
  };
}

/** Whether a Redis Cluster computes the slot of a key from the part in braces. */
function hasHashTag(prefix: string): boolean {
  const open = prefix.indexOf('{');
  return open !== -1 && prefix.lastIndexOf('}') > open + 1;
}

function retryDelayMs(times: number): number {
  return Math.min(times * 200, 5_000);
}

/** Writes a key, because a read-only server answers PING as usual. */
async function assertTakesWrites(connection: Redis | Cluster, key: string): Promise<void> {
  try {
    await connection.set(key, '1', 'EX', PROBE_SECONDS);
  } catch (error) {
    if (!(error instanceof Error) || !WRITE_REFUSED.test(error.message)) throw error;
    throw new QueueReadOnly(error.message, { cause: error });
  }
}

async function closeQuietly(connection: Redis | Cluster): Promise<void> {
  // During an outage, "quit" would wait until the server is back.
  if (connection.status !== 'ready') {
    connection.disconnect();
    return;
  }
  const tooLate = sleep(QUIT_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('too late')));
  await Promise.race([connection.quit(), tooLate]).catch(() => {
    connection.disconnect();
  });
}

function asNamed(host: string, done: (error: null, address: string) => void): void {
  done(null, host);
}
