import { IdentifierColumn } from './columns/identifier-column';
import type { CurrentVersions } from './current-versions';
import { FeedOrder, type FeedVersion, NO_POSITION } from './feed-order';

/** The id of a version that is not stored yet. */
export const NOT_STORED = 0;
/** Used instead of a version when the current version stays. */
export const CURRENT = null;

/** Every listing has a row. The rows of the current snapshot come first, in its order. */
export class Placement {
  readonly order = new FeedOrder();
  readonly withdrawn = new Set<number>();
  /** Ids of stored versions whose listings got another version, or were withdrawn. */
  readonly orphans: number[] = [];
  /** Listings that are not in the current snapshot. Their rows follow the rows of the current snapshot. */
  private readonly newIds = new IdentifierColumn();

  constructor(
    readonly current: CurrentVersions,
    private readonly onDuplicate: (affId: string) => void,
  ) {}

  rowOf(affId: string): number {
    return this.current.rowOf(affId) ?? this.current.length + this.newIds.add(affId);
  }

  affIdOf(row: number): string {
    return this.isInCurrent(row) ? this.current.affIdOf(row) : this.newIds.at(row - this.current.length);
  }

  isInCurrent(row: number): boolean {
    return row < this.current.length;
  }

  isCurrentVersion(row: number, versionId: number): boolean {
    return this.isInCurrent(row) && this.current.idOf(row) === versionId;
  }

  /** Gives a listing the next position, unless an earlier record has a newer revision. */
  place(row: number, version: FeedVersion | typeof CURRENT): number {
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

  /** Keeps the version with the record's duties and revision. @returns whether the listing has the new position */
  keepCurrent(row: number, said: Pick<FeedVersion, 'duties' | 'revision'>): boolean {
    const { current } = this;
    const version = { id: current.idOf(row), fill: current.fillOf(row), scope: current.scopeOf(row), ...said };
    return this.place(row, version) !== NO_POSITION;
  }

  withdraw(affId: string): void {
    const row = this.rowOf(affId);
    this.removePosition(row);
    this.withdrawn.add(row);
  }

  /** Gives a listing the version that was stored for its record, unless a later record has given it another. */
  setStored(row: number, position: number, id: number): void {
    if (this.order.positionOf(row) === position) this.order.setVersionId(position, id);
    else if (id !== NOT_STORED) this.orphans.push(id);
  }

  /** Lets a listing keep its current version, unless a later record has given it another. @returns whether it does */
  setCurrent(row: number, position: number): boolean {
    if (this.order.positionOf(row) !== position) return false;
    this.order.setVersionId(position, this.current.idOf(row));
    return true;
  }

  /** Lets a listing keep its current version after all, and drops the version that was stored for its record. */
  returnToCurrent(row: number): void {
    const position = this.order.positionOf(row);
    if (!this.order.hasVersion(position)) return;
    const stored = this.order.versionIdAt(position);
    const current = this.current.idOf(row);
    if (stored === current) return;
    this.orphans.push(stored);
    this.order.setVersionId(position, current);
  }

  versionIdOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.versionIdAt(position) : this.current.idOf(row);
  }

  fillOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.fillAt(position) : this.current.fillOf(row);
  }

  dutiesOf(row: number): number {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.dutiesAt(position) : this.current.dutiesOf(row);
  }

  scopeOf(row: number): string {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.scopeAt(position) : this.current.scopeOf(row);
  }

  private revisionOf(row: number): string | null {
    const position = this.order.positionOf(row);
    return this.order.hasVersion(position) ? this.order.revisionAt(position) : this.current.revisionOf(row);
  }

  private removePosition(row: number): void {
    if (this.order.positionOf(row) === NO_POSITION) return;
    const id = this.versionIdOf(row);
    this.order.remove(row);
    // A version without an id becomes an orphan when it is stored.
    if (id !== NOT_STORED && !this.isCurrentVersion(row, id)) this.orphans.push(id);
  }
}
