import { ownText } from '@passerelle/domain';

const WINDOW_MS = 60_000;
/** Of names of up to 200 characters: some 12 MB. */
const MOST_NAMES = 50_000;

/** What a name has used of the minute. */
export interface Counted {
  /** With the event that was just counted. */
  count: number;
  /** Until the window is over, in whole seconds; 1 at least. */
  resetSeconds: number;
  /** Whether the count is the one that all names share for which a full table has no room. */
  isShared?: true;
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

  /**
   * @param monotonicMs a clock that never goes back
   * @param windowMs how long events count: another time than a minute
   */
  constructor(
    private readonly monotonicMs: () => number,
    private readonly mostNames = MOST_NAMES,
    private readonly windowMs = WINDOW_MS,
  ) {}

  /** How many names are counted by themselves. */
  get names(): number {
    return this.counts.size;
  }

  add(name: string): Counted {
    const nowMs = this.monotonicMs();
    if (nowMs - this.startMs >= this.windowMs) {
      this.startMs = nowMs;
      this.othersCount = 0;
      this.counts.clear();
    }
    const resetSeconds = Math.max(1, Math.ceil((this.startMs + this.windowMs - nowMs) / 1000));
    const before = this.counts.get(name);
    if (before === undefined && this.counts.size >= this.mostNames) {
      this.othersCount += 1;
      return { count: this.othersCount, resetSeconds, isShared: true };
    }
    const count = (before ?? 0) + 1;
    this.counts.set(before === undefined ? ownText(name) : name, count);
    return { count, resetSeconds };
  }

  /** Takes back one event that was counted under a name. Without effect when its window is over. */
  takeBack(name: string): void {
    const count = this.counts.get(name);
    if (count === undefined) this.othersCount = Math.max(0, this.othersCount - 1);
    else this.counts.set(name, Math.max(0, count - 1));
  }
}
