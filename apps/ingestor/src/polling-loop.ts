/** Never runs its task twice at the same time. After a failure it always pauses, even if a caller requests a tick. */
export class PollingLoop {
  private timer: NodeJS.Timeout | null = null;
  private current: Promise<void> | null = null;
  private isRequested = false;
  /** After a failure. */
  private isPausing = false;
  private isStopped = false;

  /** `poll` and `failed` return the pause until the next tick, in ms. */
  constructor(
    private readonly poll: () => Promise<number>,
    private readonly failed: (error: unknown) => number,
  ) {}

  /** Requests a tick. Calls during a tick lead to one more tick, directly after it. */
  soon(): void {
    if (this.current !== null) this.isRequested = true;
    else if (!this.isPausing) this.in(0);
  }

  /** Prevents further ticks. @returns when the tick under way has ended */
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
    this.isRequested = this.isPausing = false;
    const pauseMs = await this.poll().then(
      (ms) => (this.isRequested ? 0 : ms),
      (error: unknown) => {
        this.isPausing = true;
        return this.failed(error);
      },
    );
    this.current = null;
    this.in(pauseMs);
  }
}
