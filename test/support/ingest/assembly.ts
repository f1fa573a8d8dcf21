import { createHash } from 'node:crypto';
import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { NewVersion } from '@passerelle/database';
import { handOut, type PlainVersion } from './reused-versions';
import { CurrentVersions } from '../../../apps/ingestor/src/ingest/current-versions';
import { SnapshotAssembly } from '../../../apps/ingestor/src/ingest/snapshot-assembly';
import type { KeepingRule } from '../../../apps/ingestor/src/ingest/unreadable-records';
import type { VersionStore } from '../../../apps/ingestor/src/ingest/version-batches';

export type ListingOutcome = Extract<RecordOutcome, { kind: 'listing' }>;

type Texts<T> = Omit<T, 'normalized' | 'raw'> & { normalized: string; raw: string };

/** Gives versions the ids 101, 102 and so on. Keeps stored and dropped versions for assertions. */
export class MemoryStore implements VersionStore {
  stored: Texts<NewVersion>[] = [];
  dropped: number[] = [];

  addVersions(versions: readonly NewVersion[]): Promise<number[]> {
    return Promise.resolve(
      versions.map((version) => {
        const { normalized, raw } = version;
        return 100 + this.stored.push({ ...version, normalized: normalized.toString(), raw: raw.toString() });
      }),
    );
  }

  dropVersions(ids: readonly number[]): Promise<void> {
    this.dropped.push(...ids);
    return Promise.resolve();
  }
}

export const hashOf = (text: string): string => createHash('md5').update(text).digest('hex');

export function aListing(affId: string, overrides: Partial<Texts<ListingOutcome>> = {}): ListingOutcome {
  const { normalized = `{"affId":"${affId}"}`, raw = '{}', ...others } = overrides;
  return {
    kind: 'listing',
    position: 1,
    hash: hashOf(`bytes of ${affId}`),
    affId,
    affNum: undefined,
    scope: '',
    revision: undefined,
    fill: 1,
    duties: 0,
    empreinte: '',
    photosEmpreinte: null,
    contentHash: hashOf(`${normalized} ${raw}`),
    normalized: Buffer.from(normalized),
    raw: Buffer.from(raw),
    searchFields: Buffer.from('{}'),
    searchWords: Buffer.alloc(0),
    ...others,
  };
}

export const withdrawn = (affId: string): RecordOutcome => ({
  kind: 'withdrawn',
  position: 1,
  affId,
  scope: '',
  rejection: { position: 1, code: 'withdrawn', message: 'sold' },
});

/** The versions that exist after a feed with the given listings. */
export async function published(...outcomes: RecordOutcome[]): Promise<PlainVersion[]> {
  const store = new MemoryStore();
  const { versionIds } = await assemble([], outcomes, 'whole', store);
  return versionIds.map((id) => {
    const version = store.stored[id - 101];
    if (version === undefined) throw new Error('not stored');
    return { id: id - 100, ...version, duties: version.duties ?? 0, revision: version.revision ?? '' };
  });
}

/** The current versions in the form in which the database returns them. */
export function currentOf(versions: readonly PlainVersion[]): CurrentVersions {
  return new CurrentVersions((take) => {
    for (const version of versions) handOut(version, take);
    return Promise.resolve();
  });
}

export async function assemble(
  current: PlainVersion[],
  outcomes: RecordOutcome[],
  coverage: Exclude<FeedCoverage['kind'], 'asked'> | FeedCoverage = 'whole',
  store = new MemoryStore(),
  duplicates: string[] = [],
  rule?: KeepingRule,
): ReturnType<SnapshotAssembly['complete']> {
  const assembly = new SnapshotAssembly(currentOf(current), store, (affId) => duplicates.push(affId), rule);
  await assembly.begin();
  for (const outcome of outcomes) await assembly.take(outcome);
  return assembly.complete(typeof coverage === 'string' ? { kind: coverage } : coverage);
}
