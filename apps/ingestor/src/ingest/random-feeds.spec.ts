import type { RecordOutcome } from '@passerelle/connectors';
import type { NewVersion } from '@passerelle/database';
import { countFills } from '@passerelle/domain';
import { seeded } from '../../../../test/support/seeded';
import type { PlainVersion } from '../../../../test/support/ingest/reused-versions';
import {
  aListing,
  assemble,
  hashOf,
  type ListingOutcome,
  MemoryStore,
  published,
  withdrawn,
} from '../../../../test/support/ingest/assembly';

/** Computes the expected result of the assembly with the simplest code, which searches lists from the beginning. */
class NaiveAssembly {
  readonly duplicates: string[] = [];
  private entries: {
    affId: string;
    current: PlainVersion | null;
    listing: ListingOutcome | null;
    revision: string | null;
  }[] = [];
  private readonly withdrawn = new Set<string>();
  private readonly rejected = new Set<string>();

  constructor(private readonly current: readonly PlainVersion[]) {}

  take(outcome: RecordOutcome): void {
    if (outcome.kind === 'rejected') {
      if (outcome.rejection.recordId !== undefined) this.rejected.add(outcome.rejection.recordId);
    } else if (outcome.kind === 'withdrawn') {
      this.entries = this.entries.filter(({ affId }) => affId !== outcome.affId);
      this.withdrawn.add(outcome.affId);
    } else if (outcome.kind === 'unchanged') {
      const known = this.current.find(({ recordHash }) => recordHash === outcome.hash)!;
      this.place({ affId: known.affId, current: known, listing: null, revision: known.revision || null });
    } else {
      const known = this.current.find(({ affId }) => affId === outcome.affId);
      const isSame = known !== undefined && known.contentHash === outcome.contentHash;
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

  /** The expected candidate, with the text of each new version instead of its id. */
  complete() {
    const fill = countFills(this.entries.map(({ current, listing }) => current?.fill ?? listing?.fill ?? 0));
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
      versions: this.entries.map(({ current, listing }) => current?.id ?? listing?.raw.toString()),
      reasons: gone.map(({ affId }) => [
        affId,
        this.withdrawn.has(affId) ? 'withdrawn' : this.rejected.has(affId) ? 'rejected' : 'absent',
      ]),
    };
  }
}

/** Stores versions slowly, so that a later record of the feed may replace one that is still being stored. */
class SlowStore extends MemoryStore {
  override async addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return super.addVersions(versions);
  }
}

describe('SnapshotAssembly with random feeds', () => {
  const original = (affId: string, fill: number): ListingOutcome =>
    aListing(affId, { fill, raw: `{"n":"${affId}"}`, revision: fill % 3 === 0 ? '2024-05-01' : undefined });

  it.each(Array.from({ length: 30 }, (_, seed) => [seed + 1]))(
    'produces the same list as a plain implementation, from seed %i',
    async (seed) => {
      const below = seeded(seed);
      const idOf = (): string => `id${below(260)}`;
      const known = new Set(Array.from({ length: below(200) }, idOf));
      const before = await published(...[...known].map((affId, n) => original(affId, n % 16)));
      // Ids that differ from the ids of all new versions.
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
      const store = new SlowStore();
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
      // Each stored version is either listed or dropped, once.
      const listed = candidate.versionIds.filter(isStored);
      expect([...listed, ...store.dropped].sort((a, b) => a - b)).toEqual(store.stored.map((_, n) => 101 + n));
    },
  );
});
