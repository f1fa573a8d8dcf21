import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { aFreePort } from '../support/free-port';
import { startOwnPostgres } from '../support/own-postgres';

const ROWS = 1_000_000;

it('embedded server stops on request while it recovers from a crash, and keeps all data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  const options = {
    directory: join(folder, 'postgres'),
    password: 'not-a-secret',
    port: await aFreePort(),
    database: 'kept',
  };
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...options, host: '127.0.0.1', user: 'postgres' });
    await client.connect();
    return client;
  };
  const server = await startOwnPostgres(options);
  const writer = await connect();
  const isCut = new Promise((resolve) => writer.once('error', resolve));
  await writer.query(`CREATE TABLE kept AS SELECT generate_series(1, ${ROWS}) AS n`);
  const { rows } = await writer.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await isCut;

  await server.end('stop', 2_000);

  const again = await startOwnPostgres(options);
  const reader = await connect();
  expect((await reader.query('SELECT count(*)::int AS count FROM kept')).rows).toEqual([{ count: ROWS }]);
  await reader.end();
  await again.end('stop');
  // When the server runs as a separate user, its data is in another folder.
  for (const path of [folder, dirname(server.directory)]) await rm(path, { recursive: true, force: true });
});
