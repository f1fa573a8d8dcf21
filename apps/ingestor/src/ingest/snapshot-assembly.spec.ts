import { createHash } from 'node:crypto';
import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { CurrentVersion, NewVersion } from '@passerelle/database';
import { countFill, emptyFillCounts } from '@passerelle/domain';
import { CurrentVersions } from './current-versions';
import { SnapshotAssembly, type VersionStore } from './snapshot-assembly';

type ListingOutcome = Extract<RecordOutcome, { kind: 'listing' }>;

/** Versions get the ids 101, 102 …; what is stored and dropped is kept for a look. */
class MemoryStore implements VersionStore {
  stored: NewVersion[] = [];
  dropped: number[] = [];

  addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    return Promise.resolve(versions.map((version) => 100 + this.stored.push(version)));
  }

  dropVersions(ids: readonly number[]): Promise<void> {
    this.dropped.push(...ids);
    return Promise.resolve();
  }
}

const hashOf = (text: string): string => createHash('md5').update(text).digest('hex');

function aListing(affId: string, overrides: Partial<ListingOutcome> = {}): ListingOutcome {
  return {
    kind: 'listing',
    position: 1,
    hash: hashOf(`bytes of ${affId}`),
    affId,
    affNum: undefined,
    scope: '',
    revision: undefined,
    fill: 1,
    empreinte: '',
    photosEmpreinte: null,
    normalized: `{"affId":"${affId}"}`,
    raw: '{}',
    ...overrides,
  };
}

const withdrawn = (affId: string): RecordOutcome => ({
  kind: 'withdrawn',
  position: 1,
  affId,
  scope: '',
  rejection: { position: 1, code: 'withdrawn', message: 'sold' },
});

/** The versions that a feed of these listings leaves behind. */
async function published(...outcomes: RecordOutcome[]): Promise<CurrentVersion[]> {
  const store = new MemoryStore();
  const { versionIds } = await assemble([], outcomes, 'whole', store);
  return versionIds.map((id) => {
    const version = store.stored[id - 101];
    if (version === undefined) throw new Error('not stored');
    return { id: id - 100, ...version };
  });
}

async function assemble(
  current: CurrentVersion[],
  outcomes: RecordOutcome[],
  coverage: FeedCoverage['kind'] | FeedCoverage = 'whole',
  store = new MemoryStore(),
  duplicates: string[] = [],
): ReturnType<SnapshotAssembly['complete']> {
  const assembly = new SnapshotAssembly(new CurrentVersions([current]), store, (affId) => duplicates.push(affId));
  await assembly.begin();
  for (const outcome of outcomes) await assembly.take(outcome);
  return assembly.complete(typeof coverage === 'string' ? { kind: coverage } : coverage);
}

describe('assembling a snapshot', () => {
  it('says why a listing is gone: withdrawn, unreadable, or simply not there', async () => {
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

  it('stores nothing for a feed that is as it was', async () => {
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

  it('removes every listing when the feed had nothing to read', async () => {
    const current = await published(aListing('a'), aListing('b'));
    const assembly = new SnapshotAssembly(new CurrentVersions([current]), new MemoryStore(), () => undefined);
    expect(await assembly.complete({ kind: 'whole' })).toMatchObject({ isCurrent: false, removed: 2, versionIds: [] });
  });

  it('counts one added, one changed and one removed as 1/1/1 and stores only the two', async () => {
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
      { kind: 'added', affId: 'd', versionId: 102, previousVersionId: null, reason: null },
      { kind: 'removed', affId: 'c', versionId: null, previousVersionId: 3, reason: 'absent' },
    ]);
  });

  it('knows a listing whose bytes changed and whose content did not, and notes the new bytes', async () => {
    const current = await published(aListing('a'));
    const candidate = await assemble(current, [aListing('a', { hash: hashOf('as UTF-8') })]);
    expect(candidate).toMatchObject({ isCurrent: true, rehashed: [{ versionId: 1, recordHash: hashOf('as UTF-8') }] });
  });

  it('is another snapshot when only the order changed', async () => {
    const current = await published(aListing('a'), aListing('b'));
    const candidate = await assemble(current, [aListing('b'), aListing('a')]);
    expect(candidate).toMatchObject({ isCurrent: false, added: 0, changed: 0, removed: 0, versionIds: [2, 1] });
  });

  describe('of a feed with one identifier twice', () => {
    const older = aListing('a', { hash: hashOf('1'), revision: '2024-01-01', raw: '{"n":1}' });
    const newer = aListing('a', { hash: hashOf('2'), revision: '2024-02-01', raw: '{"n":2}' });

    it('lets the later record win, and says so', async () => {
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
    ])('lets the newer revision win when it comes %s', async (_where, feed) => {
      const store = new MemoryStore();
      const { versionIds } = await assemble([], feed, 'whole', store);
      expect(versionIds.map((id) => store.stored[id - 101]?.raw)).toEqual(['{"n":2}']);
    });

    it.each([
      ['equal', '2024-01-01', '2024-01-01'],
      ['only in the first', '2024-01-01', null],
      ['only in the last', null, '2024-01-01'],
    ])('lets the later record win when the revisions are %s', async (_what, first, last) => {
      const store = new MemoryStore();
      const feed = [
        aListing('a', { hash: hashOf('1'), revision: first ?? undefined, raw: '{"n":1}' }),
        aListing('a', { hash: hashOf('2'), revision: last ?? undefined, raw: '{"n":2}' }),
      ];
      const { versionIds } = await assemble([], feed, 'whole', store);
      expect(versionIds.map((id) => store.stored[id - 101]?.raw)).toEqual(['{"n":2}']);
    });

    it('lets a newer revision that is unchanged win over an older one that was never kept', async () => {
      const current = await published(newer);
      const candidate = await assemble(current, [{ kind: 'unchanged', position: 1, hash: hashOf('2') }, older]);
      expect(candidate.isCurrent).toBe(true);
    });

    it('drops a version that was stored before a later record took its place', async () => {
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

  describe('of a feed that says what changed', () => {
    it('keeps what is not named, in its place', async () => {
      const current = await published(aListing('a'), aListing('b'), aListing('c'));
      const candidate = await assemble(
        current,
        [aListing('d'), aListing('b', { hash: hashOf('new'), raw: '{"n":2}' }), withdrawn('c'), withdrawn('unknown')],
        'delta',
      );
      expect(candidate).toMatchObject({ versionIds: [1, 102, 101], added: 1, changed: 1, removed: 1, unchanged: 1 });
    });

    it('lets the order of the file decide between a deletion and a change of one listing', async () => {
      const current = await published(aListing('a'), aListing('b'));
      const changed = aListing('a', { hash: hashOf('new'), raw: '{"n":2}' });
      expect(await assemble(current, [withdrawn('a'), changed], 'delta')).toMatchObject({ changed: 1, removed: 0 });
      expect(await assemble(current, [changed, withdrawn('a')], 'delta')).toMatchObject({ changed: 0, removed: 1 });
    });
  });

  describe('of a feed that lists whole scopes', () => {
    const twoAgencies = (): Promise<CurrentVersion[]> =>
      published(
        aListing('a1', { scope: 'A' }),
        aListing('a2', { scope: 'A' }),
        aListing('b1', { scope: 'B' }),
        aListing('b2', { scope: 'B' }),
      );

    it('removes only listings of the scopes that were met', async () => {
      const candidate = await assemble(await twoAgencies(), [aListing('a1', { scope: 'A' })], 'whole-scopes');
      expect(candidate).toMatchObject({ versionIds: [1, 3, 4], removed: 1 });
    });

    it('removes all listings of a named scope of which nothing was met', async () => {
      const candidate = await assemble(await twoAgencies(), [], { kind: 'whole-scopes', scopes: ['A'] });
      expect(candidate).toMatchObject({ versionIds: [3, 4], removed: 2 });
    });

    it('takes scopes that were met and not named for changes only', async () => {
      const candidate = await assemble(
        await twoAgencies(),
        [aListing('a2', { scope: 'A' }), withdrawn('b1'), aListing('b3', { scope: 'B' })],
        { kind: 'whole-scopes', scopes: ['A'] },
      );
      expect(candidate).toMatchObject({ versionIds: [2, 4, 101], added: 1, removed: 2 });
    });

    it('changes nothing when no scope is named and nothing is in the feed', async () => {
      const candidate = await assemble(await twoAgencies(), [], { kind: 'whole-scopes', scopes: [] });
      expect(candidate).toMatchObject({ isCurrent: true, unchanged: 4 });
    });

    it('keeps a scope where it stands, in the order of the feed', async () => {
      const listed = [aListing('a3', { scope: 'A' }), aListing('a2', { scope: 'A' }), aListing('a1', { scope: 'A' })];
      const candidate = await assemble(await twoAgencies(), listed, { kind: 'whole-scopes', scopes: ['A'] });
      expect(candidate.versionIds).toEqual([101, 2, 1, 3, 4]);
    });
  });
});

/** What the assembly must come to, said as plainly as possible: with lists that are searched from their beginning. */
class NaiveAssembly {
  readonly duplicates: string[] = [];
  private entries: {
    affId: string;
    current: CurrentVersion | null;
    listing: ListingOutcome | null;
    revision: string | null;
  }[] = [];
  private readonly withdrawn = new Set<string>();
  private readonly rejected = new Set<string>();

  constructor(private readonly current: readonly CurrentVersion[]) {}

  take(outcome: RecordOutcome): void {
    if (outcome.kind === 'rejected') {
      if (outcome.rejection.recordId !== undefined) this.rejected.add(outcome.rejection.recordId);
    } else if (outcome.kind === 'withdrawn') {
      this.entries = this.entries.filter(({ affId }) => affId !== outcome.affId);
      this.withdrawn.add(outcome.affId);
    } else if (outcome.kind === 'unchanged') {
      const known = this.current.find(({ recordHash }) => recordHash === outcome.hash)!;
      this.place({ affId: known.affId, current: known, listing: null, revision: known.revision });
    } else {
      const known = this.current.find(({ affId }) => affId === outcome.affId);
      const isSame = known !== undefined && contentOf(known.affId) === `${outcome.normalized} ${outcome.raw}`;
      const version = isSame ? { current: known, listing: null } : { current: null, listing: outcome };
      this.place({ affId: outcome.affId, ...version, revision: outcome.revision ?? null });
    }
  }

  private place(entry: (typeof this.entries)[number]): void {
    const earlier = this.entries.find(({ affId }) => affId === entry.affId);
    if (earlier !== undefined) {
      this.duplicates.push(entry.affId);
      if (earlier.revision !== null && entry.revision !== null && entry.revision < earlier.revision) return;
    }
    this.entries = [...this.entries.filter((other) => other !== earlier), entry];
    this.withdrawn.delete(entry.affId);
  }

  /** With the text of a new version instead of its id. */
  complete() {
    const fill = emptyFillCounts();
    for (const { current, listing } of this.entries) countFill(fill, current?.fill ?? listing?.fill ?? 0);
    const isNew = ({ affId }: { affId: string }): boolean => !this.current.some((known) => known.affId === affId);
    const added = this.entries.filter(isNew).length;
    const changed = this.entries.filter((entry) => entry.current === null && !isNew(entry)).length;
    const gone = this.current.filter(({ affId }) => !this.entries.some((entry) => entry.affId === affId));
    return {
      fill,
      added,
      changed,
      unchanged: this.entries.length - added - changed,
      removed: gone.length,
      isCurrent:
        this.entries.length === this.current.length &&
        this.entries.every(({ current }, at) => current !== null && current.id === this.current[at]?.id),
      versions: this.entries.map(({ current, listing }) => current?.id ?? listing?.raw),
      reasons: gone.map(({ affId }) => [
        affId,
        this.withdrawn.has(affId) ? 'withdrawn' : this.rejected.has(affId) ? 'rejected' : 'absent',
      ]),
    };
  }
}

const contentOf = (affId: string): string => `{"affId":"${affId}"} {"n":"${affId}"}`;

describe('random feeds', () => {
  /** A generator of numbers from 0 to below `n`, the same for the same seed. */
  function numbers(seed: number): (n: number) => number {
    let state = Math.imul(seed, 2_654_435_761) >>> 0;
    return (n) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
  }

  const original = (affId: string, fill: number): ListingOutcome =>
    aListing(affId, { fill, raw: `{"n":"${affId}"}`, revision: fill % 3 === 0 ? '2024-05-01' : undefined });

  it.each(Array.from({ length: 30 }, (_, seed) => [seed + 1]))('come to what plain lists come to: %i', async (seed) => {
    const below = numbers(seed);
    const idOf = (): string => `id${below(260)}`;
    const known = new Set(Array.from({ length: below(200) }, idOf));
    const before = await published(...[...known].map((affId, n) => original(affId, n % 16)));
    // Ids that no new version gets.
    const current = before.map((version) => ({ ...version, id: 10_000 + version.id }));
    const feed = Array.from({ length: below(700) }, (_, n): RecordOutcome => {
      const affId = idOf();
      const kind = below(10);
      const at = current.find((version) => version.affId === affId);
      if (kind < 4 && at !== undefined) return { kind: 'unchanged', position: n, hash: at.recordHash };
      if (kind === 4) return withdrawn(affId);
      if (kind === 5) {
        const rejection = {
          position: n,
          code: 'malformed' as const,
          message: 'odd',
          ...(below(4) > 0 && { recordId: affId }),
        };
        return { kind: 'rejected', position: n, rejection };
      }
      if (kind === 6 && at !== undefined)
        return { ...original(affId, at.fill), hash: hashOf(`other bytes ${n}`), revision: undefined };
      const revision = [undefined, '2024-04-01', '2024-05-01', '2024-06-01'][below(4)];
      return aListing(affId, { hash: hashOf(`new ${n}`), raw: `{"n":${n}}`, fill: below(16), revision });
    });

    const naive = new NaiveAssembly(current);
    for (const outcome of feed) naive.take(outcome);
    const expected = naive.complete();
    const store = new MemoryStore();
    const duplicates: string[] = [];
    const candidate = await assemble(current, feed, 'whole', store, duplicates);

    const isStored = (id: number): boolean => id < 10_000;
    const textOf = (id: number) => (isStored(id) ? store.stored[id - 101]?.raw : id);
    const { versions, reasons, ...counts } = expected;
    expect(candidate).toMatchObject(counts);
    expect(candidate.versionIds.map(textOf)).toEqual(versions);
    expect(duplicates).toEqual(naive.duplicates);
    const changes = [...candidate.changes];
    expect(changes.filter(({ kind }) => kind === 'removed').map(({ affId, reason }) => [affId, reason])).toEqual(
      reasons,
    );
    expect(changes.filter(({ kind }) => kind === 'added')).toHaveLength(counts.added);
    expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(counts.changed);
    // Whatever was stored is listed or dropped, once.
    const listed = candidate.versionIds.filter(isStored);
    expect([...listed, ...store.dropped].sort((a, b) => a - b)).toEqual(store.stored.map((_, n) => 101 + n));
  });
});

describe('what is stored while the feed is read', () => {
  const start = async (store: MemoryStore): Promise<SnapshotAssembly> => {
    const assembly = new SnapshotAssembly(new CurrentVersions([]), store, () => undefined);
    await assembly.begin();
    return assembly;
  };

  it('waits for two hundred listings', async () => {
    const store = new MemoryStore();
    const assembly = await start(store);
    for (let n = 0; n < 199; n += 1) await assembly.take(aListing(`x${n}`));
    expect(store.stored).toHaveLength(0);
    await assembly.take(aListing('x199'));
    expect(store.stored).toHaveLength(200);
  });

  it('waits for two million characters at most, of both texts together', async () => {
    const store = new MemoryStore();
    const assembly = await start(store);
    await assembly.take(aListing('a', { normalized: 'x'.repeat(999_999), raw: 'y'.repeat(1_000_000) }));
    expect(store.stored).toHaveLength(0);
    await assembly.take(aListing('b', { normalized: 'x', raw: '' }));
    expect(store.stored).toHaveLength(2);
    await assembly.take(aListing('c', { normalized: 'x'.repeat(999_999), raw: 'y'.repeat(1_000_000) }));
    expect(store.stored).toHaveLength(2);
  });

  it('fails the run when it cannot be stored', async () => {
    const store = new MemoryStore();
    store.addVersions = () => Promise.reject(new Error('the disk is full'));
    const assembly = await start(store);
    for (let n = 0; n < 200; n += 1) await assembly.take(aListing(`x${n}`));
    await expect(assembly.complete({ kind: 'whole' })).rejects.toThrow('the disk is full');
  });

  it('must have an id for each version', async () => {
    const store = new MemoryStore();
    store.addVersions = () => Promise.resolve([]);
    const assembly = await start(store);
    await assembly.take(aListing('a'));
    await expect(assembly.complete({ kind: 'whole' })).rejects.toThrow('a listing version was not stored');
  });

  it('is refused when a record is said to be unchanged and is not there', async () => {
    const assembly = await start(new MemoryStore());
    const outcome: RecordOutcome = { kind: 'unchanged', position: 1, hash: hashOf('nobody') };
    await expect(assembly.take(outcome)).rejects.toThrow('an unchanged record is not in the current snapshot');
  });

  it('has everything that is known of a listing', async () => {
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
        ...{ fill: 5, empreinte: 'e', photosEmpreinte: 'p', normalized: '{"affId":"a"}', raw: '{}' },
        contentHash: createHash('sha256').update('{"affId":"a"}\0{}').digest('hex').slice(0, 32),
      },
      expect.objectContaining({ affId: 'b', affNum: null, revision: null }),
    ]);
  });
});
