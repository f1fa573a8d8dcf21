import { RetryLater } from '@passerelle/domain';
import type { Quota, SourceConfig } from '../../kit/contracts';
import { admissionOf, type Allowance, type CountedRequests } from './request-budget';

const QUOTA: Quota = {
  host: 'api.vendor.example',
  requestsPerSecond: 10,
  requestsPerDay: 1000,
  account: ({ credentials }: SourceConfig) => credentials['provider'],
};

const SETTINGS: Allowance['settings'] = { requestsPerSecond: null, requestsPerDay: null, account: '' };

/** Asks for the admission of one request, and returns the calls to the budget. */
async function book(host: string, changes: Partial<Allowance> = {}, exhausted = false): Promise<string[]> {
  const booked: string[] = [];
  const budgets: CountedRequests = {
    enter: (key, atOnce) => {
      booked.push(`${key}: ${atOnce} at once`);
      return Promise.resolve(booked.length < 3 ? null : { key, slot: 1, holder: '' });
    },
    stay: () => Promise.resolve(),
    leave: () => {
      booked.push('left');
      return Promise.resolve();
    },
    reserve: (key, perSecond) => {
      booked.push(`${key}: ${perSecond} a second`);
      return Promise.resolve(0);
    },
    countToday: (key, perDay) => {
      booked.push(`${key}: ${perDay} a day`);
      return Promise.resolve(exhausted ? { kind: 'exhausted', untilMs: 5 } : { kind: 'granted' });
    },
  };
  const source: SourceConfig = { url: '', credentials: { provider: 'p1' }, settings: {} };
  const admit = admissionOf(budgets, { settings: SETTINGS, quota: QUOTA, source, ...changes });
  const leave = await admit(host, new AbortController().signal);
  leave?.();
  return booked;
}

describe('a request', () => {
  it("counts against the vendor's quota per account when it goes to the vendor's host", async () => {
    expect(await book('api.vendor.example')).toEqual([
      expect.stringMatching(/^api\.vendor\.example [0-9a-f]{16}: 1000 a day$/),
      'api.vendor.example: 10 a second',
    ]);
  });

  it('counts separately for each account, under a key that hides the account', async () => {
    const of = (provider: string): Promise<string[]> =>
      book('api.vendor.example', { source: { url: '', credentials: { provider }, settings: {} } });
    expect((await of('p1'))[0]).not.toBe((await of('p2'))[0]);
    expect((await of('p1'))[0]).not.toContain('p1');
  });

  it('has only the default rate limit when it goes to another host', async () => {
    expect(await book('proxy.example')).toEqual(['proxy.example: 20 a second']);
  });

  it("follows the gateway's settings if there are any", async () => {
    const settings = { requestsPerSecond: 2, requestsPerDay: 5000, account: 'nord' };
    expect(await book('api.vendor.example', { settings })).toEqual([
      'api.vendor.example nord: 5000 a day',
      'api.vendor.example: 2 a second',
    ]);
  });

  it('waits for a slot when the vendor limits simultaneous requests, and releases it', async () => {
    expect(await book('api.vendor.example', { quota: { ...QUOTA, requestsAtOnce: 2 } })).toEqual([
      expect.stringMatching(/: 1000 a day$/),
      ...Array<unknown>(2).fill(expect.stringMatching(/^api\.vendor\.example [0-9a-f]{16}: 2 at once$/)),
      ...['api.vendor.example: 10 a second', 'left'],
    ]);
  });

  it('is postponed when the daily quota is used up', async () => {
    await expect(book('api.vendor.example', {}, true)).rejects.toThrow(RetryLater);
  });
});

describe('a request that needs a slot', () => {
  const quota: Quota = { ...QUOTA, requestsAtOnce: 2 };
  const source: SourceConfig = { url: '', credentials: { provider: 'p1' }, settings: {} };
  const slot = { key: 'k', slot: 1, holder: 'h' };

  /**
   * @param waitMs how long the request waits for the rate limit
   * @param isFree whether a slot is free
   */
  function counting(waitMs: number, isFree: boolean): { told: string[]; counted: CountedRequests } {
    const told: string[] = [];
    const tell = <T>(what: string, answer: T): Promise<T> => {
      told.push(what);
      return Promise.resolve(answer);
    };
    const counted: CountedRequests = {
      enter: () => tell('entered', isFree ? slot : null),
      stay: (kept, forMs) => tell(`stays ${kept.slot} for ${forMs}`, undefined),
      leave: (left) => tell(`left ${left.slot}`, undefined),
      reserve: () => tell('reserved', waitMs),
      countToday: () => Promise.resolve({ kind: 'granted' }),
    };
    return { told, counted };
  }
  const admitted = (counted: CountedRequests, signal: AbortSignal): Promise<(() => void) | undefined> =>
    admissionOf(counted, { settings: SETTINGS, quota, source })('api.vendor.example', signal);

  it('is not sent when its run ends during the wait for the rate limit, and releases its slot', async () => {
    const { told, counted } = counting(900, true);
    const run = new AbortController();
    const admission = admitted(counted, run.signal);
    setImmediate(() => {
      run.abort();
    });
    await expect(admission).rejects.toThrow('aborted');
    expect(told).toEqual(['entered', 'reserved', 'left 1']);
  });

  it('is not sent when its run ends during the wait for a slot', async () => {
    const { told, counted } = counting(0, false);
    const run = new AbortController();
    const admission = admitted(counted, run.signal);
    setImmediate(() => {
      run.abort();
    });
    await expect(admission).rejects.toThrow('aborted');
    expect(told).toEqual(['entered']);
  });

  it('takes no slot when its run has already ended', async () => {
    const { told, counted } = counting(0, true);
    await expect(admitted(counted, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(told).toEqual([]);
  });

  it('renews its slot until it is done', async () => {
    jest.useFakeTimers();
    try {
      const { told, counted } = counting(0, true);
      const leave = await admitted(counted, new AbortController().signal);
      jest.advanceTimersByTime(40_000);
      leave?.();
      jest.advanceTimersByTime(60_000);
      expect(told).toEqual(['entered', 'reserved', 'stays 1 for 60000', 'stays 1 for 60000', 'left 1']);
    } finally {
      jest.useRealTimers();
    }
  });
});
