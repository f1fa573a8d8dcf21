import type { Clock } from '../tokens';

/** For this time after the last call, the value is refreshed in advance, so that callers do not wait. */
const WARM_MS = 2 * 60_000;
/** The share of its lifetime after which the value is refreshed, because loading takes time too. */
const RENEWED_AFTER = 0.6;

/** A value that is loaded at most once per period for all callers. While it is in use, callers never wait. */
export class CachedValue<Value> {
  private cached: { value: Promise<Value>; atMs: number } | null = null;
  private readAtMs = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly maxAgeMs: number,
    private readonly clock: Clock,
    private readonly load: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    this.readAtMs = this.clock().getTime();
    this.renewLater();
    if (this.cached !== null && this.readAtMs - this.cached.atMs < this.maxAgeMs) return this.cached.value;
    const value = this.load();
    this.cached = { value, atMs: this.readAtMs };
    value.catch(() => {
      this.forget();
    });
    return value;
  }

  /** Drops the value: the next caller gets a new one. */
  forget(): void {
    this.cached = null;
  }

  /** Stops refreshing. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.readAtMs = -Infinity;
  }

  private renewLater(): void {
    this.timer ??= setTimeout(() => void this.renew(), this.maxAgeMs * RENEWED_AFTER).unref();
  }

  private async renew(): Promise<void> {
    const atMs = this.clock().getTime();
    const before = this.cached;
    if (atMs - this.readAtMs < WARM_MS) {
      // This failure is ignored; if loading fails again, the next caller gets the error.
      const value = await this.load().catch(() => null);
      // A caller that has changed something needs a newer value than the one being loaded.
      if (value !== null && before !== null && this.cached === before) {
        this.cached = { value: Promise.resolve(value), atMs };
      }
    }
    this.timer = null;
    if (atMs - this.readAtMs < WARM_MS) this.renewLater();
  }
}
