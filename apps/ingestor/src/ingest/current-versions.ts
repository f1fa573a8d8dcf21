import type { ArchiveFiles } from '@passerelle/connectors';
import type { CurrentVersion } from '@passerelle/database';
import { countFills, type FillCounts } from '@passerelle/domain';
import type { ReadTexts } from './renewed-addresses';
import { HashColumn, type HashWords } from './columns/hash-column';
import { IdentifierColumn } from './columns/identifier-column';
import { NumberColumn } from './columns/number-column';
import { ScopeColumn } from './columns/scope-column';
import { TextColumn } from './columns/text-column';

/** Versions in the snapshot's order. Columns save memory: hundreds of thousands stay while the feed is read. */
export class CurrentVersions {
  private readonly ids = NumberColumn.ofLarge();
  private readonly affIds = new IdentifierColumn();
  private readonly fills = NumberColumn.ofSmall();
  private readonly duties = NumberColumn.ofSmall();
  private readonly revisions = new TextColumn();
  private readonly scopes = new ScopeColumn();
  private readonly recordHashes = new HashColumn();
  private readonly contentHashes = new HashColumn();
  /** The rows hold the hashes of their records xor one of these; undefined for hashes without a mask. */
  masks: readonly HashWords[] | undefined;
  private rowOfHash: ((hash: string) => number | undefined) | null = null;
  private reading: Promise<void> | null = null;
  private loading: Promise<void> | null = null;

  constructor(
    private readonly read: (take: (version: CurrentVersion) => void) => Promise<void> = () => Promise.resolve(),
    /** Finds the ids of the versions that have a photo whose file has changed. */
    private readonly findOutdated: (files: ArchiveFiles) => Promise<ReadonlySet<number>> = () =>
      Promise.resolve(new Set()),
    /** Reads the texts of some versions. */
    readonly readTexts: ReadTexts = () => Promise.resolve(new Map()),
  ) {}

  /** Starts to read the versions ahead of `load`. */
  expect(): void {
    if (this.reading !== null) return;
    this.reading = this.read((version) => {
      this.push(version);
    });
    // `load` reports a failure; until then the failure must not count as unhandled.
    this.reading.catch(() => undefined);
  }

  /** Loads the versions at the first call. Before this call there are no versions. */
  load(files?: ArchiveFiles): Promise<void> {
    return (this.loading ??= this.loadAll(files));
  }

  get length(): number {
    return this.ids.length;
  }

  rowOf(affId: string): number | undefined {
    return this.affIds.rowOf(affId);
  }

  rowOfRecord(hash: string): number | undefined {
    this.rowOfHash ??= this.recordHashes.index(this.masks);
    return this.rowOfHash(hash);
  }

  idOf(row: number): number {
    return this.ids.at(row);
  }

  affIdOf(row: number): string {
    return this.affIds.at(row);
  }

  fillOf(row: number): number {
    return this.fills.at(row);
  }

  dutiesOf(row: number): number {
    return this.duties.at(row);
  }

  revisionOf(row: number): string | null {
    return this.revisions.at(row) || null;
  }

  scopeOf(row: number): string {
    return this.scopes.at(row);
  }

  hasScope(scope: string): boolean {
    return this.scopes.has(scope);
  }

  hasRecord(row: number, hash: string): boolean {
    return this.recordHashes.has(row, hash, this.masks);
  }

  /** As it is stored; undefined if no record is known to make this version. */
  storedHashOf(row: number): string | undefined {
    return this.recordHashes.textAt(row);
  }

  hasContent(row: number, hash: string): boolean {
    return this.contentHashes.has(row, hash);
  }

  countFills(): FillCounts {
    return countFills(this.fills.values());
  }

  private async loadAll(files: ArchiveFiles | undefined): Promise<void> {
    this.expect();
    const outdated = files === undefined ? new Set<number>() : await this.findOutdated(files);
    await this.reading;
    if (outdated.size === 0) return;
    for (let row = 0; row < this.length; row += 1) if (outdated.has(this.idOf(row))) this.recordHashes.clear(row);
  }

  private push(version: CurrentVersion): void {
    this.ids.push(version.id);
    this.affIds.pushBytes(version.affId);
    this.fills.push(version.fill);
    this.duties.push(version.duties);
    this.revisions.pushBytes(version.revision);
    this.scopes.pushBytes(version.scope);
    this.recordHashes.pushBytes(version.recordHash);
    this.contentHashes.pushBytes(version.contentHash);
  }
}
