import { ApiError } from '@passerelle/domain';
import type { Clock } from '../clock';

const WINDOW_MS = 60_000;
const MOST_ENTRIES = 50_000;

/**
 * At most so many requests a minute for one gateway from one address, counted in this process: with several API
 * processes each counts its own. Off when the limit is null.
 */
export class RateLimit {
  private windowStartMs = -Infinity;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly limitPerMinute: number | null,
    private readonly clock: Clock,
  ) {}

  get isOn(): boolean {
    return this.limitPerMinute !== null;
  }

  /** @throws ApiError RATE_LIMITED */
  count(crm: string, client: string, address: string): void {
    if (this.limitPerMinute === null) return;
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.windowStartMs >= WINDOW_MS) {
      this.windowStartMs = nowMs;
      this.counts.clear();
    }
    const name = `${crm}/${client}/${address}`;
    const count = (this.counts.get(name) ?? 0) + 1;
    // Whoever makes up names cannot fill the memory; who was counted before goes on being counted.
    if (count > 1 || this.counts.size < MOST_ENTRIES) this.counts.set(name, count);
    if (count <= this.limitPerMinute) return;
    const retryAfter = Math.max(1, Math.ceil((this.windowStartMs + WINDOW_MS - nowMs) / 1000));
    throw new ApiError(
      'RATE_LIMITED',
      `Too many requests: at most ${this.limitPerMinute} a minute. Try again in ${retryAfter} s.`,
      { limit_per_minute: this.limitPerMinute },
      { 'retry-after': String(retryAfter) },
    );
  }
}
