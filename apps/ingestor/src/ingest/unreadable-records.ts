import type { CurrentVersions } from './current-versions';
import { NO_POSITION } from './feed-order';
import type { Placement } from './placement';

/** Whether listings with unreadable records keep their current version, and which listings already do. */
export interface KeepingRule {
  isOn: boolean;
  /** By `affId`: whether the time for which the listing may keep its version is over. */
  marks: ReadonlyMap<string, { isOver: boolean }>;
}

export const KEEPS_NOTHING: KeepingRule = { isOn: false, marks: new Map() };

/** The unreadable records of a feed, and the rows of the current snapshot that stay because of them. */
export class UnreadableRecords {
  /** Rows that stay, in the order of their new positions. */
  readonly kept = new Set<number>();
  /** Rows whose permitted time is over. */
  readonly over = new Set<number>();
  private readonly named = new Map<number, number>();
  /** The positions of records without any identifier. */
  private readonly unidentified: number[] = [];

  constructor(
    private readonly current: CurrentVersions,
    private readonly placement: Placement,
    private readonly rule: KeepingRule,
  ) {}

  get hasUnidentified(): boolean {
    return this.unidentified.length > 0;
  }

  /** Notes the next record of the feed. @param recordId undefined if it has none */
  note(recordId: string | undefined): void {
    if (!this.rule.isOn) return;
    if (recordId === undefined) {
      this.unidentified.push(this.placement.order.reserve());
      return;
    }
    const row = this.current.rowOf(recordId);
    if (row !== undefined && !this.named.has(row)) this.named.set(row, this.placement.order.reserve());
  }

  /** Keeps the listing of an unreadable record, unless another record contains or withdraws the listing. */
  keepNamed(): void {
    const { order, withdrawn } = this.placement;
    for (const [row, position] of this.named) {
      if (order.positionOf(row) === NO_POSITION && !withdrawn.has(row)) this.keep(row, position);
    }
  }

  /** Keeps one absent listing per unidentified record: first those already kept, then neighbours, then the first. */
  keepAbsent(absent: readonly number[]): void {
    const neighbours = this.findNeighbours(new Set(absent));
    const marked = absent.filter((row) => this.rule.marks.has(this.current.affIdOf(row)));
    const chosen = [...new Set([...marked, ...neighbours.values(), ...absent])];
    const rows = new Set(chosen.slice(0, this.unidentified.length));
    const free: number[] = [];
    for (const position of this.unidentified) {
      const row = neighbours.get(position);
      if (row !== undefined && rows.delete(row)) this.keep(row, position);
      else free.push(position);
    }
    for (const [index, row] of [...rows].entries()) this.keep(row, free[index]!);
  }

  /** The `affId`s of all kept listings of a new snapshot, including those that the feed does not contain. */
  listKept(rows: readonly number[]): string[] {
    if (!this.rule.isOn) return [];
    const { current, placement, rule } = this;
    const kept = [...this.kept].map((row) => current.affIdOf(row));
    if (rule.marks.size === 0) return kept;
    const isUnread = (row: number): boolean =>
      placement.isInCurrent(row) && placement.order.positionOf(row) === NO_POSITION;
    const unread = rows.filter(isUnread).map((row) => current.affIdOf(row));
    return [...kept, ...unread.filter((affId) => rule.marks.has(affId))];
  }

  private keep(row: number, position: number): void {
    if (this.rule.marks.get(this.current.affIdOf(row))?.isOver === true) {
      this.over.add(row);
      return;
    }
    this.placement.order.fill(position, row);
    this.kept.add(row);
  }

  /** By position of an unidentified record: the absent row that follows its neighbour in the current snapshot. */
  private findNeighbours(absent: ReadonlySet<number>): Map<number, number> {
    const { order } = this.placement;
    const found = new Map<number, number>();
    let position = 0;
    let before = -1;
    for (const at of this.unidentified) {
      for (; position < at; position += 1) {
        const row = order.rowAt(position);
        if (row !== undefined && this.placement.isInCurrent(row)) before = row;
      }
      if (!absent.has(before + 1)) continue;
      before += 1;
      found.set(at, before);
    }
    return found;
  }
}
