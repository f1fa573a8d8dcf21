import type { NetChange } from '@passerelle/database';
import { type ListedListing, normalizedOf, PublishedLists, shortHash } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { seeded } from '../../support/seeded';

// Real: PostgreSQL, with every migration. Fake: the feed, which is a list.
describe('database for synchronizing sites', () => {
  let db: TestDatabase;
  let lists: PublishedLists;
  let gateways = 0;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });
  beforeEach(async () => {
    gateways += 1;
    lists = await PublishedLists.of(db.database, `agency-${gateways}`);
  });

  const find = () => db.database.servedGateways.find('kyero', `agency-${gateways}`, 900);
  const changes = (since: number, until: number, format: 'normalized' | 'raw' = 'normalized') =>
    db.database.changes.page({ gatewayId: lists.gatewayId, since, until, format }, 0, 200);
  const kinds = (found: readonly NetChange[]) => found.map(({ change, affId }) => `${change} ${affId}`);
  /** Makes every publication older by this many hours. */
  const age = (hours: number) =>
    db.query('UPDATE snapshot SET published_at = published_at - make_interval(hours => $1)', [hours]);

  it('gives each published snapshot a random token', async () => {
    await lists.publish([{ affId: 'a' }]);
    const first = (await find())?.snapshot?.token ?? '';
    await lists.publish([{ affId: 'b' }]);
    const second = (await find())?.snapshot?.token ?? '';
    expect([first, second]).toEqual([
      expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
    ]);
    expect(first).not.toBe(second);
  });

  it('finds a snapshot by its token in its own gateway only', async () => {
    const id = await lists.publish([{ affId: 'a' }]);
    const token = (await find())?.snapshot?.token ?? '';
    const other = await PublishedLists.of(db.database, `agency-${gateways}-other`);
    const { keptSnapshots } = db.database;
    expect(await keptSnapshots.find(lists.gatewayId, token)).toMatchObject({ id, token, total: 1, isReadable: true });
    expect(await keptSnapshots.find(other.gatewayId, token)).toBeNull();
  });

  it('keeps a replaced snapshot for three days and five publications, and its token longer', async () => {
    const first = await lists.publish([{ affId: 'a' }, { affId: 'b' }]);
    const { keptSnapshots, listings, snapshots } = db.database;
    const token = (await find())?.snapshot?.token ?? '';
    await lists.publish([{ affId: 'b' }]);
    for (const intitule of ['2', '3', '4', 'new']) await lists.publish([{ affId: 'b', intitule }]);
    await age(71);
    expect(await snapshots.prune(lists.gatewayId)).toBe(0);
    expect(
      String((await listings.page({ gatewayId: lists.gatewayId, id: first, total: 2 }, 'normalized', 0, 9)) ?? ''),
    ).toContain('"affId":"a"');
    await age(2);
    expect(await snapshots.prune(lists.gatewayId)).toBe(1);
    expect(await keptSnapshots.find(lists.gatewayId, token)).toMatchObject({ id: first, isReadable: false });
    await expect(listings.manifest({ gatewayId: lists.gatewayId, id: first, total: 2 })).rejects.toThrow('pruned');
    const versions = await db.query('SELECT aff_id FROM listing_version WHERE gateway_id = $1', [lists.gatewayId]);
    expect(versions).toHaveLength(5);
  });

  it('removes the tokens and changes of old snapshots after 90 days', async () => {
    const first = await lists.publish([{ affId: 'a' }]);
    const token = (await find())?.snapshot?.token ?? '';
    await lists.publish([{ affId: 'b' }]);
    const last = await lists.publish([{ affId: 'c' }]);
    for (let deep = 0; deep < 4; deep += 1) await lists.publish([{ affId: 'c', intitule: String(deep) }]);
    await age(73);
    await db.database.snapshots.prune(lists.gatewayId);
    await db.database.runHistory.pruneChanges({ keepDays: 90 });
    expect(kinds(await changes(first, last))).toEqual(['removed a', 'added c']);
    await db.query(`UPDATE snapshot SET pruned_at = pruned_at - interval '91 days'`);
    await db.database.runHistory.pruneChanges({ keepDays: 90 });
    expect(await db.database.keptSnapshots.find(lists.gatewayId, token)).toBeNull();
    expect(await db.query('SELECT 1 FROM listing_change WHERE snapshot_id = $1', [first])).toEqual([]);
  });

  it('lists each listing once, with its net change', async () => {
    const since = await lists.publish([{ affId: 'stays' }, { affId: 'goes', affNum: 'R1' }, { affId: 'changes' }]);
    await lists.publish([{ affId: 'stays' }, { affId: 'changes', intitule: '1' }, { affId: 'comes and goes' }], {
      reasons: { goes: 'withdrawn' },
    });
    const until = await lists.publish([{ affId: 'stays' }, { affId: 'changes', intitule: '2' }, { affId: 'comes' }]);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+\+00:00$/) as string;
    expect(await changes(since, until)).toEqual([
      {
        ...{ change: 'removed', affId: 'goes', affNum: 'R1', at, reason: 'withdrawn', approved: false, replaces: null },
        ...{ empreinte: null, photos: null, property: null },
      },
      {
        ...{ change: 'added', affId: 'comes', affNum: null, at, reason: null, approved: false, replaces: null },
        ...{ empreinte: shortHash(normalizedOf({ affId: 'comes' })), photos: null },
        property: normalizedOf({ affId: 'comes' }),
      },
      {
        ...{ change: 'changed', affId: 'changes', affNum: null, at, reason: null, approved: false, replaces: null },
        ...{ empreinte: shortHash(normalizedOf({ affId: 'changes', intitule: '2' })), photos: null },
        property: normalizedOf({ affId: 'changes', intitule: '2' }),
      },
    ]);
    const range = { gatewayId: lists.gatewayId, since, until, format: 'normalized' as const };
    expect(await db.database.changes.count(range)).toEqual({ removed: 1, added: 1, changed: 1 });
    expect(await db.database.changes.page(range, 1, 1)).toMatchObject([{ affId: 'comes' }]);
  });

  it('omits a listing that has changed back to its old content', async () => {
    const since = await lists.publish([{ affId: 'a', intitule: '1' }, { affId: 'b' }]);
    await lists.publish([{ affId: 'a', intitule: '2' }, { affId: 'b' }, { affId: 'c' }]);
    const until = await lists.publish([{ affId: 'a', intitule: '1' }, { affId: 'b' }]);
    expect(await changes(since, until)).toEqual([]);
  });

  it('shows a change of the raw record only to readers of the raw format', async () => {
    const since = await lists.publish([{ affId: 'a' }]);
    const until = await lists.publish([{ affId: 'a', note: 'seen by nobody else' }]);
    expect(await changes(since, until)).toEqual([]);
    expect(await changes(since, until, 'raw')).toMatchObject([{ change: 'changed', affId: 'a' }]);
  });

  it('marks the changes of a forced publication as approved by an operator', async () => {
    const since = await lists.publish([{ affId: 'a' }, { affId: 'b' }]);
    const until = await lists.publish([{ affId: 'b' }], { forced: true });
    expect(await changes(since, until)).toMatchObject([{ affId: 'a', approved: true }]);
  });

  it('lists the hashes of a snapshot, even for listings that were stored before hashes existed', async () => {
    const list: ListedListing[] = [
      { affId: 'é 1', photos: ['p1', 'p2'] },
      { affId: 'b', intitule: 'Côté jardin' },
    ];
    const id = await lists.publish(list);
    const expected = list.map((listing) => {
      const { affId, photos } = listing;
      return [affId, shortHash(normalizedOf(listing)), photos ? shortHash(photos.map(shortHash).join('')) : null];
    });
    expect(await db.database.listings.manifest({ gatewayId: lists.gatewayId, id, total: 2 })).toEqual(expected);
    await db.query('UPDATE listing_version SET empreinte = NULL, photos_empreinte = NULL');
    expect(await db.database.listings.manifest({ gatewayId: lists.gatewayId, id, total: 2 })).toEqual(expected);
  });

  it('returns recent snapshots only while a pagination session may be older than the last publication', async () => {
    const first = await lists.publish([{ affId: 'a' }]);
    await age(1);
    expect((await find())?.recent).toEqual([]);
    const second = await lists.publish([{ affId: 'b' }]);
    const third = await lists.publish([{ affId: 'c' }]);
    expect((await find())?.recent.map(({ id }) => id)).toEqual([first, second, third]);
  });

  it('keeps a pagination session on its snapshot, even on a process that does not know that snapshot yet', async () => {
    const { paginationSessions } = db.database;
    const older = await lists.publish([{ affId: 'a' }, { affId: 'b' }]);
    const newer = await lists.publish([{ affId: 'b' }, { affId: 'c' }, { affId: 'd' }]);
    const walk = { gatewayId: lists.gatewayId, reader: Buffer.from('a reader') };
    const begun = await paginationSessions.step({ ...walk, isFirst: true, upTo: 1, begin: newer }, 900);
    const elsewhere = await paginationSessions.step({ ...walk, isFirst: false, upTo: 2, begin: older }, 900);
    expect([begun, elsewhere]).toMatchObject([
      { id: newer, total: 3 },
      { id: newer, total: 3 },
    ]);
  });

  it('finds a removed listing by identifier or reference only in the lists that had it', async () => {
    const a = { affId: 'a', affNum: 'ref a' };
    const before = { gatewayId: lists.gatewayId, id: await lists.publish([a, { affId: 'b' }]), total: 2 };
    const after = { gatewayId: lists.gatewayId, id: await lists.publish([{ affId: 'b' }]), total: 1 };
    const { listings } = db.database;
    for (const id of ['a', 'ref a']) {
      expect(await listings.one(before, 'normalized', id)).toBe(normalizedOf(a));
      expect(await listings.one(after, 'normalized', id)).toBeNull();
    }
    expect(await listings.byIds(after, 'raw', ['a', 'b'])).toHaveLength(1);
    await lists.publish([{ affId: 'b' }, a]);
    expect(await listings.one(after, 'normalized', 'a')).toBeNull();
  });

  it('reads lists of any age unchanged, whatever was published since', async () => {
    const random = seeded(42);
    const published: { id: number; list: ListedListing[] }[] = [];
    let list: ListedListing[] = [];
    for (let round = 0; round < 25; round += 1) {
      list = nextList(list, random);
      published.push({ id: await lists.publish(list), list });
    }
    const names = Array.from({ length: 14 }, (_, n) => `L${n}`);
    for (const { id, list } of published) {
      const snapshot = { gatewayId: lists.gatewayId, id, total: list.length };
      const texts = await db.database.listings.byIds(snapshot, 'normalized', names);
      expect(texts).toEqual(list.map(normalizedOf));
    }
    for (let pair = 0; pair < 60; pair += 1) {
      const [a, b] = [random(published.length), random(published.length)].sort((x, y) => x - y) as [number, number];
      const [since, until] = [published[a], published[b]] as [(typeof published)[0], (typeof published)[0]];
      const applied = new Map(since.list.map((listing) => [listing.affId, normalizedOf(listing)]));
      for (const { change, affId, property } of await changes(since.id, until.id)) {
        expect(applied.has(affId)).toBe(change !== 'added');
        if (property === null) applied.delete(affId);
        else applied.set(affId, property);
      }
      expect(applied).toEqual(new Map(until.list.map((listing) => [listing.affId, normalizedOf(listing)])));
    }
  });
});

/** The next list, with some of fourteen listings removed, added, changed and moved. */
function nextList(list: readonly ListedListing[], random: (below: number) => number): ListedListing[] {
  const next = list.filter(() => random(5) > 0).map((one) => (random(4) === 0 ? variantOf(one.affId, random) : one));
  for (let n = 0; n < 14; n += 1) {
    const affId = `L${n}`;
    if (random(6) === 0 && !next.some((one) => one.affId === affId)) {
      next.splice(random(next.length + 1), 0, variantOf(affId, random));
    }
  }
  return next;
}

function variantOf(affId: string, random: (below: number) => number): ListedListing {
  return { affId, intitule: `t${random(3)}`, note: `n${random(2)}` };
}
