import { IS_FULL_SIZE, sizeOf } from '../full-size';
import { type Choices, choicesOf } from './choices';
import type { DroppedFeed } from './read-dropped';

/** A change by one user. */
const WRITES = ['delete', 'insert', 'insert in front', 'move to the front'] as const;
const MOVES = [...WRITES, 'swap', 'shuffle'] as const;

/** The list of a CRM that changes while it is read. */
export class MovingList {
  readonly ids: number[];
  /** The records that were in the list the whole time. */
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

  /** Makes one random change of any kind. */
  move(): void {
    this.change(this.choices.pick(MOVES));
  }

  /** Makes one change that a single write to a database can cause. */
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

  /** The records that were in the list the whole time but are not in `ids`. */
  missingFrom(ids: Iterable<number>): number[] {
    const found = new Set(ids);
    return [...this.always].filter((id) => !found.has(id));
  }

  private swap(a: number, b: number): void {
    [this.ids[a], this.ids[b]] = [this.ids[b]!, this.ids[a]!];
  }
}

/** Kinds of totals that a source declares. Each function gets the list's length at every request so far. */
export const TOTALS: readonly (readonly [name: string, of: (lengths: readonly number[]) => number | undefined])[] = [
  ['is right', (lengths) => lengths.at(-1)],
  ['does not change', () => 6],
  ['is too low', (lengths) => Math.floor(lengths.at(-1)! / 2)],
  ['is too high by one', (lengths) => lengths.at(-1)! + 1],
  ['lags', (lengths) => lengths.at(-3) ?? lengths[0]],
  ['is absent', () => undefined],
];

/** A changing list at a source whose total may be wrong, and which may have two replicas that differ by one write. */
export class MovingSource {
  readonly list: MovingList;
  private readonly totalOf: (typeof TOTALS)[number][1];
  private readonly replicas: 'one' | 'in turn' | 'at random';
  private readonly likelihood: number;
  private readonly lengths: number[] = [];
  private behind: readonly number[];

  constructor(private readonly choices: Choices) {
    this.list = new MovingList(choices, choices.integer(3, 9));
    [, this.totalOf] = choices.pick(TOTALS);
    this.replicas = choices.pick(['one', 'in turn', 'at random']);
    this.likelihood = choices.pick([0, 0.05, 0.3, 1]);
    this.behind = [...this.list.ids];
    this.list.write();
  }

  /** Returns the list and the total for the next page. */
  answer(): { ids: readonly number[]; total: number | undefined } {
    const { choices, list, lengths, replicas } = this;
    if (choices.chance(this.likelihood)) {
      for (let moves = choices.integer(1, 3); moves > 0; moves -= 1) {
        this.behind = [...list.ids];
        list.write();
      }
    }
    const isBehind = replicas !== 'one' && (replicas === 'in turn' ? lengths.length % 2 === 1 : choices.chance(0.5));
    const ids = isBehind ? this.behind : list.ids;
    lengths.push(ids.length);
    return { ids, total: this.totalOf(lengths) };
  }
}

/** The number of imports in each random test. `WALKS=2400` is for longer tests. */
export const WALKS = sizeOf('WALKS', { brief: 12, full: 60 });
/** The test proves something only if more imports than this are complete. */
export const LEAST_COMPLETE = IS_FULL_SIZE ? WALKS / 10 : 0;

/** Reads random sources with different kinds of totals and replicas. */
export async function readMovingSources(
  sources: number,
  read: (source: MovingSource) => Promise<DroppedFeed>,
): Promise<MovingReads> {
  const reads: MovingReads = { complete: 0, lacking: [] };
  for (let seed = 1; seed <= sources; seed += 1) {
    const source = new MovingSource(choicesOf(seed));
    note(reads, seed, source.list, await read(source));
  }
  return reads;
}

function note(reads: MovingReads, seed: number, list: MovingList, { listings, summary }: DroppedFeed): void {
  if (summary.incomplete !== null) return;
  reads.complete += 1;
  const missing = list.missingFrom(listings.map(({ affId }) => Number(affId)));
  if (missing.length > 0) reads.lacking.push({ seed, missing });
}

/** The results of importing many changing lists. */
export interface MovingReads {
  /** The number of imports that counted as complete. */
  complete: number;
  /** The imports that counted as complete although they lack records that were in the list the whole time. */
  lacking: { seed: number; missing: number[] }[];
}

/**
 * Reads lists of a few listings. Before each page, a list changes up to three times, with a probability per list.
 * @param read gets the list, and a function to call before each page
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
    const feed = await read(list, () => {
      if (choices.chance(likelihood)) for (let moves = choices.integer(1, 3); moves > 0; moves -= 1) list.move();
    });
    note(reads, seed, list, feed);
  }
  return reads;
}
