import { type ClaimedRun, PublishRefused } from '@passerelle/database';
import { emptyFillCounts, noFigures } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { versionsOf } from '../../support/versions-of';

// Real: PostgreSQL, with every migration. Nothing is fake.
describe('snapshots in PostgreSQL', () => {
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
    gatewayId = await db.database.gateways.add(
      {
        crm: 'kyero',
        client: `agency-${gateways}`,
        sourceUrl: 'https://feeds.example/a.xml',
        settings: {},
        credentials: null,
        everySeconds: null,
        contractEnd: null,
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  });

  async function startRun(leaseSeconds = 60): Promise<ClaimedRun> {
    await db.database.runs.request({ gatewayId, trigger: 'ops' });
    const fence = await db.database.leases.acquire(gatewayId, 'a worker', leaseSeconds);
    const run = fence === null ? null : await db.database.runs.claim(gatewayId, fence);
    if (run === null) throw new Error('there was nothing to claim');
    return run;
  }

  async function store(run: ClaimedRun, affIds: string[]): Promise<{ snapshotId: number; versionIds: number[] }> {
    const writer = db.database.snapshotWriter(gatewayId, run.id);
    const versionIds = await writer.addVersions(
      affIds.map((affId) => ({
        affId,
        affNum: `num ${affId}`,
        scope: '',
        recordHash: '',
        contentHash: '',
        revision: null,
        fill: 0,
        normalized: `{"affId":"${affId}"}`,
        raw: `{"id":"${affId}"}`,
      })),
    );
    const changes = affIds.map((affId, index) => {
      return { kind: 'added' as const, affId, versionId: versionIds[index] ?? null, previousVersionId: null };
    });
    return { snapshotId: await writer.finish(versionIds, emptyFillCounts(), changes), versionIds };
  }

  const publication = (run: ClaimedRun, snapshotId: number, baseSnapshotId: number | null) => ({
    ...{ runId: run.id, gatewayId, fence: run.fence, snapshotId, baseSnapshotId },
    figures: { ...noFigures(), added: 3 },
    feedMemory: { etag: '"1"' },
  });

  async function publish(affIds: string[], baseSnapshotId: number | null = null): Promise<number> {
    const run = await startRun();
    const { snapshotId } = await store(run, affIds);
    await db.database.publish(publication(run, snapshotId, baseSnapshotId));
    await db.database.leases.release(gatewayId, run.fence);
    return snapshotId;
  }

  it('serves any page in the order of the feed, across the rows that hold it', async () => {
    const affIds = Array.from({ length: 450 }, (_, n) => `L${n}`);
    const snapshotId = await publish(affIds);
    const { listings } = db.database;
    expect(await listings.page(snapshotId, 'normalized', 199, 2)).toBe('{"affId":"L199"},{"affId":"L200"}');
    expect(await listings.page(snapshotId, 'raw', 449, 50)).toBe('{"id":"L449"}');
    expect(await listings.page(snapshotId, 'raw', 450, 50)).toBe('');
    const whole = JSON.parse(`[${await listings.page(snapshotId, 'normalized', 0, 450)}]`);
    expect(whole).toEqual(affIds.map((affId) => ({ affId })));
  });

  it('finds one listing by affId first, else by affNum, the first in the order of the feed', async () => {
    await publish(['a', 'num a', 'b']);
    const { listings } = db.database;
    expect(await listings.one(gatewayId, 'normalized', 'num a')).toBe('{"affId":"num a"}');
    expect(await listings.one(gatewayId, 'normalized', 'num b')).toBe('{"affId":"b"}');
    expect(await listings.one(gatewayId, 'raw', 'nobody')).toBeNull();
    expect(await listings.one(gatewayId, 'raw', 'a\0')).toBeNull();
  });

  it('shows nothing of a snapshot before it is published', async () => {
    const run = await startRun();
    await store(run, ['a']);
    expect(await db.database.servedGateways.find('kyero', `agency-${gateways}`)).toMatchObject({ snapshot: null });
    expect(await db.database.listings.one(gatewayId, 'normalized', 'a')).toBeNull();
  });

  it('refuses to publish for a worker whose lease was taken over', async () => {
    const stalled = await startRun(-1);
    const { snapshotId } = await store(stalled, ['a']);
    const fence = await db.database.leases.acquire(gatewayId, 'another worker', 60);
    expect(fence).toBe(stalled.fence + 1);
    await expect(db.database.publish(publication(stalled, snapshotId, null))).rejects.toThrow(PublishRefused);
    expect(await db.database.runs.find(stalled.id)).toMatchObject({ state: 'running' });
  });

  it('gives a run whose worker stopped to the next one', async () => {
    const first = await startRun(-1);
    const fence = await db.database.leases.acquire(gatewayId, 'another worker', 60);
    expect(await db.database.runs.claim(gatewayId, fence ?? 0)).toMatchObject({ id: first.id, attempt: 2 });
  });

  it('refuses to publish over a snapshot that the run has not compared itself with', async () => {
    await publish(['a']);
    const run = await startRun();
    const { snapshotId } = await store(run, ['b']);
    await expect(db.database.publish(publication(run, snapshotId, null))).rejects.toThrow(PublishRefused);
  });

  it('lets only one worker have a gateway', async () => {
    const fences = await Promise.all(
      Array.from({ length: 8 }, (_, n) => db.database.leases.acquire(gatewayId, `worker ${n}`, 60)),
    );
    expect(fences.filter((fence) => fence !== null)).toHaveLength(1);
  });

  it('makes one run of requests that come before it starts, and another of those that come after', async () => {
    const { runs, leases } = db.database;
    const ids = await Promise.all([1, 2, 3].map(() => runs.request({ gatewayId, trigger: 'ops' })));
    expect(new Set(ids).size).toBe(1);
    const fence = await leases.acquire(gatewayId, 'a worker', 60);
    await runs.claim(gatewayId, fence ?? 0);
    expect(await runs.request({ gatewayId, trigger: 'ops' })).not.toBe(ids[0]);
  });

  it('prunes a replaced snapshot after its time, with the versions that nobody holds any more', async () => {
    const first = await publish(['a', 'b']);
    const second = await replace(first, 'a');
    const third = await replace(second, 'b');
    expect(await db.database.pruneSnapshots(gatewayId)).toBe(0);
    await db.query(`UPDATE snapshot SET published_at = now() - interval '3 hours' WHERE gateway_id = $1`, [gatewayId]);
    expect(await db.database.pruneSnapshots(gatewayId)).toBe(1);

    const kept = await db.query<{ id: number }>('SELECT id FROM snapshot WHERE gateway_id = $1 ORDER BY id', [
      gatewayId,
    ]);
    expect(kept.map(({ id }) => id)).toEqual([second, third]);
    await expect(db.database.listings.page(first, 'normalized', 0, 9)).rejects.toThrow('pruned');
    expect(await db.database.listings.page(second, 'normalized', 0, 9)).toBe('{"affId":"a","v":2},{"affId":"b"}');
    expect(await db.database.listings.page(third, 'normalized', 0, 9)).toBe('{"affId":"a","v":2},{"affId":"b","v":2}');
    const versions = await db.query('SELECT id FROM listing_version WHERE gateway_id = $1', [gatewayId]);
    expect(versions).toHaveLength(3);
  });

  it('sweeps away what a run has built that ended without publishing', async () => {
    const run = await startRun();
    await store(run, ['a']);
    await db.database.runs.end(run, { state: 'failed', reason: 'broken', reasonCode: 'give-up', figures: noFigures() });
    await db.database.pruneSnapshots(gatewayId);
    expect(await db.query('SELECT 1 FROM listing_version WHERE gateway_id = $1', [gatewayId])).toEqual([]);
    expect(await db.query('SELECT 1 FROM snapshot WHERE gateway_id = $1', [gatewayId])).toEqual([]);
  });

  /** Publishes a snapshot in which one listing has a second version. */
  async function replace(base: number, affId: string): Promise<number> {
    const run = await startRun();
    const held = await versionsOf(db.database, base);
    const writer = db.database.snapshotWriter(gatewayId, run.id);
    const [versionId = 0] = await writer.addVersions([
      {
        ...{ affId, affNum: null, scope: '', recordHash: '', contentHash: '', revision: null, fill: 0, raw: '{}' },
        normalized: `{"affId":"${affId}","v":2}`,
      },
    ]);
    const previous = held.find((version) => version.affId === affId);
    const order = held.map(({ id }) => (id === previous?.id ? versionId : id));
    const snapshotId = await writer.finish(order, emptyFillCounts(), [
      { kind: 'changed', affId, versionId, previousVersionId: previous?.id ?? null },
    ]);
    await db.database.publish(publication(run, snapshotId, base));
    await db.database.leases.release(gatewayId, run.fence);
    return snapshotId;
  }
});
