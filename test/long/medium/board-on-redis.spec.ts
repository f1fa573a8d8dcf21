import { spawnSync } from 'node:child_process';
import { startTestRedis, stopTestRedis } from '../../support/test-redis';
import { describeBoard } from '../../medium/ops-port/describe-board';

const hasRedis = (process.env['TEST_REDIS_URL'] ?? '') !== '' || spawnSync('redis-server', ['--version']).status === 0;
const describeIt = hasRedis ? describe : describe.skip;

// Real: HTTP, PostgreSQL, the queue on Redis, Bull Board. A file of its own: BullMQ has one store in a process.
describeIt('/queues, with the queue in Redis', () => {
  describeBoard('redis', startTestRedis);
  // Behind the board's own end, which still talks to it.
  afterAll(stopTestRedis);
});
