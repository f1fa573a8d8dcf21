/** Clocks drift apart, and the database's clock may be set back: drop samples that are older than twice this time. */
const WINDOW_MS = 60_000;

/** Adds an offset to the monotonic clock. The sample with the shortest response time gives the best offset. */
export class DatabaseClock {
  private aheadMs = -Infinity;
  private formerAheadMs = -Infinity;
  private windowEndsMs = 0;

  /** Adds a sample: the database's time in a response that has just arrived, in ms since 1970. */
  note(databaseMs: number, nowMs = performance.now()): void {
    this.turn(nowMs);
    this.aheadMs = Math.max(this.aheadMs, databaseMs - nowMs);
  }

  /** In ms since 1970; null when there is no recent sample. */
  nowMs(nowMs = performance.now()): number | null {
    this.turn(nowMs);
    const aheadMs = Math.max(this.aheadMs, this.formerAheadMs);
    return aheadMs === -Infinity ? null : nowMs + aheadMs;
  }

  private turn(nowMs: number): void {
    if (nowMs < this.windowEndsMs) return;
    this.formerAheadMs = nowMs < this.windowEndsMs + WINDOW_MS ? this.aheadMs : -Infinity;
    this.aheadMs = -Infinity;
    this.windowEndsMs = nowMs + WINDOW_MS;
  }
}
