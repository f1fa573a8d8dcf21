import { Injectable } from '@nestjs/common';

/** Clocks drift apart, and that of the database may be set back: what was seen longer ago than twice this is forgotten. */
const WINDOW_MS = 60_000;

/**
 * What time it is by the database's clock, without asking. Each answer that has the database's time says how far its clock is
 * ahead of this process' monotonic one, less the time that the answer took; the one that took least is the most exact.
 */
@Injectable()
export class DatabaseClock {
  private aheadMs = -Infinity;
  private formerAheadMs = -Infinity;
  private windowEndsMs = 0;

  /** Takes note of the database's time in an answer that has just come, in ms since 1970. */
  note(databaseMs: number, nowMs = performance.now()): void {
    this.turn(nowMs);
    this.aheadMs = Math.max(this.aheadMs, databaseMs - nowMs);
  }

  /** In ms since 1970; null when no answer has told it for a while. */
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
