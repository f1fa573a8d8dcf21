import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import setUpPostgres from './embedded-postgres.setup';
import { startTestRedis } from './test-redis';

const run = promisify(execFile);

/** Runs before the end-to-end tests: builds the programs, and starts PostgreSQL and Redis. */
export default async function setUp(): Promise<void> {
  const build = join(__dirname, '..', '..', 'tools', 'build.mjs');
  await run(process.execPath, [build]).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`what the end-to-end tests run cannot be built:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  });
  await setUpPostgres();
  const redisUrl = await startTestRedis();
  if (redisUrl !== null) process.env['PASSERELLE_TEST_REDIS_URL'] = redisUrl;
}
