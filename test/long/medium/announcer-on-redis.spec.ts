import { spawnSync } from 'node:child_process';
import { startTestRedis, stopTestRedis } from '../../support/test-redis';
import { describeAnnouncer } from '../../medium/ops-port/describe-announcer';

const hasRedis = (process.env['TEST_REDIS_URL'] ?? '') !== '' || spawnSync('redis-server', ['--version']).status === 0;
const describeIt = hasRedis ? describe : describe.skip;

// Real: PostgreSQL, the queue on Redis, three dispatchers. Fake: a broken connection; no worker takes jobs from the
// queue. This is a separate file because BullMQ supports only one store per process.
describeIt('the announcer, with the queue in Redis', () => {
  describeAnnouncer(startTestRedis);
  afterAll(stopTestRedis);
});
