import type { ArchiveFiles, FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { ListingChange, NewVersion, Rehashed } from '@passerelle/database';
import { countDuties, countFills, type DutyCounts, type FillCounts } from '@passerelle/domain';
import { arrangeRows } from './arrange-rows';
import { IdentifierColumn } from './columns/identifier-column';
import type { CurrentVersions } from './current-versions';
import { FeedOrder, type FeedVersion, NO_POSITION } from './feed-order';
import { toPhotoRow } from './photo-rows';

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
  /** How many of its listings lack each duty. */
  duties: DutyCounts;
  /** Made one by one, at each iteration anew, for every listing of a first import is a change. */
  changes: Iterable<ListingChange>;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** The feed has none of the current snapshot's scopes, and leaves the listings of those in place. */
  isForeign: boolean;
  /** It has the same versions in the same order as the current snapshot: there is nothing to write. */
  isCurrent: boolean;
  /** Versions of the current snapshot whose records have other bytes now, or whose photos are other files. */
  rehashed: Rehashed[];
}

type Listed = Extract<RecordOutcome, { kind: 'listing' }>;

/** A new version that waits to be stored. */
interface PendingVersion {
  row: number;
  position: number;
  version: NewVersion;
}

/** A batch of new versions is stored when it has this many listings, or this many bytes of JSON. */
const BATCH_LISTINGS = 200;
const BATCH_BYTES = 2_000_000;

/** The id of a version that has none yet, for it is not stored. */
const NOT_STORED = 0;
/** In the place of a version: the current one as it is. */
const CURRENT = null;

/**
 * Puts a snapshot together from the outcomes of a feed, in the feed's order, and stores new versions while the feed is
 * read. It keeps identifiers and hashes in memory; texts of listings only until their batch is stored.
 *
 * Every listing has a row. The rows of the current snapshot come first, in its order.
 */
export class SnapshotAssembly {
  /** The listings that the current snapshot does not have. Their rows follow its own. */
  private readonly newIds = new IdentifierColumn();
  private readonly order = new FeedOrder();
  private readonly withdrawn = new Set<number>();
  private readonly rejected = new Set<number>();
  private readonly rehashed = new Map<number, Pick<Listed, 'hash' | 'duties' | 'photoFiles'>>();
  private batch: PendingVersion[] = [];
  private batchBytes = 0;
  /** The batch before the last one that was begun, and the last one: they are stored one after the other. */
  private storingEarlier: Promise<void> = Promise.resolve();
  private storing: Promise<void> = Promise.resolve();
  /** Ids of stored versions whose listings got another version, or were withdrawn. */
  private orphans: number[] = [];

  constructor(
    private readonly current: CurrentVersions,
    private readonly store: VersionStore,
    private readonly onDuplicate: (affId: string) => void,
  ) {}

  /** The current snapshot will be needed soon. */
  expect(): void {
    this.current.expect();
  }

  /**
   * Loads the current snapshot to compare the feed with. A feed that has not changed is compared with nothing.
   *
   * @param files those of the feed: a listing one of whose photos is another file now is read anew.
   */
  begin(files?: ArchiveFiles): Promise<void> {
    return this.current.load(files);
  }

  /** Whether a record with this hash became a version of the current snapshot. */
  isKnown(recordHash: string): boolean {
    return this.current.rowOfRecord(recordHash) !== undefined;
  }

  /** Takes the next outcome of the feed, in its order. Only one that fills a batch takes its time. */
  take(outcome: RecordOutcome): Promise<void> | undefined {
    switch (outcome.kind) {
      case 'unchanged': {
        const row = this.current.rowOfRecord(outcome.hash);
        if (row === undefined) throw new Error('an unchanged record is not in the current snapshot');
        this.place(row, CURRENT);
        return undefined;
      }
      case 'listing':
        return this.takeListing(outcome);
      case 'withdrawn':
        this.order.addScope(outcome.scope);
        this.withdraw(outcome.affId);
        return undefined;
      case 'rejected':
        this.noteRejected(outcome.rejection.recordId);
        return undefined;
    }
  }

  /** Stores the last batch, and compares the new snapshot with the current one. */
  async complete(coverage: FeedCoverage): Promise<Candidate> {
    // A feed without a part to read has not loaded it.
    await this.begin();
    await this.flush();
    await this.storing;
    const { current, order, withdrawn } = this;
    const rows = arrangeRows(coverage, {
      inFeed: order.listRows(),
      scopes: order.listScopes(),
      scopeInFeed: (row) => this.scopeOf(row),
      currentRows: current.length,
      currentScope: (row) => current.scopeOf(row),
      withdrawn,
    });
    const versionIds = rows.map((row) => this.storedId(row));
    if (this.orphans.length > 0) await this.store.dropVersions(this.orphans);
    const isForeign = coverage.kind !== 'whole' && this.isForeign();
    return { ...this.compare(rows), versionIds, isForeign, rehashed: this.listRehashed() };
  }

  /** A listing of the current snapshot that goes because its record cannot be read is not absent from the feed. */
  private noteRejected(affId: string | undefined): void {
    const row = affId === undefined ? undefined : this.current.rowOf(affId);
    if (row !== undefined) this.rejected.add(row);
  }

  private isForeign(): boolean {
    const scopes = this.order.listScopes();
    return this.current.length > 0 && scopes.length > 0 && !scopes.some((scope) => this.current.hasScope(scope));
  }

  private takeListing(outcome: Listed): Promise<void> | undefined {
    const { contentHash } = outcome;
    const row = this.rowOf(outcome.affId);
    const revision = outcome.revision ?? null;
    if (this.isInCurrent(row) && this.current.hasContent(row, contentHash)) {
      const { hash, duties, photoFiles } = outcome;
      if (this.keepCurrent(row, { revision, duties }) && !this.current.hasRecord(row, hash)) {
        this.rehashed.set(row, { hash, duties, ...(photoFiles !== undefined && { photoFiles }) });
      }
      return undefined;
    }
    const { scope, fill, duties } = outcome;
    const position = this.place(row, { id: NOT_STORED, fill, duties, scope, revision });
    if (position === NO_POSITION) return undefined;
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
        duties,
        empreinte: outcome.empreinte,
        photosEmpreinte: outcome.photosEmpreinte,
        ...photoRowsOf(outcome),
        isAdded: !this.isInCurrent(row),
        normalized: outcome.normalized,
        raw: outcome.raw,
      },
    });
    this.batchBytes += outcome.normalized.length + outcome.raw.length;
    const isFull = this.batch.length >= BATCH_LISTINGS || this.batchBytes >= BATCH_BYTES;
    return isFull ? this.flush() : undefined;
  }

  private rowOf(affId: string): number {
    return this.current.rowOf(affId) ?? this.current.length + this.newIds.add(affId);
  }

  private affIdOf(row: number): string {
    return this.isInCurrent(row) ? this.current.affIdOf(row) : this.newIds.at(row - this.current.length);
  }

  private isInCurrent(row: number): boolean {
    return row < this.current.length;
  }

  /** Keeps the current version of a listing, with what the record says anew. @returns whether the listing has this position now. */
  private keepCurrent(row: number, said: Pick<FeedVersion, 'duties' | 'revision'>): boolean {
    const { current } = this;
    const version = { id: current.idOf(row), fill: current.fillOf(row), scope: current.scopeOf(row), ...said };
    return this.place(row, version) !== NO_POSITION;
  }

  /** Gives a listing the next position; none when an earlier record of the feed has a newer revision of it. */
  private place(row: number, version: FeedVersion | typeof CURRENT): number {
    if (this.order.positionOf(row) !== NO_POSITION) {
      this.onDuplicate(this.affIdOf(row));
      const revision = version === CURRENT ? this.current.revisionOf(row) : version.revision;
      const earlier = this.revisionOf(row);
      if (revision !== null && earlier !== null && revision < earlier) return NO_POSITION;
      this.removePosition(row);
    }
    this.withdrawn.delete(row);
    return version === CURRENT ? this.order.keep(row, this.current.scopeOf(row)) : this.order.add(row, version);
  }

  private withdraw(affId: string): void {
    const row = this.rowOf(affId);
    this.removePosition(row);
    this.withdrawn.add(row);
  }

  private removePosition(row: number): void {
    if (this.order.positionOf(row) === NO_POSITION) return;
    const id = this.versionIdOf(row);
    this.order.remove(row);
    // A version without an id becomes an orphan when it is stored.
    if (id !== NOT_STORED && !this.isCurrentVersion(row, id)) this.orphans.push(id);
  }

  private isCurrentVersion(row: number, versionId: number): boolean {
    return this.isInCurrent(row) && this.current.idOf(row) === versionId;
  }

  /**
   * Begins to store the batch. The feed is read on while one batch is being stored and another waits for it: with one alone
   * both PostgreSQL and whoever reads wait for the other by turns.
   */
  private async flush(): Promise<void> {
    await this.storingEarlier;
    const batch = this.batch.filter((pending) => this.isInPlace(pending));
    this.batch = [];
    this.batchBytes = 0;
    if (batch.length === 0) return;
    this.storingEarlier = this.storing;
    this.storing = this.storing.then(() => this.storeBatch(batch));
    // The next one that waits for it gets the failure. Until then it must not count as unhandled.
    this.storing.catch(() => undefined);
  }

  private async storeBatch(batch: readonly PendingVersion[]): Promise<void> {
    const ids = await this.store.addVersions(batch.map(({ version }) => version));
    batch.forEach((pending, index) => {
      const id = ids[index] ?? NOT_STORED;
      if (this.isInPlace(pending)) this.order.setVersionId(pending.position, id);
      else if (id !== NOT_STORED) this.orphans.push(id);
    });
  }

  /** Whether no later record has given the listing another position, or withdrawn it. */
  private isInPlace({ row, position }: PendingVersion): boolean {
    return this.order.positionOf(row) === position;
  }

  private compare(rows: readonly number[]): Omit<Candidate, 'versionIds' | 'isForeign' | 'rehashed'> {
    let added = 0;
    let changed = 0;
    for (const row of rows) {
      if (!this.isInCurrent(row)) added += 1;
      else if (!this.isCurrentVersion(row, this.versionIdOf(row))) changed += 1;
    }
    const removed = this.current.length - (rows.length - added);
    const isCurrent = added + changed + removed === 0 && rows.every((row, index) => row === index);
    const fill = countFills(this.eachOf(rows, (row) => this.fillOf(row)));
    const duties = countDuties(this.eachOf(rows, (row) => this.dutiesOf(row)));
    const changes = { [Symbol.iterator]: () => this.changesOf(rows) };
    return { fill, duties, changes, added, changed, unchanged: rows.length - added - changed, removed, isCurrent };
  }

  private *eachOf(rows: readonly number[], of: (row: number) => number): Generator<number> {
    for (const row of rows) yield of(row);
  }

  private *changesOf(rows: readonly number[]): Generator<ListingChange> {
    const { current } = this;
    const isListed = new Uint8Array(current.length);
    for (const row of rows) {
      if (this.isInCurrent(row)) isListed[row] = 1;
      const versionId = this.versionIdOf(row);
      if (this.isCurrentVersion(row, versionId)) continue;
      const affId = this.affIdOf(row);
      yield this.isInCurrent(row)
        ? { kind: 'changed', affId, versionId, previousVersionId: current.idOf(row), reason: null }
        : { kind: 'added', affId, versionId, previousVersionId: null, reason: null, isStored: true };
    }
    for (let row = 0; row < current.length; row += 1) {
      if (isListed[row] === 1) continue;
      const reason = this.withdrawn.has(row) ? 'withdrawn' : this.rejected.has(row) ? 'rejected' : 'absent';
      yield {
        kind: 'removed',
        affId: this.affIdOf(row),
        versionId: null,
        previousVersionId: current.idOf(row),
        reason,
      };
    }
  }

  private versionIdOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.versionIdAt(position) : this.current.idOf(row);
  }

  private fillOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.fillAt(position) : this.current.fillOf(row);
  }

  private dutiesOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.dutiesAt(position) : this.current.dutiesOf(row);
  }

  private scopeOf(row: number): string {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.scopeAt(position) : this.current.scopeOf(row);
  }

  private revisionOf(row: number): string | null {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.revisionAt(position) : this.current.revisionOf(row);
  }

  private storedId(row: number): number {
    const id = this.versionIdOf(row);
    if (id === NOT_STORED) throw new Error('a listing version was not stored');
    return id;
  }

  private listRehashed(): Candidate['rehashed'] {
    return [...this.rehashed].map(([row, listed]) => ({
      versionId: this.current.idOf(row),
      recordHash: listed.hash,
      duties: listed.duties,
      ...photoRowsOf(listed),
    }));
  }
}

function photoRowsOf({ photoFiles }: Pick<Listed, 'photoFiles'>): Pick<NewVersion, 'photoFiles'> {
  return photoFiles === undefined ? {} : { photoFiles: photoFiles.map(toPhotoRow) };
}
