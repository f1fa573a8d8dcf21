import pg from 'pg';
import { SteadyPool } from '../../../libs/database/src/steady-pool';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL and its limit of connections.
describe('pool', () => {
  let db: TestDatabase;
  let pool: SteadyPool;
  beforeAll(async () => {
    db = await createTestDatabase({ isMigrated: false });
  });
  beforeEach(() => {
    pool = new SteadyPool({ connectionString: db.url, max: 4 });
    pool.on('error', () => undefined);
  });
  afterEach(() => pool.end());
  afterAll(() => db.drop());

  const pid = async (): Promise<number> =>
    (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

  it('keeps its connection after a statement that the server refuses', async () => {
    const before = await pid();
    await expect(pool.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    await expect(pool.query('SET transaction_read_only = on; CREATE TABLE t ()')).rejects.toThrow('read-only');
    expect(await pid()).toBe(before);
  });

  it('replaces a connection that the server has ended', async () => {
    const before = await pid();
    await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    expect(await pid()).not.toBe(before);
  });

  it('waits for one of its own connections when the server accepts no more connections', async () => {
    const before = await pid();
    const name = new URL(db.url).pathname.slice(1);
    await db.query(`CREATE ROLE limited_${name} LOGIN PASSWORD 'p' CONNECTION LIMIT 1`);
    const url = new URL(db.url);
    url.username = `limited_${name}`;
    url.password = 'p';
    const limited = new SteadyPool({ connectionString: url.href, max: 4 });
    limited.on('error', () => undefined);
    try {
      const pids = await Promise.all(
        Array.from(
          { length: 20 },
          async () => (await limited.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0],
        ),
      );
      expect(new Set(pids.map((row) => row?.pid)).size).toBe(1);
    } finally {
      await limited.end();
      await db.query(`DROP ROLE limited_${name}`);
    }
    expect(await pid()).toBe(before);
  });

  it('fails when it has no connection and the server accepts no connections', async () => {
    const url = new URL(db.url);
    url.pathname = '/nothing_here';
    const none = new SteadyPool({ connectionString: url.href, max: 4 });
    await expect(none.query('SELECT 1')).rejects.toBeInstanceOf(pg.DatabaseError);
    await none.end();
  });
});
