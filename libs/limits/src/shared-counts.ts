import { redisLocation } from '@passerelle/settings';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counted, MinuteCounts } from './minute-counts';

/** The time to wait for Redis, in ms; after that, the process counts by itself. */
const ANSWER_TIMEOUT_MS = 250;
/** Never reached, because the callers compare the count with their limits. */
const POINTS = Number.MAX_SAFE_INTEGER;

export interface SharedCountsOptions {
  /** The URL of one server, with the database's number as its path, or of a cluster. */
  url: string;
  /** The prefix of every key. */
  prefix: string;
  /** Called for each event that Redis did not count. */
  onAway: (error: unknown) => void;
}

export class SharedCounts {
  private readonly redis: Redis | Cluster;
  private readonly limiter: RateLimiterRedis;

  constructor(private readonly options: SharedCountsOptions) {
    this.redis = connect(options.url);
    // Ignored here, because every failed command reports its own error.
    this.redis.on('error', () => undefined);
    this.limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: `${options.prefix}:limit`,
      points: POINTS,
      duration: 60,
    });
  }

  /** Counts in Redis, or in `local` while Redis does not answer. Never fails. */
  async add(name: string, local: MinuteCounts): Promise<Counted> {
    try {
      return toCounted(await this.limiter.consume(name));
    } catch (cause) {
      if (cause instanceof RateLimiterRes) return toCounted(cause);
      this.options.onAway(cause);
      return local.add(name);
    }
  }

  close(): void {
    this.redis.disconnect();
  }
}

function connect(url: string): Redis | Cluster {
  const { nodes, isTls, username, password } = redisLocation(url);
  const retryStrategy = (times: number): number => Math.min(times * 200, 5_000);
  // During an outage, commands fail immediately and the events are counted locally; no command waits for Redis.
  const options: RedisOptions = { maxRetriesPerRequest: 0, commandTimeout: ANSWER_TIMEOUT_MS };
  if (nodes === null) return new Redis(url, { ...options, enableOfflineQueue: false, retryStrategy });
  return new Cluster(nodes, {
    ...{ enableOfflineQueue: false, clusterRetryStrategy: retryStrategy },
    ...(isTls && { dnsLookup: asNamed }),
    redisOptions: {
      ...options,
      ...(username !== '' && { username }),
      ...(password !== '' && { password }),
      ...(isTls && { tls: {} }),
    },
  });
}

function toCounted({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted {
  return { count: consumedPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}

function asNamed(host: string, done: (error: null, address: string) => void): void {
  done(null, host);
}
