import { spawnSync } from 'node:child_process';
import { startTestRedis, stopTestRedis } from '../../support/test-redis';
import { describeWebhooks } from '../../medium/webhooks/describe-webhooks';

const hasRedis = (process.env['TEST_REDIS_URL'] ?? '') !== '' || spawnSync('redis-server', ['--version']).status === 0;
const describeIt = hasRedis ? describe : describe.skip;

// As webhooks.spec.ts, with the queue on Redis. A file of its own: BullMQ has one store in a process.
describeIt('webhooks, with the queue in Redis', () => {
  describeWebhooks(startTestRedis);
  afterAll(stopTestRedis);
});
