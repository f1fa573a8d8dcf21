/** Lets few things happen at a time; the others wait in the order of their coming. */
export interface WorkGate {
  /** @throws TooBusy when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Too much is waiting to be done: ask again later. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

/**
 * @param slots how many pieces of work may be under way at a time.
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
    // The slot goes from hand to hand, so that nobody who comes now overtakes.
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
