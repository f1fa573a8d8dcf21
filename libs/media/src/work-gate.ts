/** Limits concurrent work; further calls wait in the order of their arrival. */
export interface WorkGate {
  /** @throws TooBusy when too many calls wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Too much work is waiting: try again later. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

/**
 * @param slots how many pieces of work may run at the same time.
 * @param queue how many more may wait.
 */
export function createWorkGate({ slots, queue }: { slots: number; queue: number }): WorkGate {
  let free = slots;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= queue) throw new TooBusy(`${waiting.length} others wait already`);
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    // The slot is passed on directly, so that later callers cannot overtake.
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
