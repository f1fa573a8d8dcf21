import { ownText } from '@passerelle/domain';

const WINDOW_MS = 60_000;
/** The maximum number of names; with names of 200 characters, this takes about 12 MB. */
const MOST_NAMES = 50_000;

export interface Counted {
  /** Including the event that was just counted. */
  count: number;
  /** Seconds until the window ends, rounded up; at least 1. */
  resetSeconds: number;
  /** Whether this is the shared count of all names that did not fit into the full table. */
  isShared?: true;
}

/** Counts events by name. Beyond `mostNames`, further names share one count, so that a flood removes no counts. */
export class MinuteCounts {
  private startMs = -Infinity;
  private readonly counts = new Map<string, number>();
  private othersCount = 0;

  /** @param monotonicMs a clock that never goes back. @param windowMs default: one minute */
  constructor(
    private readonly monotonicMs: () => number,
    private readonly mostNames = MOST_NAMES,
    private readonly windowMs = WINDOW_MS,
  ) {}

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

  /** Removes one counted event of a name. Has no effect after the event's window. */
  undo(name: string): void {
    const count = this.counts.get(name);
    if (count === undefined) this.othersCount = Math.max(0, this.othersCount - 1);
    else this.counts.set(name, Math.max(0, count - 1));
  }
}
