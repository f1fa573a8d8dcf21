import { postgresQueue } from './postgres-queue';
import { type QueueConnection, QueueReadOnly } from './queue-connection';
import { redisQueue } from './redis-queue';

export { type QueueConnection, QueueReadOnly };

/** The queue's place: Redis where there is one, else PostgreSQL. */
export function connectQueue(settings: {
  redisUrl: string | null;
  redisPrefix?: string;
  databaseUrl: string;
}): QueueConnection {
  return settings.redisUrl === null
    ? postgresQueue(settings.databaseUrl)
    : redisQueue(settings.redisUrl, settings.redisPrefix);
}
