import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Slots, type SlotUser } from './slots';
import { Turns } from './turns';

const user = (given: Partial<SlotUser> = {}): SlotUser => ({
  connector: 'kyero',
  host: 'crm.example',
  isFailing: false,
  ...given,
});

describe('the slots of a process', () => {
  it('leave one to others, whatever waits of one connector', () => {
    const slots = new Slots(4);
    for (let n = 0; n < 3; n += 1) expect(slots.take(user({ host: `crm${n}.example` }))).not.toBeNull();
    expect(slots.take(user({ host: 'crm3.example' }))).toBeNull();
    expect(slots.take(user({ connector: 'apimo', host: 'api.example' }))).not.toBeNull();
  });

  it('leave one to others, whatever waits of one host', () => {
    const slots = new Slots(4);
    for (const connector of ['kyero', 'blm', 'idx']) expect(slots.take(user({ connector }))).not.toBeNull();
    expect(slots.hasFor(user({ connector: 'apimo' }))).toBe(false);
    expect(slots.hasFor(user({ connector: 'apimo', host: 'other.example' }))).toBe(true);
  });

  it('count files of the inbox by their connector alone', () => {
    const slots = new Slots(4);
    for (const connector of ['poliris', 'blm', 'idx', 'kyero']) {
      expect(slots.take(user({ connector, host: '' }))).not.toBeNull();
    }
  });

  it('give a quarter to gateways that fail', () => {
    const slots = new Slots(8);
    const failing = (n: number): SlotUser => user({ connector: `c${n}`, host: `h${n}.example`, isFailing: true });
    expect(slots.take(failing(1))).not.toBeNull();
    const giveBack = slots.take(failing(2));
    expect(slots.take(failing(3))).toBeNull();
    expect(slots.hasFor(user())).toBe(true);
    giveBack?.();
    expect(slots.take(failing(3))).not.toBeNull();
  });

  it('are for anyone where there is one only', () => {
    const slots = new Slots(1);
    const giveBack = slots.take(user({ isFailing: true }));
    expect(slots.hasFor(user({ connector: 'apimo', host: '' }))).toBe(true);
    expect(giveBack).not.toBeNull();
    expect(slots.hasFor(user())).toBe(false);
  });
});

/** Two slots; gateways from 1 to 9 are of one host, all others of one each. Runs end when a test says so. */
function twoSlots() {
  const started: number[] = [];
  const ends = new EventEmitter();
  const queue = { waiting: 0 };
  const turns = new Turns(
    { ingestConcurrency: 2 },
    {
      sourceOf: (id) =>
        Promise.resolve(
          id < 10
            ? { crm: 'kyero', sourceUrl: 'https://slow.example/feed', isFailing: false }
            : { crm: `c${id}`, sourceUrl: `https://crm${id}.example/`, isFailing: false },
        ),
    },
    {
      run: async (id) => {
        started.push(id);
        await once(ends, String(id));
      },
    },
    { isEmpty: () => Promise.resolve(queue.waiting === 0) },
  );
  const take = (id: number): Promise<void> => turns.take(id, new AbortController().signal);
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const end = async (id: number): Promise<void> => {
    await settled();
    ends.emit(String(id));
    await settled();
  };
  return { turns, take, end, started, queue };
}

describe('the turns of gateways', () => {
  it('put a gateway aside whose host has no slot left, and take it when it has', async () => {
    const { take, end, started } = twoSlots();
    const first = take(1);
    await take(2);
    const other = take(10);
    await end(0);
    expect(started).toEqual([1, 10]);
    await end(1);
    expect(started).toEqual([1, 10, 2]);
    await end(2);
    await end(10);
    await Promise.all([first, other]);
  });

  it('let a gateway wait for a slot of its connector while these come back quickly, and put none aside', async () => {
    const { take, end, started } = twoSlots();
    const first = take(1);
    const second = take(2);
    await end(1);
    expect(started).toEqual([1, 2]);
    await first;
    const third = take(3);
    await end(2);
    await second;
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    await third;
  });

  it('let no second gateway wait for a slot of a connector that has given none back in time', async () => {
    const { take, end, started } = twoSlots();
    const first = take(1);
    await take(2);
    const order: string[] = [];
    const later = sleep(200).then(() => order.push('later'));
    await take(3).then(() => order.push('put aside'));
    await later;
    expect(order).toEqual(['put aside', 'later']);
    await end(1);
    await end(2);
    await end(3);
    await first;
    expect(started).toEqual([1, 2, 3]);
  });

  it('let the queue go ahead of what is put aside', async () => {
    const { take, end, started, queue } = twoSlots();
    const first = take(1);
    await take(2);
    queue.waiting = 1;
    await end(1);
    await first;
    expect(started).toEqual([1]);
    queue.waiting = 0;
    const next = take(11);
    await end(11);
    expect(started).toEqual([1, 11, 2]);
    await end(2);
    await next;
  });

  it('put a gateway aside once, however often it is announced', async () => {
    const { take, end, started } = twoSlots();
    const first = take(1);
    await take(2);
    await take(2);
    await end(1);
    await end(2);
    await first;
    expect(started).toEqual([1, 2]);
  });

  it('take nothing that was put aside once the process stops', async () => {
    const { turns, take, end, started } = twoSlots();
    const first = take(1);
    await take(2);
    turns.stop();
    await end(1);
    await first;
    expect(started).toEqual([1]);
  });
});
