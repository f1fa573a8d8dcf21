interface Waiter {
  take: () => boolean;
  goOn: () => void;
}

/**
 * Limits concurrent work: callers wait, in the order of their arrival, until they can take a resource. The owner
 * defines the resource: slots, bytes, or slots per key.
 */
export class WaitQueue {
  private readonly waiters = new Set<Waiter>();

  /** How many callers wait. */
  get size(): number {
    return this.waiters.size;
  }

  /**
   * @param take takes the resource if it is free; called immediately and by each `wake`, until it returns true
   * @throws the signal's reason when the signal is aborted during the wait
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
   * Call this when a resource is free again. A waiter takes it here, before its code continues, so that later callers
   * do not overtake it. A waiter that needs another resource does not delay those behind it.
   */
  wake(): void {
    for (const waiter of this.waiters) {
      if (!waiter.take()) continue;
      this.waiters.delete(waiter);
      waiter.goOn();
    }
  }
}
