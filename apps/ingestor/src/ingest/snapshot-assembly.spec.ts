import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordOutcome } from '@passerelle/connectors';
import type { NewVersion } from '@passerelle/database';
import { dutyMask } from '@passerelle/domain';
import type { PlainVersion } from '../../../../test/support/ingest/reused-versions';
import { CurrentVersions } from './current-versions';
import { SnapshotAssembly } from './snapshot-assembly';
import {
  aListing,
  assemble,
  currentOf,
  hashOf,
  MemoryStore,
  published,
  withdrawn,
} from '../../../../test/support/ingest/assembly';

describe('SnapshotAssembly', () => {
  it('gives the reason why a listing is removed: withdrawn, rejected or absent', async () => {
    const rejected: RecordOutcome = {
      ...{ kind: 'rejected', position: 1 },
      rejection: { position: 1, recordId: 'b', code: 'malformed', message: 'cannot be read' },
    };
    const current = await published(aListing('a'), aListing('b'), aListing('c'), aListing('d'));
    const { changes } = await assemble(current, [aListing('a'), rejected, withdrawn('c')]);
    expect([...changes].map(({ affId, reason }) => [affId, reason])).toEqual([
      ['b', 'rejected'],
      ['c', 'withdrawn'],
      ['d', 'absent'],
    ]);
  });

  it('keeps the order of the feed', async () => {
    const store = new MemoryStore();
    await assemble([], [aListing('c'), aListing('a'), aListing('b')], 'whole', store);
    expect(store.stored.map(({ affId }) => affId)).toEqual(['c', 'a', 'b']);
  });

  it('stores nothing when the feed has not changed', async () => {
    const current = await published(aListing('a'), aListing('b'));
    const store = new MemoryStore();
    const candidate = await assemble(
      current,
      [
        { kind: 'unchanged', position: 1, hash: hashOf('bytes of a') },
        { kind: 'unchanged', position: 2, hash: hashOf('bytes of b') },
      ],
      'whole',
      store,
    );
    expect(candidate).toMatchObject({ isCurrent: true, unchanged: 2, added: 0, changed: 0, removed: 0 });
    expect(store.stored).toEqual([]);
  });

  it('counts the missing duties of the whole list, including listings that were not read again', async () => {
    const [dpe, both] = [dutyMask('FR', ['fr-dpe']), dutyMask('FR', ['fr-dpe', 'fr-georisques'])];
    const current = await published(aListing('a', { duties: both }), aListing('b', { duties: dpe }));
    const { duties } = await assemble(current, [
      { kind: 'unchanged', position: 1, hash: hashOf('bytes of a') },
      aListing('b', { hash: hashOf('new'), normalized: '{"affId":"b","dpeClasse":"C"}' }),
      aListing('c', { duties: dpe }),
    ]);
    expect(duties).toEqual({ 'fr-dpe': 2, 'fr-georisques': 1 });
  });

  it('counts missing duties by the current rules when only the rules have changed', async () => {
    const current = await published(aListing('a'));
    const duties = dutyMask('FR', ['fr-dpe']);
    const candidate = await assemble(current, [aListing('a', { hash: hashOf('under other rules'), duties })]);
    expect(candidate).toMatchObject({ isCurrent: true, duties: { 'fr-dpe': 1 }, rehashed: [{ versionId: 1, duties }] });
  });

  it('removes every listing when the feed has nothing to read', async () => {
    const current = await published(aListing('a'), aListing('b'));
    const assembly = new SnapshotAssembly(currentOf(current), new MemoryStore(), () => undefined);
    expect(await assembly.complete({ kind: 'whole' })).toMatchObject({ isCurrent: false, removed: 2, versionIds: [] });
  });

  it('counts one added, one changed and one removed listing, and stores the added and the changed listing', async () => {
    const current = await published(aListing('a'), aListing('b'), aListing('c'));
    const store = new MemoryStore();
    const candidate = await assemble(
      current,
      [
        { kind: 'unchanged', position: 1, hash: hashOf('bytes of a') },
        aListing('b', { hash: hashOf('new'), normalized: '{"affId":"b","prix":1}' }),
        aListing('d'),
      ],
      'whole',
      store,
    );
    expect(candidate).toMatchObject({ isCurrent: false, added: 1, changed: 1, removed: 1, unchanged: 1 });
    expect(candidate.versionIds).toEqual([1, 101, 102]);
    expect([...candidate.changes]).toEqual([
      { kind: 'changed', affId: 'b', versionId: 101, previousVersionId: 2, reason: null },
      { kind: 'added', affId: 'd', versionId: 102, previousVersionId: null, reason: null, isStored: true },
      { kind: 'removed', affId: 'c', versionId: null, previousVersionId: 3, reason: 'absent' },
    ]);
    expect(store.stored.map(({ affId, isAdded }) => [affId, isAdded])).toEqual([
      ['b', false],
      ['d', true],
    ]);
  });

  it('recognises unchanged content in changed bytes, and notes the hash of the new bytes', async () => {
    const current = await published(aListing('a'));
    const candidate = await assemble(current, [aListing('a', { hash: hashOf('as UTF-8') })]);
    expect(candidate).toMatchObject({ isCurrent: true, rehashed: [{ versionId: 1, recordHash: hashOf('as UTF-8') }] });
  });

  it('removes listings that the source deleted in a feed of changes, unless the feed contains them again', async () => {
    const current = await published(aListing('a'), aListing('b'), aListing('c'), aListing('d'));
    const assembly = new SnapshotAssembly(currentOf(current), new MemoryStore(), () => undefined);
    await assembly.begin();
    await assembly.take(aListing('c', { hash: hashOf('new'), normalized: '{"affId":"c","prix":1}' }));
    await assembly.take({ kind: 'unchanged', position: 2, hash: hashOf('bytes of d') });
    const { versionIds, changes } = await assembly.complete({ kind: 'delta', deleted: ['b', 'c', 'd', 'long gone'] });
    expect(versionIds).toEqual([1, 101, 4]);
    expect([...changes].map(({ affId, kind, reason }) => [affId, kind, reason])).toEqual([
      ['c', 'changed', null],
      ['b', 'removed', 'withdrawn'],
    ]);
  });

  it('makes a new snapshot when only the order has changed', async () => {
    const current = await published(aListing('a'), aListing('b'));
    const candidate = await assemble(current, [aListing('b'), aListing('a')]);
    expect(candidate).toMatchObject({ isCurrent: false, added: 0, changed: 0, removed: 0, versionIds: [2, 1] });
  });

  describe('with a large feed', () => {
    const BATCH = 200;
    const feed = Array.from({ length: 3 * BATCH }, (_, n) => aListing(`L${n}`));

    /** Stores or rejects each batch when the test says so. */
    class SlowStore extends MemoryStore {
      readonly waiting: ((failure?: Error) => void)[] = [];

      override async addVersions(versions: readonly NewVersion[]): Promise<number[]> {
        await new Promise<void>((resolve, reject) => {
          this.waiting.push((failure) => {
            if (failure === undefined) resolve();
            else reject(failure);
          });
        });
        return super.addVersions(versions);
      }
    }

    const begin = async (store: SlowStore): Promise<SnapshotAssembly> => {
      const assembly = new SnapshotAssembly(new CurrentVersions(), store, () => undefined);
      for (const outcome of feed.slice(0, -1)) await assembly.take(outcome);
      return assembly;
    };

    it('stores one batch at a time, while another batch waits and reading continues', async () => {
      const store = new SlowStore();
      const assembly = await begin(store);
      let isTaken = false;
      const last = assembly.take(feed.at(-1)!)?.then(() => (isTaken = true));
      await nextTurn();
      expect([store.waiting.length, store.stored.length, isTaken]).toEqual([1, 0, false]);
      store.waiting[0]!();
      await last;
      await nextTurn();
      expect([store.waiting.length, store.stored.length]).toEqual([2, BATCH]);
      store.waiting[1]!();
      await nextTurn();
      store.waiting[2]!();
      const { versionIds } = await assembly.complete({ kind: 'whole' });
      expect(versionIds.map((id) => store.stored[id - 101]?.affId)).toEqual(feed.map(({ affId }) => affId));
    });

    it('stores no batch after a failed batch', async () => {
      const store = new SlowStore();
      const assembly = await begin(store);
      store.waiting[0]!(new Error('the disk is full'));
      await expect(assembly.complete({ kind: 'whole' })).rejects.toThrow('the disk is full');
      await nextTurn();
      expect([store.waiting.length, store.stored.length]).toEqual([1, 0]);
    });
  });

  describe('with the same identifier twice in the feed', () => {
    const older = aListing('a', { hash: hashOf('1'), revision: '2024-01-01', raw: '{"n":1}' });
    const newer = aListing('a', { hash: hashOf('2'), revision: '2024-02-01', raw: '{"n":2}' });

    it('uses the later record, and reports the duplicate', async () => {
      const duplicates: string[] = [];
      const store = new MemoryStore();
      const feed = [
        aListing('a', { hash: hashOf('1') }),
        aListing('b'),
        aListing('a', { hash: hashOf('2'), raw: '{"n":2}' }),
      ];
      const { versionIds } = await assemble([], feed, 'whole', store, duplicates);
      expect(versionIds.map((id) => store.stored[id - 101]?.affId)).toEqual(['b', 'a']);
      expect(duplicates).toEqual(['a']);
    });

    it.each([
      ['first', [newer, older]],
      ['last', [older, newer]],
    ])('uses the newer revision when it comes %s', async (_where, feed) => {
      const store = new MemoryStore();
      const { versionIds } = await assemble([], feed, 'whole', store);
      expect(versionIds.map((id) => store.stored[id - 101]?.raw)).toEqual(['{"n":2}']);
    });

    it.each([
      ['equal', '2024-01-01', '2024-01-01'],
      ['only in the first record', '2024-01-01', null],
      ['only in the last record', null, '2024-01-01'],
    ])('uses the later record when the revisions are %s', async (_what, first, last) => {
      const store = new MemoryStore();
      const feed = [
        aListing('a', { hash: hashOf('1'), revision: first ?? undefined, raw: '{"n":1}' }),
        aListing('a', { hash: hashOf('2'), revision: last ?? undefined, raw: '{"n":2}' }),
      ];
      const { versionIds } = await assemble([], feed, 'whole', store);
      expect(versionIds.map((id) => store.stored[id - 101]?.raw)).toEqual(['{"n":2}']);
    });

    it('prefers an unchanged newer revision to an older one that was never stored', async () => {
      const current = await published(newer);
      const candidate = await assemble(current, [{ kind: 'unchanged', position: 1, hash: hashOf('2') }, older]);
      expect(candidate.isCurrent).toBe(true);
    });

    it('drops a version that was stored before a later record replaced it', async () => {
      const store = new MemoryStore();
      const many = Array.from({ length: 250 }, (_, n) => aListing(`x${n}`));
      const { versionIds } = await assemble(
        [],
        [...many, aListing('x0', { hash: hashOf('z'), raw: '{"n":2}' })],
        'whole',
        store,
      );
      expect(store.dropped).toEqual([101]);
      expect(versionIds).toHaveLength(250);
    });
  });

  describe('with a feed of changes', () => {
    it('keeps listings that the feed does not name at their positions', async () => {
      const current = await published(aListing('a'), aListing('b'), aListing('c'));
      const candidate = await assemble(
        current,
        [aListing('d'), aListing('b', { hash: hashOf('new'), raw: '{"n":2}' }), withdrawn('c'), withdrawn('unknown')],
        'delta',
      );
      expect(candidate).toMatchObject({ versionIds: [1, 102, 101], added: 1, changed: 1, removed: 1, unchanged: 1 });
    });

    it('applies a deletion and a change of one listing in the order of the file', async () => {
      const current = await published(aListing('a'), aListing('b'));
      const changed = aListing('a', { hash: hashOf('new'), raw: '{"n":2}' });
      expect(await assemble(current, [withdrawn('a'), changed], 'delta')).toMatchObject({ changed: 1, removed: 0 });
      expect(await assemble(current, [changed, withdrawn('a')], 'delta')).toMatchObject({ changed: 0, removed: 1 });
    });
  });

  describe('with a feed that lists whole scopes', () => {
    const twoAgencies = (): Promise<PlainVersion[]> =>
      published(
        aListing('a1', { scope: 'A' }),
        aListing('a2', { scope: 'A' }),
        aListing('b1', { scope: 'B' }),
        aListing('b2', { scope: 'B' }),
      );

    it('removes only listings of the scopes that the feed contains', async () => {
      const candidate = await assemble(await twoAgencies(), [aListing('a1', { scope: 'A' })], 'whole-scopes');
      expect(candidate).toMatchObject({ versionIds: [1, 3, 4], removed: 1 });
    });

    it('removes all listings of a scope that the feed names without listings', async () => {
      const candidate = await assemble(await twoAgencies(), [], { kind: 'whole-scopes', scopes: ['A'] });
      expect(candidate).toMatchObject({ versionIds: [3, 4], removed: 2 });
    });

    it('removes no absent listing of a scope that the feed does not declare as complete', async () => {
      const candidate = await assemble(
        await twoAgencies(),
        [aListing('a2', { scope: 'A' }), withdrawn('b1'), aListing('b3', { scope: 'B' })],
        { kind: 'whole-scopes', scopes: ['A'] },
      );
      expect(candidate).toMatchObject({ versionIds: [2, 4, 101], added: 1, removed: 2 });
    });

    it('counts a scope as contained when its records are already known', async () => {
      const known: RecordOutcome = { kind: 'unchanged', position: 1, hash: hashOf('bytes of b1') };
      const candidate = await assemble(await twoAgencies(), [known], 'whole-scopes');
      expect(candidate).toMatchObject({ versionIds: [1, 2, 3], removed: 1 });
      const both = await assemble(await twoAgencies(), [known, aListing('a3', { scope: 'A' })], 'whole-scopes');
      expect(both).toMatchObject({ versionIds: [101, 3], added: 1, removed: 3 });
    });

    it('changes nothing when the feed names no scope and contains no listing', async () => {
      const candidate = await assemble(await twoAgencies(), [], { kind: 'whole-scopes', scopes: [] });
      expect(candidate).toMatchObject({ isCurrent: true, unchanged: 4 });
    });

    it('keeps a scope at its position, in the order of the feed', async () => {
      const listed = [aListing('a3', { scope: 'A' }), aListing('a2', { scope: 'A' }), aListing('a1', { scope: 'A' })];
      const candidate = await assemble(await twoAgencies(), listed, { kind: 'whole-scopes', scopes: ['A'] });
      expect(candidate.versionIds).toEqual([101, 2, 1, 3, 4]);
    });
  });
});

describe('SnapshotAssembly during reading', () => {
  const start = async (store: MemoryStore): Promise<SnapshotAssembly> => {
    const assembly = new SnapshotAssembly(new CurrentVersions(), store, () => undefined);
    await assembly.begin();
    return assembly;
  };

  it('stores a batch when it has two hundred listings', async () => {
    const store = new MemoryStore();
    const assembly = await start(store);
    for (let n = 0; n < 199; n += 1) await assembly.take(aListing(`x${n}`));
    expect(store.stored).toHaveLength(0);
    await assembly.take(aListing('x199'));
    expect(store.stored).toHaveLength(200);
  });

  it('stores a batch when its texts have two million characters together', async () => {
    const store = new MemoryStore();
    const assembly = await start(store);
    await assembly.take(aListing('a', { normalized: 'x'.repeat(999_999), raw: 'y'.repeat(1_000_000) }));
    expect(store.stored).toHaveLength(0);
    await assembly.take(aListing('b', { normalized: 'x', raw: '' }));
    expect(store.stored).toHaveLength(2);
    await assembly.take(aListing('c', { normalized: 'x'.repeat(999_999), raw: 'y'.repeat(1_000_000) }));
    expect(store.stored).toHaveLength(2);
  });

  it('fails the run when a batch cannot be stored', async () => {
    const store = new MemoryStore();
    store.addVersions = () => Promise.reject(new Error('the disk is full'));
    const assembly = await start(store);
    for (let n = 0; n < 200; n += 1) await assembly.take(aListing(`x${n}`));
    await expect(assembly.complete({ kind: 'whole' })).rejects.toThrow('the disk is full');
  });

  it('requires an id for each stored version', async () => {
    const store = new MemoryStore();
    store.addVersions = () => Promise.resolve([]);
    const assembly = await start(store);
    await assembly.take(aListing('a'));
    await expect(assembly.complete({ kind: 'whole' })).rejects.toThrow('a listing version was not stored');
  });

  it('fails when an unchanged record has no version in the current snapshot', async () => {
    const assembly = await start(new MemoryStore());
    const outcome: RecordOutcome = { kind: 'unchanged', position: 1, hash: hashOf('nobody') };
    expect(() => assembly.take(outcome)).toThrow('an unchanged record is not in the current snapshot');
  });

  it('passes all data of a listing to the store', async () => {
    const store = new MemoryStore();
    const assembly = await start(store);
    await assembly.take(
      aListing('a', {
        affNum: 'R1',
        scope: 'north',
        revision: '2024-01-01',
        fill: 5,
        empreinte: 'e',
        photosEmpreinte: 'p',
      }),
    );
    await assembly.take(aListing('b'));
    await assembly.complete({ kind: 'whole' });
    expect(store.stored).toEqual([
      {
        ...{ affId: 'a', affNum: 'R1', scope: 'north', recordHash: hashOf('bytes of a'), revision: '2024-01-01' },
        ...{ fill: 5, duties: 0, empreinte: 'e', photosEmpreinte: 'p', normalized: '{"affId":"a"}', raw: '{}' },
        search: { fields: Buffer.from('{}'), words: Buffer.alloc(0) },
        contentHash: hashOf('{"affId":"a"} {}'),
        isAdded: true,
      },
      expect.objectContaining({ affId: 'b', affNum: null, revision: null }),
    ]);
  });
});
