import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

@Injectable()
export class RunsInFlight {
  private readonly runs = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();

  constructor() {
    // Every run adds a listener, so their number is not limited.
    setMaxListeners(0, this.shutdown.signal);
  }

  get count(): number {
    return this.runs.size;
  }

  /** Starts a run, and waits for its end. The run must stop when its signal is aborted. */
  async track(start: (shutdown: AbortSignal) => Promise<void>): Promise<void> {
    const run = start(this.shutdown.signal);
    this.runs.add(run);
    try {
      await run;
    } finally {
      this.runs.delete(run);
    }
  }

  /** Waits for the runs in flight; after `graceMs`, stops the runs that have not ended. */
  async finish(graceMs: number): Promise<void> {
    const all = Promise.allSettled(this.runs);
    await Promise.race([all, sleep(graceMs, undefined, { ref: false })]);
    this.shutdown.abort();
    await all;
  }
}
