import { type RunSlot, ProcessingSlots } from './processing-slots';

const slots = (ingestConcurrency: number) => {
  const all = new ProcessingSlots({ ingestConcurrency });
  const order: string[] = [];
  const open = (connector: string, signal = new AbortController().signal): RunSlot => all.open(connector, signal);
  /** Enters a slot, and notes the name when the slot is granted. */
  const enter = (slot: RunSlot, name: string): Promise<void> =>
    slot.enter().then(() => {
      order.push(name);
    });
  return { all, order, open, enter };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ProcessingSlots', () => {
  it('grants as many slots as INGEST_CONCURRENCY allows, in the order of the requests', async () => {
    const { all, order, open, enter } = slots(1);
    const [a, b, c] = [open('kyero'), open('blm'), open('kyero')];
    void Promise.all([enter(a, 'a'), enter(b, 'b'), enter(c, 'c')]);
    await settled();
    expect([order, all.taken, all.waiting]).toEqual([['a'], 1, 2]);
    a.leave();
    await settled();
    b.end();
    await settled();
    expect([order, all.taken, all.waiting]).toEqual([['a', 'b', 'c'], 1, 0]);
  });

  it('does not give all slots to one connector when runs of several connectors wait', async () => {
    const { order, open, enter } = slots(2);
    const [a, b, c] = [open('kyero'), open('kyero'), open('blm')];
    void Promise.all([enter(a, 'a'), enter(b, 'b'), enter(c, 'c')]);
    await settled();
    expect(order).toEqual(['a', 'c']);
    a.leave();
    await settled();
    expect(order).toEqual(['a', 'c', 'b']);
  });

  it('grants a run one slot, however often the run enters, and frees the slot once', async () => {
    const { all, open } = slots(2);
    const slot = open('kyero');
    await slot.enter();
    await slot.enter();
    expect(all.taken).toBe(1);
    slot.leave();
    slot.end();
    expect(all.taken).toBe(0);
  });

  it('gives no slot to a run that was stopped while it waited', async () => {
    const { all, open } = slots(1);
    const stop = new AbortController();
    const [a, b, c] = [open('kyero'), open('kyero', stop.signal), open('kyero')];
    await a.enter();
    const waiting = b.enter();
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    a.leave();
    await c.enter();
    expect([all.taken, all.waiting]).toEqual([1, 0]);
  });

  it('hands over the runs without a slot when the process stops, and lets runs with a slot end', async () => {
    const { all } = slots(1);
    const handedOver: string[] = [];
    const open = (name: string): RunSlot =>
      all.open('kyero', new AbortController().signal, () => {
        handedOver.push(name);
      });
    const working = open('working');
    await working.enter();
    open('reading');
    open('over').end();
    all.stop();
    expect(handedOver).toEqual(['reading']);
    open('late');
    expect(handedOver).toEqual(['reading', 'late']);
  });

  it('lets a run prepare before its bytes arrive if there are enough slots for all runs', () => {
    const { open } = slots(1);
    const first = open('kyero');
    expect(first.mayPrepare).toBe(true);
    const second = open('kyero');
    expect([first.mayPrepare, second.mayPrepare]).toEqual([false, false]);
    second.end();
    expect(first.mayPrepare).toBe(true);
  });
});
