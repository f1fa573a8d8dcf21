import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { commandOnPath } from '../../support/command-on-path';
import { type OwnRedis, startOwnRedis } from '../../support/own-redis';
import { BEARER, type IngestorUnderTest, startIngestor } from './ingestor-under-test';

const describeIt = commandOnPath('redis-server') ? describe : describe.skip;

// Real: the ingestor, PostgreSQL, a redis-server of this test. Nothing is fake; no feed is read.
describeIt('ingestor whose Redis answers and refuses writes', () => {
  let own: OwnRedis;
  let redis: Redis;
  let ingestor: IngestorUnderTest;
  beforeAll(async () => {
    own = await startOwnRedis();
    redis = own.client;
    ingestor = await startIngestor({ redisUrl: own.url });
  });
  let isClosed = false;
  afterAll(async () => {
    if (!isClosed) await ingestor.close();
    await own.stop();
  });

  async function health(): Promise<{ status: number; queue: unknown }> {
    const { status, body } = await ingestor.get('/health/ready');
    return { status, queue: (body as { queue?: unknown }).queue };
  }
  async function gauges(): Promise<(string | undefined)[]> {
    const { text } = await ingestor.get('/metrics', BEARER);
    return ['up', 'read_only'].map((name) => new RegExp(`^passerelle_queue_${name} (\\d)$`, 'm').exec(text)?.[1]);
  }
  const until = async (queue: string): Promise<void> => {
    while ((await health()).queue !== queue) await sleep(50);
  };

  it.each([
    [
      'the memory of Redis is full',
      (): Promise<unknown> => redis.config('SET', 'maxmemory', '1'),
      () => redis.config('SET', 'maxmemory', '0'),
    ],
    ['Redis has become a replica', () => redis.replicaof('127.0.0.1', 1), () => redis.replicaof('NO', 'ONE')],
    [
      'Redis cannot save its data',
      async () => {
        await redis.set('changed', '1');
        await rm(own.directory, { recursive: true });
        await redis.config('SET', 'save', '1 1');
        await redis.bgsave().catch(() => undefined);
      },
      () => redis.config('SET', 'save', ''),
    ],
  ])(
    'is not ready when %s, says why in readiness and metrics, and is ready again afterwards',
    async (_what, refuse, mend) => {
      await until('ok');
      expect(await gauges()).toEqual(['1', '0']);
      await refuse();
      await until('read-only');
      expect(await health()).toEqual({ status: 503, queue: 'read-only' });
      expect(await redis.exists('nothing')).toBe(0);
      expect(await gauges()).toEqual(['1', '1']);
      await mend();
      await until('ok');
      expect((await health()).status).toBe(200);
    },
  );

  it('stops on request, even after its Redis refused writes', async () => {
    isClosed = true;
    await expect(ingestor.close()).resolves.toBeUndefined();
  });
});
