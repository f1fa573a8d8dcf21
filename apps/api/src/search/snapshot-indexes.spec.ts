import type { SearchRow } from '@passerelle/database';
import { searchEntryOf } from '@passerelle/domain';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { SnapshotIndexes } from './snapshot-indexes';

const aSnapshot = (id: number): ServedSnapshot => ({
  ...{ gatewayId: 1, id, token: `token ${id}`, total: 2, publishedAtMs: 0, confirmedAtMs: null },
  ...{ cache: 'HIT' },
});

// The fake database returns the same two version ids for every snapshot.
describe('SnapshotIndexes', () => {
  let changes: { listenerReconnects: number };
  let indexes: SnapshotIndexes;
  let whileRead: () => void;

  beforeEach(() => {
    changes = { listenerReconnects: 0 };
    whileRead = () => undefined;
    const load = (_snapshot: object, ids: readonly number[], take: (row: SearchRow) => void): Promise<void> => {
      whileRead();
      for (const versionId of ids) take({ versionId, ...searchEntryOf({ affId: String(versionId) }) });
      return Promise.resolve();
    };
    indexes = new SnapshotIndexes({ versionsOf: () => Promise.resolve([1, 2]), load } as never, changes, 1_000_000);
  });

  it('takes over the listings that a snapshot shares with the previous one', async () => {
    await indexes.load(aSnapshot(1));
    await indexes.load(aSnapshot(2));
    expect(indexes.figures).toEqual({ read: 2, shared: 2 });
  });

  it('takes over no listing that was read before notifications stopped, because its id may have been reassigned', async () => {
    await indexes.load(aSnapshot(5));
    changes.listenerReconnects += 1;
    for (const id of [1, 2]) await indexes.load(aSnapshot(id));
    expect(indexes.figures).toEqual({ read: 4, shared: 2 });
  });

  it('takes over no listing from a read during which notifications stopped, also for a search that joined this read', async () => {
    let joined: Promise<unknown> = Promise.resolve();
    whileRead = () => {
      changes.listenerReconnects += 1;
      joined = indexes.load(aSnapshot(5));
    };
    await indexes.load(aSnapshot(5));
    await joined;
    whileRead = () => undefined;
    await indexes.load(aSnapshot(6));
    expect(indexes.figures).toEqual({ read: 4, shared: 0 });
  });
});
