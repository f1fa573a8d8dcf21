import { type ClaimedRun, PublishRefused, RunCancelled } from '@passerelle/database';
import { noFigures } from '@passerelle/domain';
import { SnapshotsOfGateway } from './snapshots-of-gateway';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('publication of snapshots', () => {
  let gateway: SnapshotsOfGateway;
  let db: SnapshotsOfGateway['db'];
  let gatewayId: number;

  beforeAll(async () => {
    gateway = await SnapshotsOfGateway.start();
    ({ db } = gateway);
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    gatewayId = await gateway.nextGateway();
  });

  it('makes a snapshot visible only when it is published', async () => {
    const run = await gateway.startRun();
    await gateway.store(run, ['a']);
    expect(await db.database.servedGateways.find('kyero', gateway.client)).toMatchObject({ snapshot: null });
    expect(await db.query('SELECT 1 FROM current_listing WHERE gateway_id = $1', [gatewayId])).toEqual([]);
  });

  it('fails for a worker whose lease was taken over', async () => {
    const stalled = await gateway.startRun(-1);
    const { snapshotId } = await gateway.store(stalled, ['a']);
    const fence = await db.database.leases.acquire(gatewayId, 'another worker', 60);
    expect(fence).toBe(stalled.fence + 1);
    await expect(db.database.snapshots.publish(gateway.publication(stalled, snapshotId, null))).rejects.toThrow(
      PublishRefused,
    );
    expect(await db.database.runHistory.find(stalled.id)).toMatchObject({ state: 'running' });
  });

  it('assigns the run of a stopped worker to the next worker', async () => {
    const first = await gateway.startRun(-1);
    const fence = await db.database.leases.acquire(gatewayId, 'another worker', 60);
    expect(await db.database.runs.claim(gatewayId, fence ?? 0)).toMatchObject({ id: first.id, attempt: 2 });
  });

  it('assigns no run to a worker whose lease was taken over', async () => {
    await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const fence = (await db.database.leases.acquire(gatewayId, 'a worker', -1)) ?? 0;
    const next = (await db.database.leases.acquire(gatewayId, 'another worker', 60)) ?? 0;
    expect(await db.database.runs.claim(gatewayId, fence)).toBeNull();
    expect(await db.database.runs.claim(gatewayId, next)).toMatchObject({ attempt: 1 });
  });

  it('ends a run that was cancelled after its worker was gone, and assigns the next run', async () => {
    const { runRequests, runs, leases, runHistory } = db.database;
    const gone = await gateway.startRun(-1);
    await db.query('UPDATE run SET cancel_requested = true WHERE id = $1', [gone.id]);
    const behind = await runRequests.request({ gatewayId, trigger: 'ops' });
    const fence = (await leases.acquire(gatewayId, 'another worker', 60)) ?? 0;
    expect(await runs.claim(gatewayId, fence)).toMatchObject({ id: behind, attempt: 1 });
    expect(await runHistory.find(gone.id)).toMatchObject({ state: 'cancelled', reason: 'cancelled by an operator' });
  });

  describe('by confirmation', () => {
    const confirmation = (run: ClaimedRun, baseSnapshotId: number) => ({
      ...{ runId: run.id, gatewayId, fence: run.fence, baseSnapshotId, feedMemory: { etag: 'new' } },
      figures: { ...noFigures(), unchanged: 1 },
    });
    const gatewayRow = () =>
      db.query('SELECT confirmed_at, feed_memory, current_snapshot_id FROM gateway WHERE id = $1', [gatewayId]);

    it('confirms the snapshot together with the end of the run, and discards held runs', async () => {
      const base = await gateway.publish(['a']);
      const later = await gateway.startRun();
      await db.database.runs.end(later, { state: 'held', reason: 'few', reasonCode: 'vanished', figures: noFigures() });
      await db.database.leases.release(gatewayId, later.fence);
      const [before] = await gatewayRow();
      const run = await gateway.startRun();
      await db.database.snapshots.confirm(confirmation(run, base));
      const [after] = await gatewayRow();
      expect(after).toMatchObject({ feed_memory: { etag: 'new' }, current_snapshot_id: base });
      expect(after).not.toEqual({ ...before, feed_memory: { etag: 'new' } });
      expect(await db.database.runHistory.find(run.id)).toMatchObject({ state: 'unchanged', unchanged: 1 });
      expect(await db.query('SELECT state, decision_reason FROM run WHERE id = $1', [later.id])).toEqual([
        { state: 'discarded', decision_reason: `superseded by run ${run.id}` },
      ]);
    });

    it.each([
      [
        'whose lease was taken over',
        PublishRefused,
        'UPDATE gateway_lease SET fence = fence + 1 WHERE gateway_id = $1',
      ],
      ['that is cancelled', RunCancelled, 'UPDATE run SET cancel_requested = true WHERE gateway_id = $1'],
      [
        'that was compared with another snapshot',
        PublishRefused,
        'UPDATE gateway SET current_snapshot_id = current_snapshot_id + 1 WHERE id = $1',
      ],
    ])('changes nothing for a run %s', async (_title, refusal, meanwhile) => {
      const base = await gateway.publish(['a']);
      const run = await gateway.startRun();
      await db.query(meanwhile, [gatewayId]);
      const before = await gatewayRow();
      await expect(db.database.snapshots.confirm(confirmation(run, base))).rejects.toThrow(refusal);
      expect(await gatewayRow()).toEqual(before);
      expect(await db.database.runHistory.find(run.id)).toMatchObject({ state: 'running' });
    });
  });

  it('fails when the run was not compared with the current snapshot', async () => {
    await gateway.publish(['a']);
    const run = await gateway.startRun();
    const { snapshotId } = await gateway.store(run, ['b']);
    await expect(db.database.snapshots.publish(gateway.publication(run, snapshotId, null))).rejects.toThrow(
      PublishRefused,
    );
  });

  it('gives the lease of a gateway to one worker only', async () => {
    const fences = await Promise.all(
      Array.from({ length: 8 }, (_, n) => db.database.leases.acquire(gatewayId, `worker ${n}`, 60)),
    );
    expect(fences.filter((fence) => fence !== null)).toHaveLength(1);
  });

  it('combines requests before the start of a run in that run, and later requests in the next run', async () => {
    const { runRequests, runs, leases } = db.database;
    const ids = await Promise.all([1, 2, 3].map(() => runRequests.request({ gatewayId, trigger: 'ops' })));
    expect(new Set(ids).size).toBe(1);
    const fence = await leases.acquire(gatewayId, 'a worker', 60);
    await runs.claim(gatewayId, fence ?? 0);
    expect(await runRequests.request({ gatewayId, trigger: 'ops' })).not.toBe(ids[0]);
  });
});
