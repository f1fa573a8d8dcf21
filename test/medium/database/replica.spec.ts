import pg from 'pg';
import { columnTypes } from '../../../libs/database/src/connection-settings';
import { ReplicaReads } from '../../../libs/database/src/listing/replica-reads';
import { ServedListings } from '../../../libs/database/src/listing/served-listings';
import { SearchRows } from '../../../libs/database/src/search/search-rows';
import { SnapshotChanges } from '../../../libs/database/src/listing/snapshot-changes';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const LISTS = [
  [{ affId: 'a', affNum: 'n' }, { affId: 'b' }],
  [{ affId: 'a', affNum: 'n', intitule: 'Changed' }, { affId: 'b' }],
  [
    { affId: 'b', affNum: 'n' },
    { affId: 'c', affNum: 'm' },
  ],
];

// Real: two PostgreSQL databases with the same publications. One of them lacks some, as a standby that lags behind.
describe('replica that lags behind', () => {
  let [primary, replica]: (TestDatabase | undefined)[] = [];
  let pools: pg.Pool[] = [];
  let reads: ReplicaReads;
  let listings: ServedListings;
  let changes: SnapshotChanges;
  let gatewayId: number;
  const ids: number[] = [];

  beforeAll(async () => {
    [primary, replica] = [await createTestDatabase(), await createTestDatabase()];
    const lists = await PublishedLists.of(primary.database, 'lagging');
    const behind = await PublishedLists.of(replica.database, 'lagging');
    ({ gatewayId } = lists);
    for (const list of LISTS) ids.push(await lists.publish(list));
    const there = [await behind.publish(LISTS[0]!), await behind.publish(LISTS[1]!)];
    expect([behind.gatewayId, ...there]).toEqual([gatewayId, ids[0], ids[1]]);
    pools = [primary, replica].map(({ url }) => new pg.Pool({ connectionString: url, types: columnTypes(), max: 2 }));
    reads = new ReplicaReads(pools[0]!, pools[1]!);
    listings = new ServedListings(reads);
    changes = new SnapshotChanges(reads);
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await Promise.all([primary?.drop(), replica?.drop()]);
  });

  const snapshot = (at: number) => ({ gatewayId, id: ids[at]!, total: 2 });
  const range = (until: number) => ({ gatewayId, since: ids[0]!, until: ids[until]!, format: 'normalized' as const });

  /** The results of a read, and the server that gave them. */
  async function from<T>(read: () => Promise<T>): Promise<[T, 'replica' | 'primary' | 'both']> {
    const before = { ...reads.figures };
    const found = await read();
    const [isReplica, isPrimary] = [reads.figures.replica > before.replica, reads.figures.primary > before.primary];
    return [found, isReplica && isPrimary ? 'both' : isReplica ? 'replica' : 'primary'];
  }

  it('answers requests for one or several listings in its snapshots', async () => {
    const chosen = await from(() => listings.byIds(snapshot(1), 'normalized', ['b', 'a', 'nobody']));
    expect(chosen).toEqual([[expect.stringContaining('"Changed"'), expect.stringContaining('"b"')], 'replica']);
    expect(await from(() => listings.one(snapshot(1), 'raw', 'n'))).toEqual([
      expect.stringContaining('"a"'),
      'replica',
    ]);
    expect(await from(() => listings.one(snapshot(1), 'normalized', 'c'))).toEqual([null, 'replica']);
  });

  it('is not used when its snapshot with the requested number is another snapshot', async () => {
    const [token, other] = await Promise.all(
      [primary, replica].map(async (database) => {
        const query = 'SELECT token FROM snapshot WHERE gateway_id = $1 AND id = $2';
        return (await database!.query<{ token: string }>(query, [gatewayId, ids[1]]))[0]!.token;
      }),
    );
    const named = (name: string | undefined) => ({ ...snapshot(1), token: name! });
    const reads: ((name: string | undefined) => Promise<unknown>)[] = [
      (name) => listings.page(named(name), 'normalized', 0, 50),
      (name) => listings.one(named(name), 'raw', 'n'),
      (name) => listings.manifest(named(name)),
      (name) => listings.textsOfVersions(named(name), [], 'raw'),
      (name) => changes.count({ ...range(1), token: name! }),
    ];
    for (const read of reads) {
      expect((await from(() => read(token)))[1]).toBe('primary');
      expect((await from(() => read(other)))[1]).toBe('replica');
    }
  });

  it('fails as the primary does, instead of giving a partial list, when the snapshot number belongs to another snapshot', async () => {
    const search = new SearchRows(reads);
    const lost = { ...snapshot(1), token: 'lost' };
    await expect(listings.page(lost, 'normalized', 0, 50)).rejects.toThrow('is not there');
    await expect(search.versionsOf(lost)).rejects.toThrow('is gone');
    expect(await search.versionsOf(snapshot(1))).toHaveLength(2);
  });

  it('is not used for a listing in a snapshot that it does not have', async () => {
    expect(await from(() => listings.byIds(snapshot(2), 'normalized', ['a', 'b', 'c']))).toEqual([
      [expect.stringContaining('"b"'), expect.stringContaining('"c"')],
      'primary',
    ]);
    expect(await from(() => listings.one(snapshot(2), 'normalized', 'a'))).toEqual([null, 'primary']);
    expect(await from(() => listings.one(snapshot(2), 'normalized', 'm'))).toEqual([
      expect.stringContaining('"c"'),
      'primary',
    ]);
    expect(await from(() => listings.one(snapshot(2), 'normalized', 'n'))).toEqual([
      expect.stringContaining('"b"'),
      'primary',
    ]);
  });

  it('answers requests for changes up to its newest snapshot, and is not used for later changes', async () => {
    expect(await from(() => changes.count(range(1)))).toEqual([{ removed: 0, added: 0, changed: 1 }, 'replica']);
    const [page, where] = await from(() => changes.page(range(1), 0, 10));
    expect([page.map(({ affId, change }) => [affId, change]), where]).toEqual([[['a', 'changed']], 'replica']);

    expect(await from(() => changes.count(range(2)))).toEqual([{ removed: 1, added: 1, changed: 1 }, 'primary']);
    const [beyond, whence] = await from(() => changes.page(range(2), 0, 10));
    expect([beyond.map(({ affId, change }) => [affId, change]), whence]).toEqual([
      [
        ['a', 'removed'],
        ['c', 'added'],
        ['b', 'changed'],
      ],
      'primary',
    ]);
  });
});
