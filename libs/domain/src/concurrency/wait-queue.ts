interface Waiter {
  take: () => boolean;
  goOn: () => void;
}

/** Callers wait in the order of their arrival for a resource that the owner defines: slots, bytes, slots per key. */
export class WaitQueue {
  private readonly waiters = new Set<Waiter>();

  /** How many callers wait. */
  get size(): number {
    return this.waiters.size;
  }

  /** @param take called immediately and by each `wake`, until it returns true. @throws the signal's reason */
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

  /** A waiter takes the free resource here, before its code continues, so that later callers do not overtake it. */
  wake(): void {
    for (const waiter of this.waiters) {
      if (!waiter.take()) continue;
      this.waiters.delete(waiter);
      waiter.goOn();
    }
  }
}
