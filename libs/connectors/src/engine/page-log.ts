interface LoggedPage {
  /** Ids of its records, in order; each once. */
  ids: readonly string[];
  /** How many records the list has, by this page. */
  declared: number | undefined;
  /** Holds a record that an earlier page of the same walk holds too. */
  repeats: boolean;
}

/** The numbers of the first and the last page that hold a record. */
interface Sighting {
  first: number;
  last: number;
}

/**
 * The pages of a list that may change between two requests, in the order in which they were read, walk after walk, and
 * what they prove.
 *
 * A record that is on two pages was in the list at every moment between them. So when a page declares as many records as
 * are known to have been in the list when it was read, these are the whole list of that moment, whatever came, went or
 * moved before and after. This proof has one gap: a record that left and came back meanwhile. Therefore nothing else may
 * tell of a change either: from the start of that page's walk on, all pages declare the same number, and none repeats a
 * record of another.
 */
export class PageLog {
  readonly #pages: LoggedPage[] = [];
  readonly #sightings = new Map<string, Sighting>();
  /** By page: how many more records than at the page before are known to have been in the list. */
  readonly #steps: number[] = [];
  /** The number of the first page of each walk. */
  readonly #walks: number[] = [];

  /** The pages from here on are those of a new walk. */
  startWalk(): void {
    this.#walks.push(this.#pages.length);
  }

  /** Adds the next page. A record that is on it several times counts as several. */
  add(recordIds: readonly string[], declared: number | undefined): void {
    const page = this.#pages.length;
    const walk = this.#walks.at(-1) ?? 0;
    const ids = numbered(recordIds);
    let repeats = false;
    for (const id of ids) {
      const sighting = this.#sightings.get(id);
      repeats ||= sighting !== undefined && sighting.last >= walk;
      this.#noteKnown(sighting === undefined ? page : sighting.last + 1, page);
      if (sighting === undefined) this.#sightings.set(id, { first: page, last: page });
      else sighting.last = page;
    }
    this.#pages.push({ ids, declared, repeats });
  }

  /** The last page of the two newest walks at whose moment the whole list is known. */
  findWhole(): number | undefined {
    const oldest = this.#walks.at(-2) ?? 0;
    let known = 0;
    let found: number | undefined;
    for (const [page, { declared }] of this.#pages.entries()) {
      known += this.#steps[page] ?? 0;
      if (page >= oldest && known === declared && this.#isCalm(this.walkOf(page), declared)) found = page;
    }
    return found;
  }

  /** The number of the first page of the walk that a page belongs to. */
  walkOf(page: number): number {
    return this.#walks.findLast((walk) => walk <= page) ?? 0;
  }

  /**
   * The list of the moment of a page: which records to take from which page, each once, those of the page's own walk
   * first. Maps the numbers of pages to places in them.
   */
  recordsAt(moment: number): Map<number, ReadonlySet<number>> {
    const taken = new Set<string>();
    const byPage = new Map<number, ReadonlySet<number>>();
    for (let page = this.walkOf(moment); page < this.#pages.length; page += 1) {
      const places = new Set<number>();
      for (const [place, id] of this.#pages[page]!.ids.entries()) {
        const { first, last } = this.#sightings.get(id)!;
        if (first > moment || last < moment || taken.has(id)) continue;
        taken.add(id);
        places.add(place);
      }
      if (places.size > 0) byPage.set(page, places);
    }
    return byPage;
  }

  /** Whether the newest walk has the same records in the same order as the one before. */
  repeatsLastWalk(): boolean {
    const [before, newest] = [this.#walks.at(-2), this.#walks.at(-1)];
    if (before === undefined || newest === undefined) return false;
    const idsOf = (from: number, to?: number): string[] => this.#pages.slice(from, to).flatMap(({ ids }) => ids);
    const [a, b] = [idsOf(before, newest), idsOf(newest)];
    return a.length === b.length && a.every((id, place) => id === b[place]);
  }

  /** How many pages of the newest walk repeat a record of an earlier one. */
  countRepeatingPages(): number {
    return this.#pages.slice(this.#walks.at(-1)).filter(({ repeats }) => repeats).length;
  }

  #isCalm(from: number, declared: number): boolean {
    return this.#pages.slice(from).every((page) => (page.declared ?? declared) === declared && !page.repeats);
  }

  /** One record more is known to have been in the list from one page to another. */
  #noteKnown(from: number, to: number): void {
    this.#steps[from] = (this.#steps[from] ?? 0) + 1;
    this.#steps[to + 1] = (this.#steps[to + 1] ?? 0) - 1;
  }
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
