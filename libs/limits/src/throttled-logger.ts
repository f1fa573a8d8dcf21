const PAUSE_MS = 60_000;

/**
 * A log line for events that may occur a thousand times a second: one at the first event, then at most one per minute, with the
 * number of events since the previous line.
 */
export class ThrottledLogger {
  /** Since the process started. */
  total = 0;
  private sinceLine = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly write: (count: number) => void) {}

  note(): void {
    this.total += 1;
    this.sinceLine += 1;
    if (this.timer === null) this.flush();
  }

  private flush(): void {
    const count = this.sinceLine;
    this.sinceLine = 0;
    this.timer = null;
    if (count === 0) return;
    this.write(count);
    this.timer = setTimeout(() => {
      this.flush();
    }, PAUSE_MS).unref();
  }
}
