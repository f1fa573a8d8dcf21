import { describeWholeChain } from '../../e2e/describe-whole-chain';
import { testRedisUrl } from '../../support/test-redis';

const redisUrl = testRedisUrl();

// Real: both processes as built, PostgreSQL, the queue on Redis, HTTP on both sides. Fake: the CRMs.
(redisUrl === null ? describe.skip : describe)('feed to pages, with the queue in Redis', () => {
  describeWholeChain(redisUrl);
});
