import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';

const WINDOW_MS = 60_000;

/** The age of the oldest snapshot that was served within the last two minutes, with one scrape per minute. */
@Injectable()
export class SnapshotAges {
  private latestMs = 0;
  private beforeMs = 0;
  private windowStartMs: number;

  constructor(private readonly clock: Clock) {
    this.windowStartMs = clock.monotonicMs();
  }

  /** Called for every response, so it only makes a comparison. */
  see(ageMs: number | null): void {
    if (ageMs !== null && ageMs > this.latestMs) this.latestMs = ageMs;
  }

  /** Null when no snapshot was served. */
  oldestMs(): number | null {
    const oldestMs = Math.max(this.latestMs, this.beforeMs);
    if (this.clock.monotonicMs() - this.windowStartMs >= WINDOW_MS) {
      this.windowStartMs = this.clock.monotonicMs();
      this.beforeMs = this.latestMs;
      this.latestMs = 0;
    }
    return oldestMs === 0 ? null : oldestMs;
  }
}
