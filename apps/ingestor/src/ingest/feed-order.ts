import { NumberColumn } from './columns/number-column';
import { ScopeColumn } from './columns/scope-column';
import { TextColumn } from './columns/text-column';

/** The position of a listing that the feed has not named so far, or has withdrawn. */
export const NO_POSITION = -1;
/** The value for a position whose listing was moved by a later record. */
const NO_ROW = -1;

/** Used instead of a version when the current version stays. */
const CURRENT_VERSION = -1;

export interface FeedVersion {
  id: number;
  fill: number;
  duties: number;
  scope: string;
  revision: string | null;
}

/** The listings that a feed names, by their rows, each at a position in the feed's order. */
export class FeedOrder {
  /** By row. */
  private readonly positions = NumberColumn.ofSmall();
  /** By position. */
  private readonly rows = NumberColumn.ofSmall();
  /** The index of each version in the columns below, by position. */
  private readonly versions = NumberColumn.ofSmall();
  private readonly versionIds = NumberColumn.ofLarge();
  private readonly fills = NumberColumn.ofSmall();
  private readonly duties = NumberColumn.ofSmall();
  private readonly revisions = new TextColumn();
  private readonly scopes = new ScopeColumn();

  /** Gives a row the next position. @returns the position. */
  add(row: number, { id, fill, duties, scope, revision }: FeedVersion): number {
    this.fills.push(fill);
    this.duties.push(duties);
    this.revisions.push(revision ?? '');
    this.scopes.push(scope);
    return this.place(row, this.versionIds.push(id));
  }

  /** Gives the next position to a row that keeps its current version, and notes its scope. @returns the position. */
  keep(row: number, scope: string): number {
    this.scopes.add(scope);
    return this.place(row, CURRENT_VERSION);
  }

  /** Reserves the next position for a row that `fill` may name later. @returns the position. */
  reserve(): number {
    this.versions.push(CURRENT_VERSION);
    return this.rows.push(NO_ROW);
  }

  /** Assigns a reserved position to a row without one, whose current version stays. */
  fill(position: number, row: number): void {
    this.rows.set(position, row);
    this.setPosition(row, position);
  }

  rowAt(position: number): number | undefined {
    const row = this.rows.at(position);
    return row === NO_ROW ? undefined : row;
  }

  remove(row: number): void {
    this.rows.set(this.positionOf(row), NO_ROW);
    this.positions.set(row, NO_POSITION);
  }

  addScope(scope: string): void {
    this.scopes.add(scope);
  }

  listScopes(): readonly string[] {
    return this.scopes.list();
  }

  listRows(): number[] {
    const rows: number[] = [];
    for (let position = 0; position < this.rows.length; position += 1) {
      const row = this.rows.at(position);
      if (row !== NO_ROW) rows.push(row);
    }
    return rows;
  }

  positionOf(row: number): number {
    return row < this.positions.length ? this.positions.at(row) : NO_POSITION;
  }

  /** Whether the feed has a version for a position; if not, the current version stays. */
  hasVersion(position: number): boolean {
    return position !== NO_POSITION && this.versions.at(position) !== CURRENT_VERSION;
  }

  versionIdAt(position: number): number {
    return this.versionIds.at(this.versions.at(position));
  }

  setVersionId(position: number, id: number): void {
    this.versionIds.set(this.versions.at(position), id);
  }

  fillAt(position: number): number {
    return this.fills.at(this.versions.at(position));
  }

  dutiesAt(position: number): number {
    return this.duties.at(this.versions.at(position));
  }

  revisionAt(position: number): string | null {
    return this.revisions.at(this.versions.at(position)) || null;
  }

  scopeAt(position: number): string {
    return this.scopes.at(this.versions.at(position));
  }

  private place(row: number, version: number): number {
    this.versions.push(version);
    const position = this.rows.push(row);
    this.setPosition(row, position);
    return position;
  }

  private setPosition(row: number, position: number): void {
    while (this.positions.length <= row) this.positions.push(NO_POSITION);
    this.positions.set(row, position);
  }
}
