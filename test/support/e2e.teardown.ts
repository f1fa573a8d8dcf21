import tearDownPostgres from './embedded-postgres.teardown';
import { stopTestRedis } from './test-redis';

export default async function tearDown(): Promise<void> {
  await stopTestRedis();
  await tearDownPostgres();
}
