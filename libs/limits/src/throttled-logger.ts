const PAUSE_MS = 60_000;

/** Writes the first event immediately, then at most one line per minute with the number of events since then. */
export class ThrottledLogger {
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
