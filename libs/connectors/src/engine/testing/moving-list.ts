import { type Choices, choicesOf } from './choices';
import type { DroppedFeed } from './read-dropped';

/** What one user changes. */
const WRITES = ['delete', 'insert', 'insert in front', 'move to the front'] as const;
const MOVES = [...WRITES, 'swap', 'shuffle'] as const;

/** The list of a CRM whose users work while it is read. */
export class MovingList {
  readonly ids: number[];
  /** What was in the list all the time. */
  readonly always: Set<number>;
  private nextId: number;

  constructor(
    private readonly choices: Choices,
    size: number,
  ) {
    this.ids = Array.from({ length: size }, (_, index) => index + 1);
    this.always = new Set(this.ids);
    this.nextId = size + 1;
  }

  /** Changes it once, in any way. */
  move(): void {
    this.change(this.choices.pick(MOVES));
  }

  /** Changes it as one write to a database does. */
  write(): void {
    this.change(this.choices.pick(WRITES));
  }

  private change(move: (typeof MOVES)[number]): void {
    const { ids, choices } = this;
    const anywhere = (): number => choices.integer(0, ids.length - 1);
    if (move === 'insert') ids.splice(choices.integer(0, ids.length), 0, this.nextId++);
    else if (move === 'insert in front') ids.unshift(this.nextId++);
    else if (ids.length === 0) return;
    else if (move === 'delete') this.always.delete(ids.splice(anywhere(), 1)[0]!);
    else if (move === 'move to the front') ids.unshift(...ids.splice(anywhere(), 1));
    else if (move === 'swap') this.swap(anywhere(), anywhere());
    else for (let at = ids.length - 1; at > 0; at -= 1) this.swap(at, choices.integer(0, at));
  }

  /** What was in the list all the time and is not among `ids`. */
  missingFrom(ids: Iterable<number>): number[] {
    const found = new Set(ids);
    return [...this.always].filter((id) => !found.has(id));
  }

  private swap(a: number, b: number): void {
    [this.ids[a], this.ids[b]] = [this.ids[b]!, this.ids[a]!];
  }
}

/** What came out of reading many lists while they moved. */
export interface MovingReads {
  /** How many were read whole. */
  complete: number;
  /** Those that were called whole and lack what was there all the time. */
  lacking: { seed: number; missing: number[] }[];
}

/**
 * Reads lists of a few listings, each of which moves with its own likelihood, up to three times before a page.
 *
 * @param read gets the list, and what to call before each page.
 */
export async function readWhileMoving(
  lists: number,
  read: (list: MovingList, beforePage: () => void) => Promise<DroppedFeed>,
): Promise<MovingReads> {
  const reads: MovingReads = { complete: 0, lacking: [] };
  for (let seed = 1; seed <= lists; seed += 1) {
    const choices = choicesOf(seed);
    const list = new MovingList(choices, choices.integer(3, 9));
    const likelihood = choices.pick([0.05, 0.3, 1]);
    const { listings, summary } = await read(list, () => {
      if (choices.chance(likelihood)) for (let moves = choices.integer(1, 3); moves > 0; moves -= 1) list.move();
    });
    if (summary.incomplete !== null) continue;
    reads.complete += 1;
    const missing = list.missingFrom(listings.map(({ affId }) => Number(affId)));
    if (missing.length > 0) reads.lacking.push({ seed, missing });
  }
  return reads;
}
