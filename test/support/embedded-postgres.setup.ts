import { randomBytes } from 'node:crypto';
import { mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/embedded/embedded-postgres';
import { aFreePort } from './free-port';

/**
 * State for the teardown in the same jest process. Two projects may run in one process; then the first project starts
 * the server.
 */
export const running: { server: EmbeddedPostgres | null; directory: string | null; users: number } = {
  server: null,
  directory: null,
  users: 0,
};

/**
 * Starts one PostgreSQL for all medium and end-to-end tests of a run, in a separate directory and on a separate port.
 */
export default async function setUp(): Promise<void> {
  running.users += 1;
  if (running.server !== null) return;
  running.directory = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  await chmod(running.directory, 0o711);
  running.server = await startEmbeddedPostgres({
    directory: join(running.directory, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await aFreePort(),
    // The data of a test run does not have to survive a crash of the machine.
    settings: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'max_wal_size=256MB',
      `max_connections=${process.env['TEST_MAX_CONNECTIONS'] ?? '200'}`,
    ],
  });
  process.env['PASSERELLE_TEST_SERVER_URL'] = running.server.url;
}
