import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { connectionSettings } from '../../../libs/database/src/connection-settings';
import { copyOut } from '../../../libs/database/src/copy/copy-out';
import { RowFields } from '../../../libs/database/src/copy/row-fields';
import { isDatabaseAway } from '../../../libs/database/src/database-failures';
import { NotificationConnection } from '../../../libs/database/src/notifications';
import { inTransaction, withConnection } from '../../../libs/database/src/transaction';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

// Real: PostgreSQL, the driver. Fake: the network, which stops all traffic but closes no connection.
describe('unresponsive server', () => {
  let db: TestDatabase;
  let link: BreakableLink;

  beforeAll(async () => {
    db = await createTestDatabase();
    link = await linkTo(db.url);
  });
  afterEach(() => link.mend());
  afterAll(async () => {
    await link.close();
    await db.drop();
  });

  const copied = (pool: Pool): Promise<unknown> =>
    withConnection(pool, (client) => copyOut(client, 'SELECT 1', new RowFields(1), () => undefined));

  const WAYS: [string, (pool: Pool) => Promise<unknown>][] = [
    ['a statement', (pool) => pool.query('SELECT 1')],
    ['a transaction', (pool) => inTransaction(pool, (client) => client.query('SELECT 1'))],
    ['a copy', copied],
  ];

  function openPool(): Pool {
    const settings = connectionSettings({ url: link.url, applicationName: 'test', statementTimeoutMs: 2_000 });
    return new Pool({ ...settings, connectionString: link.url, max: 1, idleTimeoutMillis: 0 });
  }

  it('keeps its connections when it has answered their last statement, however long ago the answer was', async () => {
    const pools = WAYS.map(([what, ask]) => ({ what, ask, pool: openPool() }));
    const pids = async (): Promise<unknown> =>
      Promise.all(pools.map(async ({ what, pool }) => [what, (await pool.query('SELECT pg_backend_pid()')).rows]));
    const before = await pids();
    await Promise.all(pools.map(({ ask, pool }) => ask(pool)));
    await sleep(8_000);
    expect(await pids()).toEqual(before);
    await Promise.all(pools.map(({ pool }) => pool.end()));
  });

  it('makes all waiting statements fail, and the pools open new connections', async () => {
    const pools = WAYS.map(([what, ask]) => ({ what, ask, pool: openPool() }));
    await Promise.all(pools.map(({ ask, pool }) => ask(pool)));
    link.silence();
    const failed = pools.map(async ({ what, ask, pool }) => {
      const failure: unknown = await ask(pool).catch((error: unknown) => error);
      return { what, isAway: isDatabaseAway(failure) };
    });
    expect(await Promise.all(failed)).toEqual(WAYS.map(([what]) => ({ what, isAway: true })));
    await link.mend();
    await Promise.all(pools.map(({ ask, pool }) => ask(pool)));
    await Promise.all(pools.map(({ pool }) => pool.end()));
  });

  it('makes the listener report the gap and listen again', async () => {
    const heard: unknown[] = [];
    const connection = new NotificationConnection(link.url, 'test');
    const notifications = connection.subscribe(['a_channel'], {
      onNotification: (_channel, payload) => heard.push(payload),
      onStateChange: (isListening) => heard.push(isListening),
    });
    await notifications.start();
    expect(heard).toEqual([true]);
    link.silence();
    await until(() => Promise.resolve(heard.includes(false)));
    await link.mend();
    await until(() => Promise.resolve(heard.at(-1) === true));
    await db.query(`NOTIFY a_channel, 'news'`);
    await until(() => Promise.resolve(heard.includes('news')));
    await notifications.close();
  });
});
