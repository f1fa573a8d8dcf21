import { CachedValue } from './cached-value';

describe('CachedValue', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const counted = () => {
    let loads = 0;
    const kept = new CachedValue(
      10_000,
      () => new Date(),
      () => Promise.resolve((loads += 1)),
    );
    return { kept, loads: () => loads };
  };

  it('loads once for simultaneous callers', async () => {
    const { kept } = counted();
    expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual([1, 1, 1]);
  });

  it('refreshes its value before expiry while callers use it, and not afterwards', async () => {
    const { kept, loads } = counted();
    await kept.get();
    await jest.advanceTimersByTimeAsync(6_000);
    expect([await kept.get(), loads()]).toEqual([2, 2]);
    await jest.advanceTimersByTimeAsync(300_000);
    const then = loads();
    await jest.advanceTimersByTimeAsync(300_000);
    expect([then < 25, loads()]).toEqual([true, then]);
    expect(await kept.get()).toBe(then + 1);
  });

  it('returns a value that includes a change made during a load', async () => {
    let finish: (value: string) => void = () => undefined;
    const values = [
      Promise.resolve('old'),
      new Promise<string>((resolve) => (finish = resolve)),
      Promise.resolve('new'),
    ];
    const kept = new CachedValue(
      10_000,
      () => new Date(),
      () => values.shift()!,
    );
    await kept.get();
    await jest.advanceTimersByTimeAsync(6_000);
    kept.forget();
    expect(await kept.get()).toBe('new');
    finish('old');
    await jest.advanceTimersByTimeAsync(0);
    expect(await kept.get()).toBe('new');
    kept.stop();
  });

  it('loads again at the next call after a failure', async () => {
    const answers = [() => Promise.reject(new Error('away')), () => Promise.resolve('here')];
    const kept = new CachedValue(
      10_000,
      () => new Date(),
      () => answers.shift()!(),
    );
    await expect(kept.get()).rejects.toThrow('away');
    expect(await kept.get()).toBe('here');
    kept.stop();
  });
});
