/**
 * Does one thing again and again, never twice at once: after a pause, and at once when somebody asks for it. After a failure there is
 * always a pause, whoever asks.
 */
export class Ticks {
  private timer: NodeJS.Timeout | null = null;
  private current: Promise<void> | null = null;
  private isAsked = false;
  /** After a failure. */
  private isPausing = false;
  private isStopped = false;

  /**
   * @param tick returns for how long to pause behind it, in ms
   * @param failed is told what it throws, and returns the pause
   */
  constructor(
    private readonly tick: () => Promise<number>,
    private readonly failed: (error: unknown) => number,
  ) {}

  /** Calls during a tick lead to one more, right behind it. */
  soon(): void {
    if (this.current !== null) this.isAsked = true;
    else if (!this.isPausing) this.in(0);
  }

  /** Lets no other tick begin. @returns when the one under way is over */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.current;
  }

  private in(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.current = this.run();
    }, ms);
  }

  private async run(): Promise<void> {
    this.isAsked = this.isPausing = false;
    const pauseMs = await this.tick().then(
      (ms) => (this.isAsked ? 0 : ms),
      (error: unknown) => {
        this.isPausing = true;
        return this.failed(error);
      },
    );
    this.current = null;
    this.in(pauseMs);
  }
}
