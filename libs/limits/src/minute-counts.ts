import { ownText } from '@passerelle/domain';

const WINDOW_MS = 60_000;
/** Of names of up to 200 characters: some 12 MB. */
const MOST_NAMES = 50_000;

/** What a name has used of the minute. */
export interface Counted {
  /** With the event that was just counted. */
  count: number;
  /** Until the minute is over, in whole seconds; 1 at least. */
  resetSeconds: number;
}

/**
 * How often something happened under a name in the minute that runs, in this process. Its memory is bounded: once it holds
 * `mostNames`, all further names share one count until the minute is over. So a flood of made-up names limits those that come
 * new with it, and never frees anybody from a limit.
 */
export class MinuteCounts {
  private startMs = -Infinity;
  private readonly counts = new Map<string, number>();
  private othersCount = 0;

  /** @param monotonicMs a clock that never goes back */
  constructor(
    private readonly monotonicMs: () => number,
    private readonly mostNames = MOST_NAMES,
  ) {}

  /** How many names are counted by themselves. */
  get names(): number {
    return this.counts.size;
  }

  add(name: string): Counted {
    const nowMs = this.monotonicMs();
    if (nowMs - this.startMs >= WINDOW_MS) {
      this.startMs = nowMs;
      this.othersCount = 0;
      this.counts.clear();
    }
    const resetSeconds = Math.max(1, Math.ceil((this.startMs + WINDOW_MS - nowMs) / 1000));
    const before = this.counts.get(name);
    if (before === undefined && this.counts.size >= this.mostNames) {
      this.othersCount += 1;
      return { count: this.othersCount, resetSeconds };
    }
    const count = (before ?? 0) + 1;
    this.counts.set(before === undefined ? ownText(name) : name, count);
    return { count, resetSeconds };
  }
}
