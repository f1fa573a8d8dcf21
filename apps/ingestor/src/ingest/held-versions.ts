import type { HeldVersion } from '@passerelle/database';
import { countFill, emptyFillCounts, type FillCounts } from '@passerelle/domain';
import { HashColumn } from './hash-column';

/**
 * The versions of the current snapshot in its order, a row each, column by column: there may be hundreds of thousands,
 * and they are held for as long as the feed is read.
 */
export class HeldVersions {
  readonly ids: number[] = [];
  readonly affIds: string[] = [];
  readonly scopes: string[] = [];
  readonly revisions: (string | null)[] = [];
  readonly fills: number[] = [];
  /** Scopes are few: one string of each. */
  private readonly knownScopes = new Map<string, string>();
  private readonly recordHashes = new HashColumn();
  private readonly contentHashes = new HashColumn();
  private rowOfHash: ((hash: string) => number | undefined) | null = null;

  /** Reads them all, as they come from the database. */
  static async collect(
    batches: Iterable<readonly HeldVersion[]> | AsyncIterable<readonly HeldVersion[]>,
  ): Promise<HeldVersions> {
    const held = new HeldVersions();
    for await (const batch of batches) for (const version of batch) held.push(version);
    return held;
  }

  get length(): number {
    return this.ids.length;
  }

  /** The row of a version that a record with this hash became. */
  rowOfRecord(hash: string): number | undefined {
    this.rowOfHash ??= this.recordHashes.index();
    return this.rowOfHash(hash);
  }

  hasRecord(row: number, hash: string): boolean {
    return this.recordHashes.has(row, hash);
  }

  hasContent(row: number, hash: string): boolean {
    return this.contentHashes.has(row, hash);
  }

  /** How many of them have each of the watched fields. */
  countFills(): FillCounts {
    const counts = emptyFillCounts();
    for (const fill of this.fills) countFill(counts, fill);
    return counts;
  }

  private push(version: HeldVersion): void {
    this.ids.push(version.id);
    this.affIds.push(version.affId);
    this.scopes.push(this.scopeOf(version));
    this.revisions.push(version.revision);
    this.fills.push(version.fill);
    this.recordHashes.push(version.recordHash);
    this.contentHashes.push(version.contentHash);
  }

  private scopeOf({ scope }: HeldVersion): string {
    const known = this.knownScopes.get(scope);
    if (known === undefined) this.knownScopes.set(scope, scope);
    return known ?? scope;
  }
}
