import { WaitQueue } from '@passerelle/domain';

/** Limits concurrent calls; further calls wait in the order of arrival. */
export interface WorkGate {
  /** @throws TooBusy when too many calls are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

/** @param slots how many calls may run at the same time. @param queue how many more may wait. */
export function createWorkGate({ slots, queue }: { slots: number; queue: number }): WorkGate {
  let taken = 0;
  const waiting = new WaitQueue();
  const take = (): boolean => {
    if (taken >= slots) return false;
    taken += 1;
    return true;
  };
  return {
    async run(work) {
      if (taken >= slots && waiting.size >= queue) throw new TooBusy(`${waiting.size} others wait already`);
      await waiting.wait(take);
      try {
        return await work();
      } finally {
        taken -= 1;
        waiting.wake();
      }
    },
  };
}
