import { createHash } from 'node:crypto';
import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { HeldVersion, ListingChange, NewVersion } from '@passerelle/database';
import { countFill, emptyFillCounts, type FillCounts } from '@passerelle/domain';

/** Where new listing versions go while a snapshot is assembled. */
export interface VersionStore {
  /** @returns their ids, in the same order. */
  addVersions(versions: readonly NewVersion[]): Promise<number[]>;
  dropVersions(versionIds: readonly number[]): Promise<void>;
}

/** A snapshot as it would be published, compared with the current one. */
export interface Candidate {
  versionIds: number[];
  fill: FillCounts;
  changes: ListingChange[];
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** The feed is all of scopes that the current snapshot does not have, and leaves those that it has in place. */
  isForeign: boolean;
  /** Nothing to write: the same versions in the same order as now. */
  isCurrent: boolean;
  /** Versions of the current snapshot that other bytes than before have become. */
  rehashed: { versionId: number; recordHash: string }[];
}

/**
 * A listing in its place in the snapshot that is being assembled. `id` is its version's, null until its batch is stored.
 * Listings that stay as they are stand for themselves: there may be hundreds of thousands.
 */
type Place = Omit<HeldVersion, 'id' | 'recordHash' | 'contentHash'> & { id: number | null };

interface NewPlace {
  place: Place;
  version: NewVersion;
}

/** New versions are stored in batches of at most so many listings, or so many characters of JSON. */
const BATCH_LISTINGS = 200;
const BATCH_CHARACTERS = 2_000_000;

/**
 * Puts a snapshot together from the outcomes of a feed, in the feed's order, and stores what is new of it on the way.
 * Holds identifiers and hashes only, never a listing's text beyond the batch under way.
 */
export class SnapshotAssembly {
  private readonly currentById = new Map<string, HeldVersion>();
  private readonly currentByHash = new Map<string, HeldVersion>();
  /** Null where a later record of the same feed removed the listing again. */
  private readonly places: (Place | null)[] = [];
  private readonly positionById = new Map<string, number>();
  private readonly withdrawn = new Set<string>();
  private readonly scopes = new Set<string>();
  private readonly rehashed = new Map<number, string>();
  private batch: NewPlace[] = [];
  private batchCharacters = 0;
  private storing: Promise<void> = Promise.resolve();
  /** Removed from their place before they were stored. */
  private readonly vacated = new Set<Place>();
  private orphans: number[] = [];

  constructor(
    private readonly current: readonly HeldVersion[],
    private readonly store: VersionStore,
    private readonly onDuplicate: (affId: string) => void,
  ) {
    for (const version of current) {
      this.currentById.set(version.affId, version);
      if (version.recordHash !== '') this.currentByHash.set(version.recordHash, version);
    }
  }

  /** Whether a record with this hash is a listing of the current snapshot as it stands. */
  isKnown(recordHash: string): boolean {
    return this.currentByHash.has(recordHash);
  }

  /** Takes the next outcome of the feed, in its order. */
  async take(outcome: RecordOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'unchanged': {
        const version = this.currentByHash.get(outcome.hash);
        if (version === undefined) throw new Error('an unchanged record is not in the current snapshot');
        this.keep(version, version.revision);
        return;
      }
      case 'listing':
        await this.takeListing(outcome);
        return;
      case 'withdrawn':
        this.scopes.add(outcome.scope);
        this.vacate(outcome.affId);
        this.withdrawn.add(outcome.affId);
        return;
      case 'rejected':
        return;
    }
  }

  /** Stores what is left, and compares the whole with the current snapshot. */
  async complete(coverage: FeedCoverage): Promise<Candidate> {
    await this.flush();
    await this.storing;
    const listed = this.arrange(coverage);
    const versionIds = listed.map(({ id }) => storedId(id));
    if (this.orphans.length > 0) await this.store.dropVersions(this.orphans);
    const isForeign = coverage.kind !== 'whole' && this.isForeign();
    return { ...this.compare(listed, versionIds), versionIds, isForeign, rehashed: this.listRehashed() };
  }

  private isForeign(): boolean {
    const known = new Set(this.current.map(({ scope }) => scope));
    return known.size > 0 && this.scopes.size > 0 && ![...this.scopes].some((scope) => known.has(scope));
  }

  private async takeListing(outcome: Extract<RecordOutcome, { kind: 'listing' }>): Promise<void> {
    const contentHash = hashContent(outcome.normalized, outcome.raw);
    const held = this.currentById.get(outcome.affId);
    const revision = outcome.revision ?? null;
    if (held?.contentHash === contentHash) {
      if (this.keep(held, revision) && held.recordHash !== outcome.hash) this.rehashed.set(held.id, outcome.hash);
      return;
    }
    const place = this.settle({
      affId: outcome.affId,
      scope: outcome.scope,
      revision,
      fill: outcome.fill,
      id: null,
    });
    if (place === null) return;
    this.batch.push({
      place,
      version: {
        affId: outcome.affId,
        affNum: outcome.affNum ?? null,
        scope: outcome.scope,
        recordHash: outcome.hash,
        contentHash,
        revision,
        fill: outcome.fill,
        normalized: outcome.normalized,
        raw: outcome.raw,
      },
    });
    this.batchCharacters += outcome.normalized.length + outcome.raw.length;
    if (this.batch.length >= BATCH_LISTINGS || this.batchCharacters >= BATCH_CHARACTERS) await this.flush();
  }

  /** @returns whether the version has a place now. */
  private keep(version: HeldVersion, revision: string | null): boolean {
    return this.settle(version.revision === revision ? version : { ...version, revision }) !== null;
  }

  /** Gives a listing the next place; null when an earlier record of the feed has the better claim to the identifier. */
  private settle(place: Place): Place | null {
    const { affId, scope, revision } = place;
    const earlier = this.placeOf(affId);
    if (earlier !== null) {
      this.onDuplicate(affId);
      if (earlier.revision !== null && revision !== null && revision < earlier.revision) return null;
      this.vacate(affId);
    }
    this.withdrawn.delete(affId);
    this.scopes.add(scope);
    this.positionById.set(affId, this.places.push(place) - 1);
    return place;
  }

  private placeOf(affId: string): Place | null {
    const position = this.positionById.get(affId);
    return position === undefined ? null : (this.places[position] ?? null);
  }

  private vacate(affId: string): void {
    const position = this.positionById.get(affId);
    const place = this.placeOf(affId);
    if (position === undefined || place === null) return;
    this.places[position] = null;
    this.positionById.delete(affId);
    // One that is still on its way to the store is an orphan when it arrives.
    if (place.id === null) this.vacated.add(place);
    else if (this.currentById.get(affId)?.id !== place.id) this.orphans.push(place.id);
  }

  /** Sends the batch off. One batch may be on its way while the feed is read on; a second waits for it. */
  private async flush(): Promise<void> {
    await this.storing;
    const batch = this.batch.filter(({ place }) => !this.vacated.has(place));
    this.batch = [];
    this.batchCharacters = 0;
    if (batch.length === 0) return;
    this.storing = this.storeBatch(batch);
    // Whoever waits for it next hears of a failure; until then it must not count as unhandled.
    this.storing.catch(() => undefined);
  }

  private async storeBatch(batch: readonly NewPlace[]): Promise<void> {
    const ids = await this.store.addVersions(batch.map(({ version }) => version));
    batch.forEach(({ place }, index) => {
      place.id = ids[index] ?? null;
      if (this.vacated.has(place) && place.id !== null) this.orphans.push(place.id);
    });
  }

  /**
   * The places of the new snapshot, in its order. A scope of which the feed lists everything stands where it stood, in
   * the feed's order; what the feed does not speak of keeps its place, what it changes does too; what is new comes last.
   */
  private arrange(coverage: FeedCoverage): Place[] {
    const inFeed = this.places.filter((place) => place !== null);
    if (coverage.kind === 'whole') return inFeed;
    const wholeScopes = this.wholeScopes(coverage, inFeed);
    const arranged = new Map<string, Place>();
    const put = (place: Place): void => {
      if (!arranged.has(place.affId)) arranged.set(place.affId, place);
    };
    for (const version of this.current) {
      const listed = wholeScopes.get(version.scope);
      if (listed !== undefined) {
        for (const place of listed) put(place);
        // Put once: what follows of this scope in the current snapshot is there already, or gone.
        listed.length = 0;
        continue;
      }
      const place = this.placeOf(version.affId);
      if (place !== null) put(place);
      else if (!this.withdrawn.has(version.affId)) put(version);
    }
    for (const place of inFeed) put(place);
    return [...arranged.values()];
  }

  /** The scopes whose absent listings are gone, with the listings that are there. */
  private wholeScopes(coverage: FeedCoverage, inFeed: readonly Place[]): Map<string, Place[]> {
    if (coverage.kind !== 'whole-scopes') return new Map();
    const wholeScopes = new Map<string, Place[]>();
    for (const scope of coverage.scopes ?? this.scopes) wholeScopes.set(scope, []);
    for (const place of inFeed) wholeScopes.get(place.scope)?.push(place);
    return wholeScopes;
  }

  private compare(
    listed: readonly Place[],
    versionIds: readonly number[],
  ): Omit<Candidate, 'versionIds' | 'isForeign' | 'rehashed'> {
    const fill = emptyFillCounts();
    const changes: ListingChange[] = [];
    const kept = new Set<string>();
    let added = 0;
    let changed = 0;
    listed.forEach(({ affId, fill: mask }, index) => {
      const versionId = versionIds[index] ?? null;
      const held = this.currentById.get(affId);
      countFill(fill, mask);
      if (held === undefined) {
        added += 1;
        changes.push({ kind: 'added', affId, versionId, previousVersionId: null });
        return;
      }
      kept.add(affId);
      if (held.id !== versionId) {
        changed += 1;
        changes.push({ kind: 'changed', affId, versionId, previousVersionId: held.id });
      }
    });
    for (const { affId, id } of this.current) {
      if (kept.has(affId)) continue;
      changes.push({ kind: 'removed', affId, versionId: null, previousVersionId: id });
    }
    const removed = changes.length - added - changed;
    const isCurrent = changes.length === 0 && this.current.every((version, index) => version.id === versionIds[index]);
    return { fill, changes, added, changed, unchanged: listed.length - added - changed, removed, isCurrent };
  }

  private listRehashed(): Candidate['rehashed'] {
    return [...this.rehashed].map(([versionId, recordHash]) => ({ versionId, recordHash }));
  }
}

function storedId(versionId: number | null): number {
  if (versionId === null) throw new Error('a listing version was not stored');
  return versionId;
}

/** The same texts, the same hash: what makes two records one version. */
function hashContent(normalized: string, raw: string): string {
  return createHash('sha256').update(normalized).update('\0').update(raw).digest('hex').slice(0, 32);
}
