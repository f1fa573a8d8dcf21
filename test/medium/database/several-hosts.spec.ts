import pg from 'pg';
import { connectionSettings } from '../../../libs/database/src/connection-settings';
import { isDatabaseAway } from '../../../libs/database/src/database-failures';
import { NotificationConnection } from '../../../libs/database/src/notifications';
import { clientFor } from '../../../libs/database/src/several-hosts';
import { linkTo } from '../../support/breakable-link';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

// Real: PostgreSQL on one of two hosts; nobody answers on the other. A standby is played by a database that is set to read only.
describe('an address with several hosts', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase({ isMigrated: false });
  });
  afterAll(() => db.drop());
  afterEach(() => db.query(`ALTER DATABASE ${nameOf(db)} RESET default_transaction_read_only`));

  /** The host that a client finds, or why it finds none. */
  async function found(attributes = ''): Promise<string> {
    // Each its own address: what was found a moment ago is remembered for it.
    const url = `${db.url.replace('@127.0.0.1', '@127.0.0.2,127.0.0.1')}?n=${Math.random()}${attributes}`;
    const pool = new pg.Pool({ connectionString: url, Client: clientFor(url), max: 1 });
    try {
      const client = await pool.connect();
      await client.query('SELECT 1');
      client.release();
      return (client as unknown as pg.Client).host;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await pool.end();
    }
  }

  it('leads to the one that takes writes', async () => {
    expect([await found(), await found('&target_session_attrs=primary')]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await found('&target_session_attrs=standby')).toMatch(/^no server among them|ECONNREFUSED/);
  });

  it('leads to one that can be read while none takes writes, unless it asks for such a one', async () => {
    await db.query(`ALTER DATABASE ${nameOf(db)} SET default_transaction_read_only = on`);
    expect([await found(), await found('&target_session_attrs=standby')]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await found('&target_session_attrs=read-write')).toMatch(/^no server among them|ECONNREFUSED/);
  });

  it('says of hosts of which none is what it asks for that the database cannot be reached', async () => {
    await db.query(`ALTER DATABASE ${nameOf(db)} SET default_transaction_read_only = on`);
    const url = `${db.url.replace('@127.0.0.1', '@127.0.0.1,127.0.0.1')}?target_session_attrs=primary`;
    const failure = await new (clientFor(url))({ connectionString: url }).connect().catch((error: unknown) => error);
    expect([String(failure), isDatabaseAway(failure)]).toEqual([expect.stringContaining('no server among them'), true]);
  });

  it('leads away from one that stands still as soon as one of its connections tells, those that were idle too', async () => {
    const link = await linkTo(db.url, { host: '127.0.0.2', port: Number(new URL(db.url).port) });
    const url = db.url.replace('@127.0.0.1', '@127.0.0.2,127.0.0.1');
    const settings = connectionSettings({
      url,
      applicationName: 'test',
      statementTimeoutMs: 600_000,
      endsWithOthers: true,
    });
    const pool = new pg.Pool({ ...settings, connectionString: url, max: 3 });
    pool.on('error', () => undefined);
    const hostOfOne = async (): Promise<string> => {
      const client = await pool.connect();
      client.release();
      return (client as unknown as pg.Client).host;
    };
    const listener = { onNotification: () => undefined, onStateChange: () => undefined };
    const hearing = new NotificationConnection(url, 'test').subscribe(['publication'], listener);
    await hearing.start();
    await Promise.all(Array.from({ length: 3 }, () => pool.query('SELECT pg_sleep(0.2)')));
    expect([pool.idleCount, await hostOfOne()]).toEqual([3, '127.0.0.2']);

    link.silence();
    const failure = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    await until(() => Promise.resolve(pool.totalCount === 0));
    expect(await hostOfOne()).toBe('127.0.0.1');
    await hearing.close();
    await pool.end();
    await link.close();
  });
});

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}
