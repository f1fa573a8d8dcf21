import { type Counted, MinuteCounts } from './minute-counts';
import type { SharedCounts } from './shared-counts';

/** Counts events per minute: with Redis, together with all other processes; otherwise in this process only. */
export class Counts {
  private readonly local: MinuteCounts;

  /** @param kind prefix of names, so that two kinds do not collide in Redis. @param windowMs default: one minute */
  constructor(
    private readonly kind: string,
    private readonly shared: SharedCounts | null,
    monotonicMs: () => number,
    windowMs?: number,
  ) {
    this.local = new MinuteCounts(monotonicMs, undefined, windowMs);
  }

  get names(): number {
    return this.local.names;
  }

  /** Whether other processes share the counts; each count is then a request to Redis. */
  get isShared(): boolean {
    return this.shared !== null;
  }

  /** Counts an event in all processes that share the counts. Never fails. */
  async add(name: string): Promise<Counted> {
    return this.shared === null ? this.addHere(name) : this.shared.add(this.nameOf(name), this.local);
  }

  /** Counts an event synchronously, in this process only. */
  addHere(name: string): Counted {
    return this.local.add(this.nameOf(name));
  }

  /** Faster than `addHere`, which must build and hash the name for each event. */
  counterHere(name: string): () => Counted {
    const own = this.nameOf(name);
    return () => this.local.add(own);
  }

  undoHere(name: string): void {
    this.local.undo(this.nameOf(name));
  }

  private nameOf(name: string): string {
    return `${this.kind}:${name}`;
  }
}
