import { type ClaimedRun, type NewVersion } from '@passerelle/database';
import { noFigures } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { versionsOf } from '../../support/versions-of';

/** Snapshots that a test builds and publishes step by step, with a new gateway for each test. */
export class SnapshotsOfGateway {
  gatewayId = 0;
  client = '';
  private gateways = 0;

  private constructor(readonly db: TestDatabase) {}

  /** Creates a PostgreSQL database with every migration and without a gateway. */
  static async start(): Promise<SnapshotsOfGateway> {
    return new SnapshotsOfGateway(await createTestDatabase());
  }

  /** Switches to another gateway. @returns its id */
  async nextGateway(): Promise<number> {
    this.gateways += 1;
    this.client = `agency-${this.gateways}`;
    this.gatewayId = await this.addGateway(this.client);
    return this.gatewayId;
  }

  addGateway(client: string): Promise<number> {
    return this.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  }

  async startRun(leaseSeconds = 60): Promise<ClaimedRun> {
    await this.db.database.runRequests.request({ gatewayId: this.gatewayId, trigger: 'ops' });
    const fence = await this.db.database.leases.acquire(this.gatewayId, 'a worker', leaseSeconds);
    const run = fence === null ? null : await this.db.database.runs.claim(this.gatewayId, fence);
    if (run === null) throw new Error('there was nothing to claim');
    return run;
  }

  versionOf(affId: string, affNum: string): NewVersion {
    return {
      ...{ affId, affNum, scope: '', recordHash: '', contentHash: '', revision: null, fill: 0 },
      ...{ empreinte: '', photosEmpreinte: null },
      normalized: Buffer.from(`{"affId":"${affId}"}`),
      raw: Buffer.from(`{"id":"${affId}"}`),
    };
  }

  /**
   * `references` replaces default affNums (`num` and identifier). `order` is the feed's order, if it differs from the
   * storing order.
   */
  async store(
    run: ClaimedRun,
    affIds: string[],
    { references = {}, order = affIds }: { references?: Record<string, string>; order?: string[] } = {},
  ): Promise<{ snapshotId: number; versionIds: number[] }> {
    const writer = this.db.database.snapshots.writer(this.gatewayId, run.id);
    const versionIds = await writer.addVersions(
      affIds.map((affId) => this.versionOf(affId, references[affId] ?? `num ${affId}`)),
    );
    const changes = affIds.map((affId, index) => {
      return {
        kind: 'added' as const,
        affId,
        versionId: versionIds[index] ?? null,
        previousVersionId: null,
        reason: null,
      };
    });
    const inFeed = order.map((affId) => versionIds[affIds.indexOf(affId)] ?? 0);
    return { snapshotId: await writer.finish(inFeed, changes), versionIds };
  }

  publication(run: ClaimedRun, snapshotId: number, baseSnapshotId: number | null) {
    return {
      ...{ runId: run.id, gatewayId: this.gatewayId, fence: run.fence, snapshotId, baseSnapshotId },
      figures: { ...noFigures(), added: 3 },
      feedMemory: { etag: '"1"' },
    };
  }

  async publish(affIds: string[], baseSnapshotId: number | null = null): Promise<number> {
    const run = await this.startRun();
    const { snapshotId } = await this.store(run, affIds);
    await this.db.database.snapshots.publish(this.publication(run, snapshotId, baseSnapshotId));
    await this.db.database.leases.release(this.gatewayId, run.fence);
    return snapshotId;
  }

  /** Publishes a snapshot in which one listing has a second version. */
  async replace(base: number, affId: string): Promise<number> {
    const run = await this.startRun();
    const held = await versionsOf(this.db.database, this.gatewayId, base);
    const writer = this.db.database.snapshots.writer(this.gatewayId, run.id);
    const [versionId = 0] = await writer.addVersions([
      {
        ...{ affId, affNum: null, scope: '', recordHash: '', contentHash: '', revision: null, fill: 0 },
        ...{ empreinte: '2', photosEmpreinte: null, raw: Buffer.from('{}') },
        normalized: Buffer.from(`{"affId":"${affId}","v":2}`),
      },
    ]);
    const previous = held.find((version) => version.affId === affId);
    const order = held.map(({ id }) => (id === previous?.id ? versionId : id));
    const snapshotId = await writer.finish(order, [
      { kind: 'changed', affId, versionId, previousVersionId: previous?.id ?? null, reason: null },
    ]);
    await this.db.database.snapshots.publish(this.publication(run, snapshotId, base));
    await this.db.database.leases.release(this.gatewayId, run.fence);
    return snapshotId;
  }
}
