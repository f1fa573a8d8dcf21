import { hash } from 'node:crypto';
import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { ListingChange, NewVersion } from '@passerelle/database';
import { countFill, emptyFillCounts, type FillCounts } from '@passerelle/domain';
import { arrangeRows } from './arrange-rows';
import { IdentifierColumn } from './columns/identifier-column';
import { FeedPlaces, NOWHERE, type PlacedVersion } from './feed-places';
import type { HeldVersions } from './held-versions';

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
  /** Told one by one, as often as asked: a first import is nothing but changes. */
  changes: Iterable<ListingChange>;
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

/** A new version on its way to the store. */
interface NewPlace {
  row: number;
  position: number;
  version: NewVersion;
}

/** New versions are stored in batches of at most so many listings, or so many characters of JSON. */
const BATCH_LISTINGS = 200;
const BATCH_CHARACTERS = 2_000_000;

/** The id of a version that is on its way to the store. */
const UNDERWAY = 0;

/**
 * Puts a snapshot together from the outcomes of a feed, in the feed's order, and stores what is new of it on the way.
 * Holds identifiers and hashes only, never a listing's text beyond the batch under way.
 *
 * Every listing has a row, those of the current snapshot first, in its order.
 */
export class SnapshotAssembly {
  /** The listings that the current snapshot does not have: their rows follow its own. */
  private readonly newIds = new IdentifierColumn();
  private readonly places = new FeedPlaces();
  private readonly withdrawn = new Set<number>();
  private readonly rehashed = new Map<number, string>();
  private batch: NewPlace[] = [];
  private batchCharacters = 0;
  private storing: Promise<void> = Promise.resolve();
  private orphans: number[] = [];

  constructor(
    private readonly current: HeldVersions,
    private readonly store: VersionStore,
    private readonly onDuplicate: (affId: string) => void,
  ) {}

  /** Loads what the feed is compared with: a feed that has not changed is compared with nothing. */
  begin(): Promise<void> {
    return this.current.load();
  }

  /** Whether a record with this hash is a listing of the current snapshot as it stands. */
  isKnown(recordHash: string): boolean {
    return this.current.rowOfRecord(recordHash) !== undefined;
  }

  /** Takes the next outcome of the feed, in its order. */
  async take(outcome: RecordOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'unchanged': {
        const row = this.current.rowOfRecord(outcome.hash);
        if (row === undefined) throw new Error('an unchanged record is not in the current snapshot');
        this.keep(row, this.current.revisionOf(row));
        return;
      }
      case 'listing':
        await this.takeListing(outcome);
        return;
      case 'withdrawn':
        this.places.meet(outcome.scope);
        this.withdraw(outcome.affId);
        return;
      case 'rejected':
        return;
    }
  }

  /** Stores what is left, and compares the whole with the current snapshot. */
  async complete(coverage: FeedCoverage): Promise<Candidate> {
    // There may have been no part to read.
    await this.begin();
    await this.flush();
    await this.storing;
    const { current, places, withdrawn } = this;
    const rows = arrangeRows(coverage, {
      inFeed: places.listRows(),
      scopes: places.listScopes(),
      scopeInFeed: (row) => places.scopeAt(places.positionOf(row)),
      currentRows: current.length,
      currentScope: (row) => current.scopeOf(row),
      withdrawn,
    });
    const versionIds = rows.map((row) => this.storedId(row));
    if (this.orphans.length > 0) await this.store.dropVersions(this.orphans);
    const isForeign = coverage.kind !== 'whole' && this.isForeign();
    return { ...this.compare(rows), versionIds, isForeign, rehashed: this.listRehashed() };
  }

  private isForeign(): boolean {
    const scopes = this.places.listScopes();
    return this.current.length > 0 && scopes.length > 0 && !scopes.some((scope) => this.current.hasScope(scope));
  }

  private async takeListing(outcome: Extract<RecordOutcome, { kind: 'listing' }>): Promise<void> {
    const contentHash = hashContent(outcome.normalized, outcome.raw);
    const row = this.rowOf(outcome.affId);
    const revision = outcome.revision ?? null;
    if (this.isHeld(row) && this.current.hasContent(row, contentHash)) {
      if (this.keep(row, revision) && !this.current.hasRecord(row, outcome.hash)) {
        this.rehashed.set(row, outcome.hash);
      }
      return;
    }
    const { scope, fill } = outcome;
    const position = this.place(row, { id: UNDERWAY, fill, scope, revision });
    if (position === NOWHERE) return;
    this.batch.push({
      row,
      position,
      version: {
        affId: outcome.affId,
        affNum: outcome.affNum ?? null,
        scope,
        recordHash: outcome.hash,
        contentHash,
        revision,
        fill,
        normalized: outcome.normalized,
        raw: outcome.raw,
      },
    });
    this.batchCharacters += outcome.normalized.length + outcome.raw.length;
    if (this.batch.length >= BATCH_LISTINGS || this.batchCharacters >= BATCH_CHARACTERS) await this.flush();
  }

  private rowOf(affId: string): number {
    return this.current.rowOf(affId) ?? this.current.length + this.newIds.take(affId);
  }

  private affIdOf(row: number): string {
    return this.isHeld(row) ? this.current.affIdOf(row) : this.newIds.at(row - this.current.length);
  }

  private isHeld(row: number): boolean {
    return row < this.current.length;
  }

  /** Lets the current version stand. @returns whether it has a position now. */
  private keep(row: number, revision: string | null): boolean {
    const { current } = this;
    const version = { id: current.idOf(row), fill: current.fillOf(row), scope: current.scopeOf(row), revision };
    return this.place(row, version) !== NOWHERE;
  }

  /** Gives a listing the next position; none when an earlier record of the feed has the better claim to it. */
  private place(row: number, version: PlacedVersion): number {
    const earlier = this.places.positionOf(row);
    if (earlier !== NOWHERE) {
      this.onDuplicate(this.affIdOf(row));
      const revision = this.places.revisionAt(earlier);
      if (revision !== null && version.revision !== null && version.revision < revision) return NOWHERE;
      this.vacate(row);
    }
    this.withdrawn.delete(row);
    return this.places.add(row, version);
  }

  private withdraw(affId: string): void {
    const row = this.rowOf(affId);
    this.vacate(row);
    this.withdrawn.add(row);
  }

  private vacate(row: number): void {
    const position = this.places.positionOf(row);
    if (position === NOWHERE) return;
    this.places.vacate(row);
    const id = this.places.versionIdAt(position);
    // One that is still on its way to the store is an orphan when it arrives.
    if (id !== UNDERWAY && !this.isCurrentVersion(row, id)) this.orphans.push(id);
  }

  private isCurrentVersion(row: number, versionId: number): boolean {
    return this.isHeld(row) && this.current.idOf(row) === versionId;
  }

  /** Sends the batch off. One batch may be on its way while the feed is read on; a second waits for it. */
  private async flush(): Promise<void> {
    await this.storing;
    const batch = this.batch.filter((place) => this.stands(place));
    this.batch = [];
    this.batchCharacters = 0;
    if (batch.length === 0) return;
    this.storing = this.storeBatch(batch);
    // Whoever waits for it next hears of a failure; until then it must not count as unhandled.
    this.storing.catch(() => undefined);
  }

  private async storeBatch(batch: readonly NewPlace[]): Promise<void> {
    const ids = await this.store.addVersions(batch.map(({ version }) => version));
    batch.forEach((place, index) => {
      const id = ids[index] ?? UNDERWAY;
      if (this.stands(place)) this.places.setVersionId(place.position, id);
      else if (id !== UNDERWAY) this.orphans.push(id);
    });
  }

  /** Whether no later record has taken the listing's place. */
  private stands({ row, position }: NewPlace): boolean {
    return this.places.positionOf(row) === position;
  }

  private compare(rows: readonly number[]): Omit<Candidate, 'versionIds' | 'isForeign' | 'rehashed'> {
    const fill = emptyFillCounts();
    let added = 0;
    let changed = 0;
    for (const row of rows) {
      countFill(fill, this.fillOf(row));
      if (!this.isHeld(row)) added += 1;
      else if (!this.isCurrentVersion(row, this.versionIdOf(row))) changed += 1;
    }
    const removed = this.current.length - (rows.length - added);
    const isCurrent = added + changed + removed === 0 && rows.every((row, index) => row === index);
    const changes = { [Symbol.iterator]: () => this.changesOf(rows) };
    return { fill, changes, added, changed, unchanged: rows.length - added - changed, removed, isCurrent };
  }

  private *changesOf(rows: readonly number[]): Generator<ListingChange> {
    const { current } = this;
    const isListed = new Uint8Array(current.length);
    for (const row of rows) {
      if (this.isHeld(row)) isListed[row] = 1;
      const versionId = this.versionIdOf(row);
      if (this.isCurrentVersion(row, versionId)) continue;
      const previous = this.isHeld(row)
        ? { kind: 'changed' as const, previousVersionId: current.idOf(row) }
        : { kind: 'added' as const, previousVersionId: null };
      yield { ...previous, affId: this.affIdOf(row), versionId };
    }
    for (let row = 0; row < current.length; row += 1) {
      if (isListed[row] === 1) continue;
      yield { kind: 'removed', affId: this.affIdOf(row), versionId: null, previousVersionId: current.idOf(row) };
    }
  }

  private versionIdOf(row: number): number {
    const position = this.places.positionOf(row);
    return position === NOWHERE ? this.current.idOf(row) : this.places.versionIdAt(position);
  }

  private fillOf(row: number): number {
    const position = this.places.positionOf(row);
    return position === NOWHERE ? this.current.fillOf(row) : this.places.fillAt(position);
  }

  private storedId(row: number): number {
    const id = this.versionIdOf(row);
    if (id === UNDERWAY) throw new Error('a listing version was not stored');
    return id;
  }

  private listRehashed(): Candidate['rehashed'] {
    return [...this.rehashed].map(([row, recordHash]) => ({ versionId: this.current.idOf(row), recordHash }));
  }
}

/** The same texts, the same hash: what makes two records one version. */
function hashContent(normalized: string, raw: string): string {
  return hash('sha256', `${normalized}\0${raw}`, 'hex').slice(0, 32);
}
