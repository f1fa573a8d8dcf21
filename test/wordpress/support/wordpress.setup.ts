import setUpPostgres from '../../support/embedded-postgres.setup';
import { type MariaDb, startMariaDb } from './mariadb';
import { missingPrograms } from './programs';

/** State for the teardown in the same jest process. */
export const running: { server: MariaDb | null } = { server: null };

/** One PostgreSQL for the API and one MariaDB for the sites of a run. */
export default async function setUp(): Promise<void> {
  if (missingPrograms().length > 0) return;
  const [, server] = await Promise.all([setUpPostgres(), startMariaDb()]);
  running.server = server;
  process.env['PASSERELLE_TEST_MARIADB_SOCKET'] = server.socket;
}
