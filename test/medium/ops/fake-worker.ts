import type { ListingChange, RunEnding } from '@passerelle/database';
import { noFigures, type Rejection, type RunFigures } from '@passerelle/domain';
import type { TestDatabase } from '../../support/test-database';
import { versionsOf } from '../../support/versions-of';

/** The content of a feed: the identifiers of its listings, in order, with the reference `ref <id>`. */
export interface FakeFeed {
  listings: string[];
  rejections?: Rejection[];
}

type Ending = Pick<RunEnding, 'state' | 'reason' | 'reasonCode' | 'verdict'>;

/** Acts as an ingestor: takes the waiting run of a gateway, and ends it as the test requests. */
export class FakeWorker {
  constructor(private readonly db: TestDatabase) {}

  /** Publishes the feed, or stages it and ends in another state. @returns the run's id */
  async run(gatewayId: number, feed: FakeFeed, ending: Ending = { state: 'published' }): Promise<number> {
    const { runRequests } = this.db.database;
    await runRequests.request({ gatewayId, trigger: 'schedule' });
    return this.takeUp(gatewayId, feed, ending);
  }

  /** Carries out the run that is already queued. */
  async takeUp(gatewayId: number, feed: FakeFeed, ending: Ending = { state: 'published' }): Promise<number> {
    const { database } = this.db;
    const fence = await database.leases.acquire(gatewayId, 'a fake worker', 60);
    if (fence === null) throw new Error('somebody else works on the gateway');
    const run = await database.runs.claim(gatewayId, fence);
    if (run === null) throw new Error('there was nothing to claim');
    try {
      await database.runNotes.addRejections(run, feed.rejections ?? []);
      const staged =
        run.dryRun || ending.state === 'failed' ? null : await this.stage(gatewayId, run.id, feed.listings);
      const figures = figuresOf(feed, staged?.changes ?? []);
      if (ending.state === 'published' && staged !== null) {
        await database.snapshots.publish({
          ...staged,
          runId: run.id,
          gatewayId,
          fence,
          figures,
          feedMemory: { etag: `of run ${run.id}` },
        });
      } else {
        const held = { snapshotId: staged?.snapshotId ?? null, baseSnapshotId: staged?.baseSnapshotId ?? null };
        await database.runs.end(run, { ...ending, figures, ...held, feedMemory: { etag: `of run ${run.id}` } });
      }
    } finally {
      await database.leases.release(gatewayId, fence);
    }
    return run.id;
  }

  private async stage(
    gatewayId: number,
    runId: number,
    listings: readonly string[],
  ): Promise<{ snapshotId: number; baseSnapshotId: number | null; changes: ListingChange[] }> {
    const { database } = this.db;
    const baseSnapshotId = (await database.gateways.loadForIngest(gatewayId))?.currentSnapshotId ?? null;
    const current = baseSnapshotId === null ? [] : await versionsOf(database, gatewayId, baseSnapshotId);
    const currentIds = new Map(current.map(({ affId, id }) => [affId, id]));
    const writer = database.snapshots.writer(gatewayId, runId);
    const added = listings.filter((affId) => !currentIds.has(affId));
    const newIds = await writer.addVersions(
      added.map((affId) => ({
        ...{
          affId,
          affNum: `ref ${affId}`,
          scope: '',
          recordHash: affId,
          contentHash: affId,
          revision: null,
          fill: 0,
          empreinte: '',
          photosEmpreinte: null,
        },
        ...{ normalized: Buffer.from(JSON.stringify({ affId })), raw: Buffer.from(JSON.stringify({ affId })) },
      })),
    );
    const ids = new Map([...currentIds, ...added.map((affId, index) => [affId, newIds[index]!] as const)]);
    const changes: ListingChange[] = [
      ...added.map((affId) => ({
        kind: 'added' as const,
        affId,
        versionId: ids.get(affId)!,
        previousVersionId: null,
        reason: null,
      })),
      ...current
        .filter(({ affId }) => !listings.includes(affId))
        .map(({ affId, id }) => ({
          kind: 'removed' as const,
          affId,
          versionId: null,
          previousVersionId: id,
          reason: 'absent' as const,
        })),
    ];
    const snapshotId = await writer.finish(
      listings.map((affId) => ids.get(affId)!),
      changes,
    );
    return { snapshotId, baseSnapshotId, changes };
  }
}

function figuresOf({ listings, rejections = [] }: FakeFeed, changes: readonly ListingChange[]): RunFigures {
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const removed = changes.length - added;
  const records = listings.length + rejections.length;
  return {
    ...noFigures(),
    fetchedBytes: 1000,
    records,
    added,
    removed,
    unchanged: listings.length - added,
    rejected: rejections.length,
  };
}
