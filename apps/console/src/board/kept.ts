import type { Clock } from '../tokens';

/** For this long after the last call it is refreshed in advance, so that callers do not wait. */
const WARM_MS = 2 * 60_000;
/** It is refreshed after this share of its time, because loading takes time too. */
const RENEWED_AFTER = 0.6;

/** A value that is loaded at most once in a time for all callers. While it is in use, callers never wait. */
export class Kept<Value> {
  private kept: { value: Promise<Value>; atMs: number } | null = null;
  private askedAtMs = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly keptMs: number,
    private readonly clock: Clock,
    private readonly load: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    this.askedAtMs = this.clock().getTime();
    this.renewLater();
    if (this.kept !== null && this.askedAtMs - this.kept.atMs < this.keptMs) return this.kept.value;
    const value = this.load();
    this.kept = { value, atMs: this.askedAtMs };
    value.catch(() => {
      this.forget();
    });
    return value;
  }

  /** The next caller gets a new value. */
  forget(): void {
    this.kept = null;
  }

  /** Stops refreshing. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.askedAtMs = -Infinity;
  }

  private renewLater(): void {
    this.timer ??= setTimeout(() => void this.renew(), this.keptMs * RENEWED_AFTER).unref();
  }

  private async renew(): Promise<void> {
    const atMs = this.clock().getTime();
    const before = this.kept;
    if (atMs - this.askedAtMs < WARM_MS) {
      // The next caller gets the error.
      const value = await this.load().catch(() => null);
      // A caller that has changed something needs a newer value than the one being loaded.
      if (value !== null && before !== null && this.kept === before) {
        this.kept = { value: Promise.resolve(value), atMs };
      }
    }
    this.timer = null;
    if (atMs - this.askedAtMs < WARM_MS) this.renewLater();
  }
}
