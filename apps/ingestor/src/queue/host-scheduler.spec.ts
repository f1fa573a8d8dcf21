import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SlowSources } from '../ingest/gateway-feeds';
import { RunsInFlight } from './runs-in-flight';
import { SourceSlots, type SourceUser } from './source-slots';
import { HostScheduler } from './host-scheduler';

const user = (given: Partial<SourceUser> = {}): SourceUser => ({
  host: 'crm.example',
  mostOfHost: 8,
  isFailing: false,
  ...given,
});

describe('SourceSlots', () => {
  it('keeps one slot for other hosts, however many runs of one host wait', () => {
    const slots = new SourceSlots(4);
    for (let n = 0; n < 3; n += 1) expect(slots.acquire(user())).not.toBeNull();
    expect(slots.hasFor(user())).toBe(false);
    expect(slots.hasFor(user({ host: 'other.example' }))).toBe(true);
  });

  it('limits the slots of one host to the common limit, or to the rate of the host', () => {
    const slots = new SourceSlots(64);
    for (let n = 0; n < 8; n += 1) expect(slots.acquire(user())).not.toBeNull();
    expect(slots.acquire(user())).toBeNull();
    expect(slots.acquire(user({ host: 'api.example', mostOfHost: 1 }))).not.toBeNull();
    expect(slots.acquire(user({ host: 'api.example', mostOfHost: 1 }))).toBeNull();
  });

  it('does not limit files of the inbox as one host', () => {
    const slots = new SourceSlots(4);
    for (let n = 0; n < 4; n += 1) expect(slots.acquire(user({ host: '', mostOfHost: 1 }))).not.toBeNull();
  });

  it('limits failing gateways to a quarter of the slots', () => {
    const slots = new SourceSlots(8);
    const failing = (n: number): SourceUser => user({ host: `h${n}.example`, isFailing: true });
    expect(slots.acquire(failing(1))).not.toBeNull();
    const second = slots.acquire(failing(2));
    expect(slots.acquire(failing(3))).toBeNull();
    expect(slots.hasFor(user())).toBe(true);
    second?.release();
    expect(slots.acquire(failing(3))).not.toBeNull();
  });

  it('frees the slots of as many slow sources as there are slots, and still counts these sources for their host', () => {
    const slots = new SourceSlots(2);
    const [first, second, third] = ['a', 'b', 'c'].map((host) => slots.acquire(user({ host })));
    expect([first?.letGo(), second?.letGo(), third?.letGo()]).toEqual([true, true, false]);
    expect(slots.hasFor(user({ host: 'a' }))).toBe(false);
    first?.release();
    expect([slots.hasFor(user({ host: 'a' })), third?.letGo()]).toEqual([true, true]);
  });
});

/**
 * A scheduler with two slots. Gateways 1 to 9 share a host; every other gateway has a separate host. A test ends the
 * runs.
 */
function twoSlots() {
  const started: number[] = [];
  const ends = new EventEmitter();
  const queue = { waiting: 0 };
  const slow = new SlowSources();
  const inFlight = new RunsInFlight();
  const scheduler = new HostScheduler(
    { fetchConcurrency: 2, fetchPerHost: 8 },
    { get: () => undefined },
    {
      sourceOf: (id) =>
        Promise.resolve(
          id < 10
            ? { crm: 'kyero', sourceUrl: 'https://slow.example/feed', isFailing: false, requestsPerSecond: null }
            : { crm: `c${id}`, sourceUrl: `https://crm${id}.example/`, isFailing: false, requestsPerSecond: null },
        ),
    },
    {
      run: async (id) => {
        started.push(id);
        await once(ends, String(id));
      },
    },
    slow,
    inFlight,
    { isEmpty: () => Promise.resolve(queue.waiting === 0) },
    { error: () => undefined },
  );
  const run = (id: number): Promise<void> => scheduler.run(id);
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const end = async (id: number): Promise<void> => {
    await settled();
    ends.emit(String(id));
    await settled();
  };
  return { scheduler, run, end, started, queue, slow, inFlight };
}

describe('HostScheduler', () => {
  it('defers a gateway whose host has no free slot, and runs it when a slot is released', async () => {
    const { run, end, started } = twoSlots();
    const first = run(1);
    await run(2);
    const other = run(10);
    await end(0);
    expect(started).toEqual([1, 10]);
    await end(1);
    expect(started).toEqual([1, 10, 2]);
    await end(2);
    await end(10);
    await Promise.all([first, other]);
  });

  it('starts no run after it was stopped', async () => {
    const { scheduler, run, end, started } = twoSlots();
    const first = run(1);
    const others = [run(2), run(10)];
    scheduler.stop();
    await end(1);
    await Promise.all([first, ...others]);
    expect(started).toEqual([]);
  });

  it('starts no run that waited for a slot when the scheduler was stopped', async () => {
    const { scheduler, run, end, started } = twoSlots();
    const first = run(1);
    const second = run(2);
    await end(0);
    scheduler.stop();
    await end(1);
    await Promise.all([first, second]);
    expect(started).toEqual([1]);
  });

  it('lets a gateway wait for a slot of its host while slots are released quickly, without deferring it', async () => {
    const { run, end, started } = twoSlots();
    const first = run(1);
    const second = run(2);
    await end(1);
    expect(started).toEqual([1, 2]);
    await first;
    const third = run(3);
    await end(2);
    await second;
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    await third;
  });

  it('defers further gateways immediately when their host released no slot in time', async () => {
    const { run, end, started } = twoSlots();
    const first = run(1);
    await run(2);
    const order: string[] = [];
    const later = sleep(200).then(() => order.push('later'));
    await run(3).then(() => order.push('deferred'));
    await later;
    expect(order).toEqual(['deferred', 'later']);
    await end(1);
    await end(2);
    await end(3);
    await first;
    expect(started).toEqual([1, 2, 3]);
  });

  it('runs gateways from the queue before deferred gateways', async () => {
    const { run, end, started, queue } = twoSlots();
    const first = run(1);
    await run(2);
    queue.waiting = 1;
    await end(1);
    await first;
    expect(started).toEqual([1]);
    queue.waiting = 0;
    const next = run(11);
    await end(11);
    expect(started).toEqual([1, 11, 2]);
    await end(2);
    await next;
  });

  it('defers a gateway once, however often it is announced', async () => {
    const { run, end, started } = twoSlots();
    const first = run(1);
    await run(2);
    await run(2);
    await end(1);
    await end(2);
    await first;
    expect(started).toEqual([1, 2]);
  });

  it('runs no deferred gateway after it was stopped', async () => {
    const { scheduler, run, end, started } = twoSlots();
    const first = run(1);
    await run(2);
    scheduler.stop();
    await end(1);
    await first;
    expect(started).toEqual([1]);
  });

  it('ends the job of the queue when the source is slow, and lets the run continue', async () => {
    const { run, end, started, slow, inFlight } = twoSlots();
    const job = run(10);
    await end(0);
    slow.note(10);
    await job;
    expect([started, inFlight.count]).toEqual([[10], 1]);
    await end(10);
    expect(inFlight.count).toBe(0);
  });
});
