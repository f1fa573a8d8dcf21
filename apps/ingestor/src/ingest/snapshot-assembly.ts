import { createHash } from 'node:crypto';
import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { ListingChange, NewVersion } from '@passerelle/database';
import { countFill, emptyFillCounts, type FillCounts } from '@passerelle/domain';
import { arrangeRows } from './arrange-rows';
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

/** A new version on its way to the store, for a listing's row at a position of the feed. */
interface NewPlace {
  row: number;
  position: number;
  version: NewVersion;
}

/** New versions are stored in batches of at most so many listings, or so many characters of JSON. */
const BATCH_LISTINGS = 200;
const BATCH_CHARACTERS = 2_000_000;

/** The position of a listing that the feed has not named so far, or has taken away again. */
const NOWHERE = -1;
/** The row at a position that was given up. */
const NOBODY = -1;
/** The id of a version that is on its way to the store. */
const UNDERWAY = 0;

/**
 * Puts a snapshot together from the outcomes of a feed, in the feed's order, and stores what is new of it on the way.
 * Holds identifiers and hashes only, never a listing's text beyond the batch under way.
 *
 * Every listing has a row, those of the current snapshot first, in its order; what is known of it stands in columns.
 */
export class SnapshotAssembly {
  private readonly rowById = new Map<string, number>();
  private readonly newIds: string[] = [];
  /** By row, the version that the snapshot will have if it has the listing: at first the current one. */
  private readonly versionIds: number[];
  private readonly versionScopes: string[];
  private readonly fills: number[];
  private readonly revisions: (string | null)[];
  /** By row, where in the feed the listing stands. */
  private readonly positions: number[];
  /** By position, the listing's row. */
  private readonly feed: number[] = [];
  private readonly withdrawn = new Set<number>();
  private readonly scopes = new Set<string>();
  private readonly rehashed = new Map<number, string>();
  private batch: NewPlace[] = [];
  private batchCharacters = 0;
  private storing: Promise<void> = Promise.resolve();
  private orphans: number[] = [];

  constructor(
    private readonly current: HeldVersions,
    private readonly store: VersionStore,
    private readonly onDuplicate: (affId: string) => void,
  ) {
    current.affIds.forEach((affId, row) => this.rowById.set(affId, row));
    this.versionIds = [...current.ids];
    this.versionScopes = [...current.scopes];
    this.fills = [...current.fills];
    this.revisions = [...current.revisions];
    this.positions = current.ids.map(() => NOWHERE);
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
        this.keep(row, this.current.revisions[row] ?? null);
        return;
      }
      case 'listing':
        await this.takeListing(outcome);
        return;
      case 'withdrawn':
        this.scopes.add(outcome.scope);
        this.withdraw(outcome.affId);
        return;
      case 'rejected':
        return;
    }
  }

  /** Stores what is left, and compares the whole with the current snapshot. */
  async complete(coverage: FeedCoverage): Promise<Candidate> {
    await this.flush();
    await this.storing;
    const { feed, scopes, versionScopes, withdrawn } = this;
    const inFeed = feed.filter((row) => row !== NOBODY);
    const rows = arrangeRows(coverage, {
      inFeed,
      scopes,
      versionScopes,
      withdrawn,
      currentScopes: this.current.scopes,
    });
    const versionIds = rows.map((row) => this.storedId(row));
    if (this.orphans.length > 0) await this.store.dropVersions(this.orphans);
    const isForeign = coverage.kind !== 'whole' && this.isForeign();
    return { ...this.compare(rows), versionIds, isForeign, rehashed: this.listRehashed() };
  }

  private isForeign(): boolean {
    const known = new Set(this.current.scopes);
    return known.size > 0 && this.scopes.size > 0 && ![...this.scopes].some((scope) => known.has(scope));
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
    if (!this.place(row, outcome.scope, revision)) return;
    this.versionIds[row] = UNDERWAY;
    this.versionScopes[row] = outcome.scope;
    this.fills[row] = outcome.fill;
    this.batch.push({
      row,
      position: this.feed.length - 1,
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

  private rowOf(affId: string): number {
    const known = this.rowById.get(affId);
    if (known !== undefined) return known;
    const row = this.current.length + this.newIds.push(affId) - 1;
    this.rowById.set(affId, row);
    this.positions.push(NOWHERE);
    this.revisions.push(null);
    return row;
  }

  private affIdOf(row: number): string {
    return (this.isHeld(row) ? this.current.affIds[row] : this.newIds[row - this.current.length])!;
  }

  private isHeld(row: number): boolean {
    return row < this.current.length;
  }

  /** Lets the current version stand. @returns whether it has a place now. */
  private keep(row: number, revision: string | null): boolean {
    const scope = this.current.scopes[row]!;
    if (!this.place(row, scope, revision)) return false;
    this.versionIds[row] = this.current.ids[row]!;
    this.versionScopes[row] = scope;
    this.fills[row] = this.current.fills[row]!;
    return true;
  }

  /** Gives a listing the next position; false when an earlier record of the feed has the better claim to it. */
  private place(row: number, scope: string, revision: string | null): boolean {
    if (this.positions[row] !== NOWHERE) {
      this.onDuplicate(this.affIdOf(row));
      const earlier = this.revisions[row] ?? null;
      if (earlier !== null && revision !== null && revision < earlier) return false;
      this.vacate(row);
    }
    this.withdrawn.delete(row);
    this.scopes.add(scope);
    this.revisions[row] = revision;
    this.positions[row] = this.feed.push(row) - 1;
    return true;
  }

  private withdraw(affId: string): void {
    const row = this.rowById.get(affId);
    if (row === undefined) return;
    this.vacate(row);
    this.withdrawn.add(row);
  }

  private vacate(row: number): void {
    const position = this.positions[row]!;
    if (position === NOWHERE) return;
    this.feed[position] = NOBODY;
    this.positions[row] = NOWHERE;
    const id = this.versionIds[row]!;
    // One that is still on its way to the store is an orphan when it arrives.
    if (id !== UNDERWAY && id !== this.current.ids[row]) this.orphans.push(id);
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
      if (this.stands(place)) this.versionIds[place.row] = id;
      else if (id !== UNDERWAY) this.orphans.push(id);
    });
  }

  /** Whether no later record has taken the listing's place. */
  private stands({ row, position }: NewPlace): boolean {
    return this.positions[row] === position;
  }

  private compare(rows: readonly number[]): Omit<Candidate, 'versionIds' | 'isForeign' | 'rehashed'> {
    const { current, versionIds } = this;
    const fill = emptyFillCounts();
    let added = 0;
    let changed = 0;
    for (const row of rows) {
      countFill(fill, this.fills[row]!);
      if (!this.isHeld(row)) added += 1;
      else if (versionIds[row] !== current.ids[row]) changed += 1;
    }
    const removed = current.length - (rows.length - added);
    const isCurrent = added + changed + removed === 0 && rows.every((row, index) => row === index);
    const changes = { [Symbol.iterator]: () => this.changesOf(rows) };
    return { fill, changes, added, changed, unchanged: rows.length - added - changed, removed, isCurrent };
  }

  private *changesOf(rows: readonly number[]): Generator<ListingChange> {
    const { ids } = this.current;
    const isListed = new Uint8Array(ids.length);
    for (const row of rows) {
      if (this.isHeld(row)) isListed[row] = 1;
      const previousVersionId = ids[row] ?? null;
      const versionId = this.versionIds[row]!;
      if (versionId === previousVersionId) continue;
      const kind = previousVersionId === null ? 'added' : 'changed';
      yield { kind, affId: this.affIdOf(row), versionId, previousVersionId };
    }
    for (const [row, previousVersionId] of ids.entries()) {
      if (isListed[row] === 0) yield { kind: 'removed', affId: this.affIdOf(row), versionId: null, previousVersionId };
    }
  }

  private storedId(row: number): number {
    const id = this.versionIds[row];
    if (id === undefined || id === UNDERWAY) throw new Error('a listing version was not stored');
    return id;
  }

  private listRehashed(): Candidate['rehashed'] {
    return [...this.rehashed].map(([row, recordHash]) => ({ versionId: this.current.ids[row]!, recordHash }));
  }
}

/** The same texts, the same hash: what makes two records one version. */
function hashContent(normalized: string, raw: string): string {
  return createHash('sha256').update(normalized).update('\0').update(raw).digest('hex').slice(0, 32);
}
