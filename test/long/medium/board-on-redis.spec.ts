import { spawnSync } from 'node:child_process';
import { startTestRedis, stopTestRedis } from '../../support/test-redis';
import { describeBoard } from '../../medium/ops-port/describe-board';

const hasRedis = (process.env['TEST_REDIS_URL'] ?? '') !== '' || spawnSync('redis-server', ['--version']).status === 0;
const describeIt = hasRedis ? describe : describe.skip;

// Real: HTTP, PostgreSQL, the queue on Redis, Bull Board. This is a separate file because BullMQ supports only one
// store per process.
describeIt('/queues, with the queue in Redis', () => {
  describeBoard('redis', startTestRedis);
  // Stop Redis after the board's own `afterAll`, which still uses Redis.
  afterAll(stopTestRedis);
});
