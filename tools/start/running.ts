export interface Stoppable {
  stop(): Promise<void>;
  kill(): void;
}

/** The running parts; they are stopped in reverse order. */
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

/** A part without a process, which needs only a cleanup. */
export function trace(remove: () => void): Stoppable {
  return {
    stop() {
      remove();
      return Promise.resolve();
    },
    kill: remove,
  };
}
