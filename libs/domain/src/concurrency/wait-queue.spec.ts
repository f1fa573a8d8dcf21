import { WaitQueue } from './wait-queue';

/** A queue for `free` units, from which each caller takes some. */
function units(free: number) {
  const queue = new WaitQueue();
  const order: string[] = [];
  const take = (count: number) => (): boolean => {
    if (free < count) return false;
    free -= count;
    return true;
  };
  return {
    ...{ queue, order },
    enter: (name: string, count: number, signal?: AbortSignal): Promise<void> =>
      queue.wait(take(count), signal).then(() => void order.push(name)),
    giveBack(count: number): void {
      free += count;
      queue.wake();
    },
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WaitQueue', () => {
  it('admits callers in the order of their arrival, as soon as enough units are free', async () => {
    const { queue, order, enter, giveBack } = units(1);
    void Promise.all([enter('a', 1), enter('b', 1), enter('c', 1)]);
    await settled();
    expect([order, queue.size]).toEqual([['a'], 2]);
    giveBack(1);
    // This caller arrives after the wake, and must not overtake b.
    void enter('d', 1);
    await settled();
    expect(order).toEqual(['a', 'b']);
    giveBack(2);
    await settled();
    expect([order, queue.size]).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it('admits a caller while an earlier caller waits for more units', async () => {
    const { order, enter, giveBack } = units(0);
    void Promise.all([enter('large', 3), enter('small', 1)]);
    giveBack(1);
    await settled();
    expect(order).toEqual(['small']);
    giveBack(3);
    await settled();
    expect(order).toEqual(['small', 'large']);
  });

  it('rejects an aborted wait with the reason of its signal, and admits the next caller', async () => {
    const { queue, order, enter, giveBack } = units(0);
    const controller = new AbortController();
    const first = enter('a', 1, controller.signal);
    void enter('b', 1);
    controller.abort(new Error('shutdown'));
    await expect(first).rejects.toThrow('shutdown');
    await expect(enter('c', 1, controller.signal)).rejects.toThrow('shutdown');
    expect(queue.size).toBe(1);
    giveBack(1);
    await settled();
    expect(order).toEqual(['b']);
  });
});
