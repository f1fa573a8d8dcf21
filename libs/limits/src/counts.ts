import { type Counted, MinuteCounts } from './minute-counts';
import type { SharedCounts } from './shared-counts';

/** Counts by the minute: in Redis, with all other processes, where there is one; else in this process alone. */
export class Counts {
  private readonly local: MinuteCounts;

  /**
   * @param kind begins every name, so that two kinds of counts do not meet in Redis
   * @param windowMs for counts in this process: another window than a minute
   */
  constructor(
    private readonly kind: string,
    private readonly shared: SharedCounts | null,
    monotonicMs: () => number,
    windowMs?: number,
  ) {
    this.local = new MinuteCounts(monotonicMs, undefined, windowMs);
  }

  /** How many names this process counts by itself. */
  get names(): number {
    return this.local.names;
  }

  /** Whether other processes count along, which takes a question to Redis. */
  get isShared(): boolean {
    return this.shared !== null;
  }

  /** Counts an event in all processes that count together. Never fails. */
  async add(name: string): Promise<Counted> {
    return this.shared === null ? this.addHere(name) : this.shared.add(this.nameOf(name), this.local);
  }

  /** Counts an event in this process alone, at once. */
  addHere(name: string): Counted {
    return this.local.add(this.nameOf(name));
  }

  /** Takes back one event that `addHere` counted. */
  takeBackHere(name: string): void {
    this.local.takeBack(this.nameOf(name));
  }

  private nameOf(name: string): string {
    return `${this.kind}:${name}`;
  }
}
