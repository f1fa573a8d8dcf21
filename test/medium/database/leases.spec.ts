import { setTimeout as sleep } from 'node:timers/promises';
import { noFigures } from '@passerelle/domain';
import pg from 'pg';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('lease of a gateway', () => {
  let db: TestDatabase;
  let gatewayId: number;
  let gateways = 0;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });
  beforeEach(async () => {
    gateways += 1;
    ({ gatewayId } = await PublishedLists.of(db.database, `agency-${gateways}`));
  });

  const leaseOf = async (): Promise<unknown> =>
    (await db.query('SELECT * FROM gateway_lease WHERE gateway_id = $1', [gatewayId]))[0];

  it.each([
    ['smaller', -1],
    ['larger', 1],
  ])('is neither renewed nor released with a fence number that is %s than its own', async (_what, difference) => {
    const { leases } = db.database;
    await leases.acquire(gatewayId, 'one', -1);
    const fence = (await leases.acquire(gatewayId, 'another', 60)) ?? 0;
    const before = await leaseOf();

    expect(await leases.renew(gatewayId, fence + difference, 600)).toBe(false);
    await leases.release(gatewayId, fence + difference);
    expect(await leaseOf()).toEqual(before);
    expect(await leases.acquire(gatewayId, 'a third', 60)).toBeNull();
  });

  it('lasts while its holder renews it, and is free after the release', async () => {
    const { leases } = db.database;
    const fence = (await leases.acquire(gatewayId, 'one', -1)) ?? 0;
    expect(await leases.renew(gatewayId, fence, 60)).toBe(true);
    expect(await leases.acquire(gatewayId, 'another', 60)).toBeNull();

    await leases.release(gatewayId, fence);
    expect(await leases.acquire(gatewayId, 'another', 60)).toBe(fence + 1);
    expect(await leases.renew(gatewayId, fence, 60)).toBe(false);
  });

  it("stays unchanged when another gateway's lease with the same number is renewed or released", async () => {
    const { leases } = db.database;
    const { gatewayId: other } = await PublishedLists.of(db.database, `other-${gateways}`);
    const fence = (await leases.acquire(gatewayId, 'one', 60)) ?? 0;
    expect(await leases.acquire(other, 'one', 60)).toBe(fence);
    await leases.release(other, fence);

    expect(await leases.renew(other, fence, -1)).toBe(true);
    expect(await leases.acquire(gatewayId, 'another', 60)).toBeNull();
  });

  it('is not given to another worker while its holder publishes, even when the lease has expired', async () => {
    const { leases, runRequests, runs, snapshots } = db.database;
    await runRequests.request({ gatewayId, trigger: 'ops' });
    const fence = (await leases.acquire(gatewayId, 'one', -1)) ?? 0;
    const run = await runs.claim(gatewayId, fence);
    if (run === null) throw new Error('there was nothing to claim');
    const snapshotId = await snapshots.writer(gatewayId, run.id).finish([], []);
    // Blocks the publication after its check of the lease.
    const obstacle = new pg.Client({ connectionString: db.url });
    await obstacle.connect();
    await obstacle.query('BEGIN');
    await obstacle.query('SELECT 1 FROM gateway WHERE id = $1 FOR NO KEY UPDATE', [gatewayId]);

    const publication = { runId: run.id, gatewayId, fence, snapshotId, baseSnapshotId: null, feedMemory: {} };
    const published = snapshots.publish({ ...publication, figures: noFigures() });
    await untilWaiting(1);
    let isTakenOver = false;
    const takenOver = leases.acquire(gatewayId, 'another', 60).finally(() => (isTakenOver = true));
    await untilWaiting(2, () => isTakenOver);
    expect(isTakenOver).toBe(false);

    await obstacle.query('COMMIT');
    await obstacle.end();
    await published;
    expect(await takenOver).toBe(fence + 1);
    expect(await db.database.runHistory.find(run.id)).toMatchObject({ state: 'published' });
  });

  /** Polls until this number of sessions wait for a lock, or `isEnough` returns true. */
  async function untilWaiting(sessions: number, isEnough = () => false): Promise<void> {
    const waiting = () =>
      db.query(`SELECT 1 FROM pg_stat_activity
                WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`);
    while (!isEnough() && (await waiting()).length < sessions) await sleep(10);
  }
});
