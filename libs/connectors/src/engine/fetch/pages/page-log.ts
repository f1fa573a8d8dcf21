/** A page of a walk. */
interface LoggedPage {
  /** Ids of its records, in order; each once. */
  ids: readonly string[];
  /** The place of its first record that the pages before do not hold. */
  firstPlace: number;
}

interface LoggedWalk {
  /** The number of its first page, counted over all walks. */
  start: number;
  pages: LoggedPage[];
  /** Every record that it has met. */
  ids: Set<string>;
  /** The ids of its records in order, as the source gives them: without those that a page shares with the ones before. */
  given: string[];
  /** What its pages declare: several numbers, when the list has changed. */
  declared: Set<number>;
  /** How many pages repeat records of others, or do not begin where the page before ended. */
  outOfStep: number;
  /** Each page but the first was asked for so that it shares records with the one before. */
  overlaps: boolean;
  hasEnded: boolean;
}

/** What a page says beside its records. */
export interface PageFacts {
  declared?: number | undefined;
  /** How many of the last records of the walk it begins with, unless something has moved. */
  overlaps?: number | undefined;
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
 * nothing else may tell of a change either: in both walks no page repeats a record of another, each begins with the records
 * with which the ones before ended, all declare the same, and the second walk meets the records in the order of the first.
 * Where pages cannot be asked for so that they share records, nothing is proven.
 */
export class PageLog {
  private readonly walks: LoggedWalk[] = [];

  /** The pages from here on are those of a new walk. */
  startWalk(): void {
    const start = this.walks.reduce((sum, { pages }) => sum + pages.length, 0);
    this.walks.push({
      ...{ start, pages: [], ids: new Set(), given: [], declared: new Set() },
      ...{ outOfStep: 0, overlaps: true, hasEnded: false },
    });
  }

  /**
   * Adds the next page. A record that is on it several times counts as several.
   *
   * @returns how many records it adds to its walk.
   */
  add(recordIds: readonly string[], { declared, overlaps = 0 }: PageFacts): number {
    const walk = this.walks.at(-1)!;
    const shared = walk.given.slice(walk.given.length - overlaps);
    const isInStep = shared.length === overlaps && shared.every((id, place) => recordIds[place] === id);
    const firstPlace = isInStep ? overlaps : 0;
    const ids = numbered(recordIds);
    const added = ids.slice(firstPlace);
    if (!isInStep || added.some((id) => walk.ids.has(id))) walk.outOfStep += 1;
    if (walk.pages.length > 0 && overlaps === 0) walk.overlaps = false;
    for (const id of added) walk.ids.add(id);
    walk.given.push(...recordIds.slice(firstPlace));
    if (declared !== undefined) walk.declared.add(declared);
    walk.pages.push({ ids, firstPlace });
    return added.length;
  }

  /** Takes note that the newest page was the last one of its walk. */
  endWalk(): void {
    this.walks.at(-1)!.hasEnded = true;
  }

  /** Whether the pages of the newest walk can prove anything: each shares records with the one before. */
  get canProve(): boolean {
    return this.walks.at(-1)?.overlaps === true;
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

  /** The places of all records of a page but those that it shares with the pages before. */
  ownPlaces(number: number): ReadonlySet<number> {
    const walk = this.walks.findLast(({ start }) => start <= number)!;
    return ownPlaces(walk.pages[number - walk.start]!);
  }

  /** Whether the newest walk has the same records in the same order as the one before. */
  repeatsLastWalk(): boolean {
    const [before, newest] = [this.walks.at(-2), this.walks.at(-1)];
    if (before === undefined || newest === undefined) return false;
    return before.given.length === newest.given.length && agree(before, newest);
  }

  /** How many pages of the newest walk repeat a record of an earlier one, or begin elsewhere than that one ended. */
  get pagesOutOfStep(): number {
    return this.walks.at(-1)?.outOfStep ?? 0;
  }
}

/** Whether a walk is the list of the moment of its last page, by what it and the walk after it have met. */
function isWhole(walk: LoggedWalk, newest: LoggedWalk): boolean {
  const isCalm = walk.outOfStep + newest.outOfStep === 0 && new Set([...walk.declared, ...newest.declared]).size <= 1;
  if (!walk.hasEnded || !isCalm || !walk.overlaps || !agree(walk, newest)) return false;
  const onLastPage = new Set(walk.pages.at(-1)?.ids);
  const metAgain = walk === newest ? onLastPage : newest.ids;
  return [...walk.ids].every((id) => onLastPage.has(id) || metAgain.has(id));
}

function ownPlaces({ ids, firstPlace }: LoggedPage): ReadonlySet<number> {
  return new Set([...ids.keys()].slice(firstPlace));
}

/** Whether two walks meet the same records in the same order, as far as both have come. */
function agree({ given: one }: LoggedWalk, { given: other }: LoggedWalk): boolean {
  const both = Math.min(one.length, other.length);
  for (let place = 0; place < both; place += 1) if (one[place] !== other[place]) return false;
  return true;
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
