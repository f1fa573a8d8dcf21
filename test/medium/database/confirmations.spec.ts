import { setTimeout as sleep } from 'node:timers/promises';
import { GATEWAY_CHANGED_CHANNEL, noFigures } from '@passerelle/domain';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('run that confirms the list', () => {
  const RUNS = 200;
  let db: TestDatabase;
  let gatewayId: number;
  let snapshotId: number;
  let listener: pg.Client;
  let told: string[] = [];
  beforeAll(async () => {
    db = await createTestDatabase();
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'k', sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    const [row] = await db.query<{ id: number }>(
      'INSERT INTO snapshot (gateway_id, run_id, published_at) VALUES ($1, 1, now()) RETURNING id',
      [gatewayId],
    );
    snapshotId = row!.id;
    await db.query('UPDATE gateway SET current_snapshot_id = $1', [snapshotId]);
    listener = new pg.Client({ connectionString: db.url });
    await listener.connect();
    listener.on('notification', ({ payload }) => told.push(payload ?? ''));
    await listener.query(`LISTEN ${GATEWAY_CHANGED_CHANNEL}`);
  });
  beforeEach(() => {
    told = [];
  });
  afterAll(async () => {
    await listener.end();
    await db.drop();
  });

  async function confirmOnce(): Promise<void> {
    const { announcements, runRequests, leases, runs, snapshots, schedule } = db.database;
    await runRequests.request({ gatewayId, trigger: 'schedule' });
    await announcements.claim({ limit: 10, seconds: 60 });
    const fence = (await leases.acquire(gatewayId, 'a worker', 60)) ?? 0;
    const run = await runs.claim(gatewayId, fence);
    await snapshots.confirm({
      ...{ runId: run!.id, gatewayId, fence, baseSnapshotId: snapshotId },
      ...{ figures: noFigures(), feedMemory: { etag: String(run!.id) } },
    });
    await schedule.noteSuccess(gatewayId, 3_600, 'unchanged');
    await leases.release(gatewayId, fence);
  }

  /**
   * Returns the notifications so far. Sends one more and waits for it, because PostgreSQL delivers notifications in
   * order.
   */
  const heard = async (): Promise<string[]> => {
    await db.query(`SELECT pg_notify($1, 'end')`, [GATEWAY_CHANGED_CHANNEL]);
    while (told.at(-1) !== 'end') await sleep(5);
    return told.slice(0, -1);
  };

  it('sends no notification to any API', async () => {
    await confirmOnce();
    expect(await heard()).toEqual([]);
    const [row] = await db.query<{ isConfirmed: boolean }>(
      `SELECT confirmed_at > now() - interval '1 minute' AS "isConfirmed" FROM gateway`,
    );
    expect(row?.isConfirmed).toBe(true);
  });

  it.each([
    ['is disabled', 'UPDATE gateway SET enabled = false'],
    ['is enabled', 'UPDATE gateway SET enabled = true'],
    ['gets a contract end', `UPDATE gateway SET contract_end = '2030-01-01'`],
    ['serves another list', 'UPDATE gateway SET current_snapshot_id = current_snapshot_id + 1'],
    ['serves the first list again', 'UPDATE gateway SET current_snapshot_id = current_snapshot_id - 1'],
    ['gets another name', `UPDATE gateway SET client = 'renamed'`],
  ])('sends no notification, unlike the change of a gateway that %s', async (_what, change) => {
    await db.query(change);
    expect(await heard()).toEqual([String(gatewayId)]);
  });

  it('updates the gateway row and the lease row without an index update', async () => {
    await db.query('SELECT pg_stat_force_next_flush()');
    for (let run = 0; run < RUNS; run += 1) await confirmOnce();
    const hot = async (table: string): Promise<number> => {
      const [row] = await db.query<{ updates: number; hot: number }>(
        'SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = $1',
        [table],
      );
      return row!.updates >= RUNS ? row!.hot / row!.updates : -1;
    };
    for (const table of ['gateway', 'gateway_lease']) {
      // A connection reports its statistics after it has been idle for a second.
      while ((await hot(table)) < 0) await sleep(100);
      expect(await hot(table)).toBeGreaterThan(0.95);
    }
  });
});
