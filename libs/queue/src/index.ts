import { postgresQueue } from './postgres-queue';
import { type QueueConnection, QueueReadOnly } from './queue-connection';
import { redisQueue } from './redis-queue';

export { type QueueConnection, QueueReadOnly };

/** Connects to the queue's store: Redis if it is configured, otherwise PostgreSQL. */
export function connectQueue(settings: {
  redisUrl: string | null;
  redisPrefix?: string;
  databaseUrl: string;
  /** The server's direct address if `databaseUrl` leads to a pooler, because BullMQ needs LISTEN and session locks. */
  databaseDirectUrl?: string | null;
}): QueueConnection {
  return settings.redisUrl === null
    ? postgresQueue(settings.databaseDirectUrl ?? settings.databaseUrl)
    : redisQueue(settings.redisUrl, settings.redisPrefix);
}
