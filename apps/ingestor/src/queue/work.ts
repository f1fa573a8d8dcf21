import { setTimeout as sleep } from 'node:timers/promises';

/** The runs under way in this process. */
export class Work {
  private readonly underWay = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();

  get count(): number {
    return this.underWay.size;
  }

  async track(work: (shutdown: AbortSignal) => Promise<void>): Promise<void> {
    const running = work(this.shutdown.signal);
    this.underWay.add(running);
    try {
      await running;
    } finally {
      this.underWay.delete(running);
    }
  }

  /** Waits for what is under way; what is not done after `graceMs` is handed over. */
  async finish(graceMs: number): Promise<void> {
    const all = Promise.allSettled(this.underWay);
    await Promise.race([all, sleep(graceMs, undefined, { ref: false })]);
    this.shutdown.abort();
    await all;
  }
}
