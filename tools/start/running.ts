/** Something that was started and must be stopped. */
export interface Stoppable {
  stop(): Promise<void>;
  /** Immediately, without waiting. */
  kill(): void;
}

/** The parts that run now; they are stopped in the opposite order. */
export class Running {
  private readonly started: Stoppable[] = [];

  add(one: Stoppable): void {
    this.started.push(one);
  }

  async stop(): Promise<void> {
    for (let last = this.started.pop(); last !== undefined; last = this.started.pop()) await last.stop();
  }

  kill(): void {
    for (const one of this.started.toReversed()) one.kill();
  }
}

/** Something that only leaves a trace to be removed. */
export function trace(remove: () => void): Stoppable {
  return {
    stop() {
      remove();
      return Promise.resolve();
    },
    kill: remove,
  };
}
