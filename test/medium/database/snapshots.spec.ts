import { emptyFillCounts, noFigures } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

describe('smoke', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });
  it('works', async () => {
    const { database } = db;
    const id = await database.gateways.add(
      { crm: 'kyero', client: 'a', sourceUrl: 'http://x', settings: {}, credentials: null, everySeconds: null, contractEnd: null },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    const runId = await database.runs.request({ gatewayId: id, trigger: 'ops' });
    expect(await database.runs.request({ gatewayId: id, trigger: 'schedule' })).toBe(runId);
    const fence = await database.leases.acquire(id, 'me', 30);
    expect(fence).toBe(1);
    const run = await database.runs.claim(id, fence!);
    expect(run).toMatchObject({ id: runId, attempt: 1 });
    const writer = database.snapshotWriter(id, runId);
    const ids = await writer.addVersions(
      Array.from({ length: 450 }, (_, i) => ({
        affId: `a${i}`, affNum: `n${i % 400}`, scope: '', recordHash: `h${i}`, contentHash: `c${i}`, fill: 3,
        normalized: `{"affId":"a${i}"}`, raw: `{"id":"a${i}"}`,
      })),
    );
    expect(ids).toHaveLength(450);
    const snapshotId = await writer.finish(ids, emptyFillCounts(), ids.map((versionId, i) => ({ kind: 'added', affId: `a${i}`, versionId, previousVersionId: null })));
    await database.publish({ runId, gatewayId: id, fence: fence!, snapshotId, baseSnapshotId: null, figures: { ...noFigures(), added: 450 }, feedMemory: {} });
    expect(await database.listings.page(snapshotId, 'normalized', 199, 2)).toBe('{"affId":"a199"},{"affId":"a200"}');
    expect(await database.listings.page(snapshotId, 'raw', 449, 50)).toBe('{"id":"a449"}');
    expect(await database.listings.page(snapshotId, 'raw', 450, 50)).toBe('');
    expect(await database.listings.one(id, 'normalized', 'a7')).toBe('{"affId":"a7"}');
    expect(await database.listings.one(id, 'normalized', 'n7')).toBe('{"affId":"a7"}');
    expect(await database.listings.one(id, 'normalized', 'zz')).toBeNull();
    expect(await database.loadVersions(snapshotId)).toHaveLength(450);
    expect(await database.servedGateways.find('kyero', 'a')).toMatchObject({ snapshot: { id: snapshotId, total: 450 }, connector: null });
    expect(await database.pruneSnapshots(id)).toBe(0);
    expect(await database.runs.list({ limit: 5 })).toMatchObject([{ state: 'published', added: 450 }]);
    expect(await database.gateways.list()).toMatchObject([{ listings: 450 }]);
    expect(await database.reports.latest(id)).toMatchObject({ status: null });
  });
});
