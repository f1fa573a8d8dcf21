import { type ArchiveFiles, type FeedCoverage, type RecordOutcome, xorOf } from '@passerelle/connectors';
import type { NewVersion, Rehashed } from '@passerelle/database';
import { isUnreadable, type Rejection } from '@passerelle/domain';
import { arrangeRows } from './arrange-rows';
import { hashWords } from './columns/hash-column';
import type { CurrentVersions } from './current-versions';
import { NO_POSITION } from './feed-order';
import type { RevertCheck } from './revert-check';
import { toPhotoRow } from './photo-rows';
import { type KnownQueries, PhotoQueries, type QueryRule } from './photo-queries';
import { findQueried, type ReadTexts } from './renewed-addresses';
import { CURRENT, NOT_STORED, Placement } from './placement';
import { type Candidate, compareSnapshots } from './snapshot-comparison';
import { type KeepingRule, KEEPS_NOTHING, UnreadableRecords } from './unreadable-records';
import { VersionBatches, type VersionStore } from './version-batches';

type Listed = Extract<RecordOutcome, { kind: 'listing' }>;

/** Keeps identifiers and hashes in memory, but texts of listings only until their batch is stored. */
export class SnapshotAssembly {
  private readonly placement: Placement;
  private readonly batches: VersionBatches;
  private readonly queries: PhotoQueries;
  private readonly rejected = new Set<number>();
  private readonly unreadable: UnreadableRecords;
  private readonly rehashed = new Map<number, Omit<Rehashed, 'versionId'>>();

  constructor(
    private readonly current: CurrentVersions,
    store: VersionStore,
    onDuplicate: (affId: string) => void,
    rule: KeepingRule = KEEPS_NOTHING,
    private readonly revert?: Pick<RevertCheck, 'note'>,
    queryRule?: QueryRule,
    /** For the hashes of records, see `masksOf`. */
    private readonly masks?: readonly string[],
  ) {
    current.masks = masks?.map(hashWords);
    this.placement = new Placement(current, onDuplicate);
    this.unreadable = new UnreadableRecords(current, this.placement, rule);
    const readTexts: ReadTexts = (versionIds) => current.readTexts(versionIds);
    this.batches = new VersionBatches(this.placement, store, readTexts, {
      onRenewed: (row, version) => {
        this.noteRenewed(row, version);
      },
      onQueries: (row, change) => {
        this.queries.note(row, change);
      },
    });
    this.queries = new PhotoQueries((row) => this.placement.affIdOf(row), queryRule);
  }

  expect(): void {
    this.current.expect();
  }

  /** Not needed for an unchanged feed. @param files a listing with a changed photo file is read again */
  begin(files?: ArchiveFiles): Promise<void> {
    return this.current.load(files);
  }

  isKnown(recordHash: string): boolean {
    return this.current.rowOfRecord(recordHash) !== undefined;
  }

  scopeOf(affId: string): string {
    const row = this.current.rowOf(affId);
    return row === undefined ? this.placement.scopeOf(this.placement.rowOf(affId)) : this.current.scopeOf(row);
  }

  /** Takes the next outcome of the feed, in its order. Only an outcome that fills a batch returns a promise. */
  take(outcome: RecordOutcome): Promise<void> | undefined {
    switch (outcome.kind) {
      case 'unchanged': {
        const row = this.current.rowOfRecord(outcome.hash);
        if (row === undefined) throw new Error('an unchanged record is not in the current snapshot');
        this.placement.place(row, CURRENT);
        return undefined;
      }
      case 'listing':
        return this.takeListing(outcome);
      case 'withdrawn':
        this.placement.order.addScope(outcome.scope);
        this.placement.withdraw(outcome.affId);
        return undefined;
      case 'rejected':
        this.noteRejected(outcome.rejection);
        return undefined;
    }
  }

  /** The listing of a row keeps its version until a run reads its record. */
  leaveToSource(row: number): void {
    this.placement.place(row, CURRENT);
    this.rehashed.set(row, { recordHash: '', duties: this.current.dutiesOf(row) });
  }

  async complete(coverage: FeedCoverage): Promise<Candidate> {
    // A feed with nothing to read has not loaded the current snapshot yet.
    await this.begin();
    await this.batches.complete();
    const { placement } = this;
    if (coverage.kind === 'delta') this.withdrawDeleted(coverage.deleted ?? []);
    const rows = this.arrangeWithKept(coverage);
    const queries = coverage.kind === 'whole' ? await this.ignoreQueries(rows) : undefined;
    const versionIds = rows.map((row) => this.storedId(row));
    await this.batches.dropOrphans();
    const isForeign = coverage.kind !== 'whole' && coverage.kind !== 'asked' && this.isForeign();
    const comparison = compareSnapshots(placement, rows, this.rejected);
    const { unreadable } = this;
    return {
      ...{ ...comparison, versionIds, isForeign, rehashed: this.listRehashed() },
      ...{ kept: unreadable.listKept(rows), keptOfFeed: unreadable.kept.size },
      ...(queries !== undefined && { queries }),
    };
  }

  /**
   * Listings in which only the queries of photos are new keep their versions, if these queries are new in every run.
   * @returns what the next run has to know about them; undefined when queries count
   */
  private async ignoreQueries(rows: readonly number[]): Promise<KnownQueries | undefined> {
    const { placement, queries, current, unreadable } = this;
    const read = rows.filter((row) => placement.isInCurrent(row) && !unreadable.kept.has(row));
    const unversioned = await queries.unversioned(read, (others, kinds) => findQueried(current, others, kinds));
    for (const row of unversioned) placement.returnToCurrent(row);
    return unversioned.length === 0 ? undefined : queries.toRemember();
  }

  private arrangeWithKept(coverage: FeedCoverage): readonly number[] {
    const { current, placement, unreadable, rejected } = this;
    unreadable.keepNamed();
    const arrange = (): readonly number[] =>
      arrangeRows(coverage, {
        inFeed: placement.order.listRows(),
        scopes: placement.order.listScopes(),
        scopeInFeed: (row) => placement.scopeOf(row),
        currentRows: current.length,
        currentScope: (row) => current.scopeOf(row),
        withdrawn:
          unreadable.over.size === 0 ? placement.withdrawn : new Set([...placement.withdrawn, ...unreadable.over]),
      });
    const rows = arrange();
    if (!unreadable.hasUnidentified) return rows;
    const listed = new Set(rows);
    const absent: number[] = [];
    for (let row = 0; row < current.length; row += 1) {
      if (!listed.has(row) && !placement.withdrawn.has(row) && !rejected.has(row)) absent.push(row);
    }
    if (absent.length === 0) return rows;
    unreadable.keepAbsent(absent);
    for (const row of unreadable.over) rejected.add(row);
    return arrange();
  }

  /** Withdraws listings that the source has deleted, now or long ago, and no longer returns. */
  private withdrawDeleted(deleted: readonly string[]): void {
    const { current, placement } = this;
    for (const affId of deleted) {
      const row = current.rowOf(affId);
      if (row !== undefined && placement.order.positionOf(row) === NO_POSITION) placement.withdraw(affId);
    }
  }

  /** Notes that a listing is rejected, so that its removal does not count as absence from the feed. */
  private noteRejected({ recordId, code }: Rejection): void {
    const row = recordId === undefined ? undefined : this.current.rowOf(recordId);
    if (row !== undefined) this.rejected.add(row);
    if (isUnreadable(code)) this.unreadable.note(recordId);
  }

  private isForeign(): boolean {
    const scopes = this.placement.order.listScopes();
    return this.current.length > 0 && scopes.length > 0 && !scopes.some((scope) => this.current.hasScope(scope));
  }

  private takeListing(outcome: Listed): Promise<void> | undefined {
    const { placement } = this;
    const { contentHash, scope, fill, duties } = outcome;
    const row = placement.rowOf(outcome.affId);
    const revision = outcome.revision ?? null;
    if (placement.isInCurrent(row) && this.current.hasContent(row, contentHash)) {
      const isSame = this.current.hasRecord(row, outcome.hash) && duties === this.current.dutiesOf(row);
      if (placement.keepCurrent(row, { revision, duties }) && !isSame) {
        this.rehashed.set(row, { recordHash: this.toStore(outcome.hash), duties, ...photoRowsOf(outcome) });
      }
      return undefined;
    }
    const position = placement.place(row, { id: NOT_STORED, fill, duties, scope, revision });
    if (position === NO_POSITION) return undefined;
    this.revert?.note(outcome.affId, outcome.empreinte);
    const isAdded = !placement.isInCurrent(row);
    const version = versionOf({ ...outcome, hash: this.toStore(outcome.hash) }, revision, isAdded);
    return this.batches.add({ row, position, version });
  }

  /** A text that is no hash is stored as it is: no record has it. */
  private toStore(hash: string): string {
    const mask = this.masks?.[0];
    return mask === undefined || hash.length !== mask.length ? hash : xorOf(hash, mask);
  }

  /** The record's hash is not stored unless the duties have changed: the next signatures give it another hash anyway. */
  private noteRenewed(row: number, { recordHash, duties = 0 }: NewVersion): void {
    if (duties !== this.current.dutiesOf(row)) this.rehashed.set(row, { recordHash, duties });
  }

  private storedId(row: number): number {
    const id = this.placement.versionIdOf(row);
    if (id === NOT_STORED) throw new Error('a listing version was not stored');
    return id;
  }

  private listRehashed(): Candidate['rehashed'] {
    return [...this.rehashed].map(([row, facts]) => ({ versionId: this.current.idOf(row), ...facts }));
  }
}

function versionOf(outcome: Listed, revision: string | null, isAdded: boolean): NewVersion {
  return {
    affId: outcome.affId,
    affNum: outcome.affNum ?? null,
    scope: outcome.scope,
    recordHash: outcome.hash,
    contentHash: outcome.contentHash,
    revision,
    fill: outcome.fill,
    duties: outcome.duties,
    empreinte: outcome.empreinte,
    photosEmpreinte: outcome.photosEmpreinte,
    ...photoRowsOf(outcome),
    isAdded,
    normalized: outcome.normalized,
    raw: outcome.raw,
    search: { fields: outcome.searchFields, words: outcome.searchWords },
  };
}

function photoRowsOf({ photoFiles }: Pick<Listed, 'photoFiles'>): Pick<NewVersion, 'photoFiles'> {
  return photoFiles === undefined ? {} : { photoFiles: photoFiles.map(toPhotoRow) };
}
