interface Waiter {
  take: () => boolean;
  goOn: () => void;
}

/**
 * Limits concurrent work: callers wait, in the order of their arrival, until they can take what they need. The owner decides
 * what that is: slots, bytes, slots of one key.
 */
export class WaitQueue {
  private readonly waiters = new Set<Waiter>();

  /** How many callers wait. */
  get size(): number {
    return this.waiters.size;
  }

  /**
   * @param take takes what the caller needs if it is free; called immediately and by each `wake`, and not again once it is true
   * @throws the signal's reason when it is aborted during the wait
   */
  async wait(take: () => boolean, signal?: AbortSignal): Promise<void> {
    if (take()) return;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        take,
        goOn() {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(waiter);
    });
  }

  /**
   * Something is free again. A waiter takes it here, before it continues: later callers must not overtake it. One that needs
   * something else does not hold up those behind it.
   */
  wake(): void {
    for (const waiter of this.waiters) {
      if (!waiter.take()) continue;
      this.waiters.delete(waiter);
      waiter.goOn();
    }
  }
}
