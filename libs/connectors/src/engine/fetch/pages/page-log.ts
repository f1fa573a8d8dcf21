interface LoggedPage {
  /** Unique ids of its records, in order. */
  ids: readonly string[];
  /** The position of its first record that is not shared with the previous pages. */
  firstPosition: number;
}

interface LoggedWalk {
  /** The number of its first page, counted over all walks. */
  start: number;
  pages: LoggedPage[];
  ids: Set<string>;
  /** The ids of its records in the source's order, without those shared with earlier pages. */
  recordIds: string[];
  /** The totals that its pages declare: more than one when the list has changed. */
  declared: Set<number>;
  /** How many of its pages repeat records of other pages, or do not begin where the previous page ended. */
  outOfStep: number;
  /** Whether each page except the first was requested so that it shares records with the previous one. */
  overlaps: boolean;
  hasEnded: boolean;
}

export interface PageFacts {
  declared?: number | undefined;
  /** How many records at the start of the page repeat the walk's last records, if no record has moved. */
  overlaps?: number | undefined;
}

/**
 * Logs walks through a list that may change between two requests, and decides which list they prove. The last page of a
 * walk shows the length of the list at that moment, and a record seen before and after that moment was in the list. So
 * a walk is the whole list of that moment when each of its records is on its last page or appears again in the next
 * walk. The declared total proves nothing: it may be cached, late, or wrong.
 * This reasoning has two gaps: a record that left and came back in between, and a source with alternating replicas.
 * Therefore there must be no other sign of a change: in both walks, no page repeats a record of another page, each page
 * begins with the last records of the previous pages, all pages declare the same total, and the second walk sees the
 * records in the order of the first. Pages that cannot be requested with shared records prove nothing.
 */
export class PageLog {
  private readonly walks: LoggedWalk[] = [];

  startWalk(): void {
    const start = this.walks.reduce((sum, { pages }) => sum + pages.length, 0);
    this.walks.push({
      ...{ start, pages: [], ids: new Set(), recordIds: [], declared: new Set() },
      ...{ outOfStep: 0, overlaps: true, hasEnded: false },
    });
  }

  /**
   * Adds a page to the current walk. A record that is on it several times counts several times. @returns how many
   * records the page adds.
   */
  add(recordIds: readonly string[], { declared, overlaps = 0 }: PageFacts): number {
    const walk = this.walks.at(-1)!;
    const shared = walk.recordIds.slice(walk.recordIds.length - overlaps);
    const isInStep = shared.length === overlaps && shared.every((id, position) => recordIds[position] === id);
    const firstPosition = isInStep ? overlaps : 0;
    const ids = numbered(recordIds);
    const added = ids.slice(firstPosition);
    if (!isInStep || added.some((id) => walk.ids.has(id))) walk.outOfStep += 1;
    if (walk.pages.length > 0 && overlaps === 0) walk.overlaps = false;
    for (const id of added) walk.ids.add(id);
    walk.recordIds.push(...recordIds.slice(firstPosition));
    if (declared !== undefined) walk.declared.add(declared);
    walk.pages.push({ ids, firstPosition });
    return added.length;
  }

  endWalk(): void {
    this.walks.at(-1)!.hasEnded = true;
  }

  /** Whether the newest walk can prove a list, because each of its pages shares records with the previous page. */
  get canProve(): boolean {
    return this.walks.at(-1)?.overlaps === true;
  }

  /**
   * The newest walk that is proven to be the whole list, as page numbers with the positions of each page's own records.
   */
  findWhole(): Map<number, ReadonlySet<number>> | undefined {
    const [before, newest] = [this.walks.at(-2), this.walks.at(-1)];
    const proven = [newest, before].find((walk) => walk !== undefined && isWhole(walk, newest!));
    return proven && new Map(proven.pages.map((page, index) => [proven.start + index, ownPositions(page)]));
  }

  /** The total on the newest page that declares one. */
  get declared(): number | undefined {
    return this.walks.flatMap(({ declared }) => [...declared]).at(-1);
  }

  /** The positions of all records of a page, except those shared with earlier pages. */
  ownPositions(number: number): ReadonlySet<number> {
    const walk = this.walks.findLast(({ start }) => start <= number)!;
    return ownPositions(walk.pages[number - walk.start]!);
  }

  repeatsLastWalk(): boolean {
    const [before, newest] = [this.walks.at(-2), this.walks.at(-1)];
    if (before === undefined || newest === undefined) return false;
    return before.recordIds.length === newest.recordIds.length && agree(before, newest);
  }

  get pagesOutOfStep(): number {
    return this.walks.at(-1)?.outOfStep ?? 0;
  }
}

function isWhole(walk: LoggedWalk, newest: LoggedWalk): boolean {
  const isCalm = walk.outOfStep + newest.outOfStep === 0 && new Set([...walk.declared, ...newest.declared]).size <= 1;
  if (!walk.hasEnded || !isCalm || !walk.overlaps || !agree(walk, newest)) return false;
  const onLastPage = new Set(walk.pages.at(-1)?.ids);
  const metAgain = walk === newest ? onLastPage : newest.ids;
  return [...walk.ids].every((id) => onLastPage.has(id) || metAgain.has(id));
}

function ownPositions({ ids, firstPosition }: LoggedPage): ReadonlySet<number> {
  return new Set([...ids.keys()].slice(firstPosition));
}

/** Whether two walks have the same records in the same order, up to the end of the shorter walk. */
function agree({ recordIds: one }: LoggedWalk, { recordIds: other }: LoggedWalk): boolean {
  const both = Math.min(one.length, other.length);
  for (let position = 0; position < both; position += 1) if (one[position] !== other[position]) return false;
  return true;
}

/** Makes repeated ids unique. A page is read in one moment, so a record that is on it twice is in the list twice. */
function numbered(ids: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return ids.map((id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}\n${count}`;
  });
}
