/** A page of a walk. */
interface LoggedPage {
  /** Ids of its records, in order; each once. */
  ids: readonly string[];
  /** The place of its first record that the page before does not hold. */
  firstPlace: 0 | 1;
}

interface LoggedWalk {
  /** The number of its first page, counted over all walks. */
  start: number;
  pages: LoggedPage[];
  /** Every record that it has met. */
  ids: Set<string>;
  /** What its pages declare: several numbers, when the list has changed. */
  declared: Set<number>;
  /** How many pages repeat records of others, or do not begin where the page before ended. */
  outOfStep: number;
  hasEnded: boolean;
}

/** What a page says beside its records. */
export interface PageFacts {
  declared?: number | undefined;
  /** Its first record is the last one of the page before, unless something has moved. */
  overlaps?: boolean | undefined;
}

/**
 * The pages of a list that may change between two requests, walk after walk, and what they prove.
 *
 * The last page of a walk tells how long the list is at that moment: as long as the records that were skipped and those that
 * it holds, which are the records of the walk. And a record that is met before that moment and after it was in the list at
 * that moment. So when the next walk meets every record of a walk again, or the last page holds it, the walk is the whole list
 * of that moment, whatever came, went or moved. What the source declares proves nothing: it may be cached, lag, or be wrong.
 *
 * This proof has two gaps: a record that left and came back meanwhile, and a source whose replicas answer in turn. Therefore
 * nothing else may tell of a change either: in both walks no page repeats a record of another, each begins with the record
 * with which the one before ended, where the source can be asked so, and all declare the same.
 */
export class PageLog {
  private readonly walks: LoggedWalk[] = [];

  /** The pages from here on are those of a new walk. */
  startWalk(): void {
    const start = this.walks.reduce((sum, { pages }) => sum + pages.length, 0);
    this.walks.push({ start, pages: [], ids: new Set(), declared: new Set(), outOfStep: 0, hasEnded: false });
  }

  /**
   * Adds the next page. A record that is on it several times counts as several.
   *
   * @returns how many records it adds to its walk.
   */
  add(recordIds: readonly string[], { declared, overlaps = false }: PageFacts): number {
    const walk = this.walks.at(-1)!;
    const lastBefore = walk.pages.at(-1)?.ids.at(-1);
    const ids = numbered(recordIds);
    const isInStep = !overlaps || (ids[0] !== undefined && ids[0] === lastBefore);
    const firstPlace = overlaps && isInStep ? 1 : 0;
    const added = ids.slice(firstPlace);
    if (!isInStep || added.some((id) => walk.ids.has(id))) walk.outOfStep += 1;
    for (const id of added) walk.ids.add(id);
    if (declared !== undefined) walk.declared.add(declared);
    walk.pages.push({ ids, firstPlace });
    return added.length;
  }

  /** Takes note that the newest page was the last one of its walk, and whether it came again as it was. */
  endWalk(isSteady = true): void {
    const walk = this.walks.at(-1)!;
    walk.hasEnded = true;
    if (!isSteady) walk.outOfStep += 1;
  }

  /** The newest walk that is proven to be the whole list: the numbers of its pages, each with its own places on it. */
  findWhole(): Map<number, ReadonlySet<number>> | undefined {
    const [before, newest] = [this.walks.at(-2), this.walks.at(-1)];
    const proven = [newest, before].find((walk) => walk !== undefined && isWhole(walk, newest!));
    return proven && new Map(proven.pages.map((page, index) => [proven.start + index, ownPlaces(page)]));
  }

  /** What the newest page that declares anything declares. */
  get declared(): number | undefined {
    return this.walks.flatMap(({ declared }) => [...declared]).at(-1);
  }

  /** The places of all records of a page but the one that it shares with the page before. */
  ownPlaces(number: number): ReadonlySet<number> {
    const walk = this.walks.findLast(({ start }) => start <= number)!;
    return ownPlaces(walk.pages[number - walk.start]!);
  }

  /** Whether the newest walk has the same records in the same order as the one before. */
  repeatsLastWalk(): boolean {
    const [before, newest] = [this.walks.at(-2), this.walks.at(-1)];
    if (before === undefined || newest === undefined) return false;
    const [a, b] = [ownIds(before), ownIds(newest)];
    return a.length === b.length && a.every((id, place) => id === b[place]);
  }

  /** How many pages of the newest walk repeat a record of an earlier one, or begin elsewhere than that one ended. */
  get pagesOutOfStep(): number {
    return this.walks.at(-1)?.outOfStep ?? 0;
  }
}

/** Whether a walk is the list of the moment of its last page, by what it and the walk after it have met. */
function isWhole(walk: LoggedWalk, newest: LoggedWalk): boolean {
  const isCalm = walk.outOfStep + newest.outOfStep === 0 && new Set([...walk.declared, ...newest.declared]).size <= 1;
  if (!walk.hasEnded || !isCalm) return false;
  const onLastPage = new Set(walk.pages.at(-1)?.ids);
  const metAgain = walk === newest ? onLastPage : newest.ids;
  return [...walk.ids].every((id) => onLastPage.has(id) || metAgain.has(id));
}

function ownPlaces({ ids, firstPlace }: LoggedPage): ReadonlySet<number> {
  return new Set([...ids.keys()].slice(firstPlace));
}

function ownIds({ pages }: LoggedWalk): string[] {
  return pages.flatMap(({ ids, firstPlace }) => ids.slice(firstPlace));
}

/** A page is read in one moment: a record that is on it twice is twice in the list. */
function numbered(ids: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return ids.map((id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}\n${count}`;
  });
}
