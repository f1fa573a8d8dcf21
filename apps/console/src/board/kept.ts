import type { Clock } from '../tokens';

/** For so long after somebody asked last, it is loaded again before anybody has to wait for it. */
const WARM_MS = 2 * 60_000;
/** It is loaded again after this share of its time: loading takes time too. */
const RENEWED_AFTER = 0.6;

/** What is loaded at most once in a time, however many ask for it; while it is asked for, nobody waits for it. */
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

  /** The next who asks gets it as it is then. */
  forget(): void {
    this.kept = null;
  }

  /** Loads nothing more by itself. */
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
      // Whoever asks next hears why it cannot be loaded.
      const value = await this.load().catch(() => null);
      // Somebody who has changed something meanwhile wants what is newer than this.
      if (value !== null && before !== null && this.kept === before) {
        this.kept = { value: Promise.resolve(value), atMs };
      }
    }
    this.timer = null;
    if (atMs - this.askedAtMs < WARM_MS) this.renewLater();
  }
}
