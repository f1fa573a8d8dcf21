import { Redis } from 'ioredis';
import type { TestDatabase } from './test-database';

/**
 * All rows of all tables (also of the queue) as text, with bytes in hex, and the server's information about its
 * sessions.
 */
export async function everythingInDatabase(db: TestDatabase): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of [...tables, { name: 'pg_stat_activity' }]) {
    const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(`${name}:`, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** All keys of a Redis with their values. */
export async function everythingInRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  const texts: string[] = [];
  try {
    for await (const keys of redis.scanStream() as AsyncIterable<string[]>) {
      for (const key of keys) texts.push(`${key}: ${JSON.stringify(await contentOf(redis, key))}`);
    }
  } finally {
    await redis.quit();
  }
  return texts.join('\n');
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1, 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}
