import { ExportLimiter } from './export-limiter';

const newLimiter = (): ExportLimiter => new ExportLimiter();
const stays = new AbortController().signal;
const isWaiting = async (dump: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([dump, new Promise((resolve) => setImmediate(resolve, 'waiting'))])) === 'waiting';

describe('ExportLimiter', () => {
  it('allows three exports per gateway, without delaying exports of other gateways', async () => {
    const limiter = newLimiter();
    const ends = [await limiter.begin(1, stays), await limiter.begin(1, stays), await limiter.begin(1, stays)];
    const fourth = limiter.begin(1, stays);
    expect(await isWaiting(fourth)).toBe(true);
    expect(await isWaiting(limiter.begin(2, stays))).toBe(false);
    ends[0]?.();
    expect(await isWaiting(fourth)).toBe(false);
    expect(await isWaiting(limiter.begin(1, stays))).toBe(true);
  });

  it('allows sixteen exports per process at the same time, and starts waiting exports in order of arrival', async () => {
    const limiter = newLimiter();
    const ends = await Promise.all(Array.from({ length: 16 }, (_, gateway) => limiter.begin(gateway, stays)));
    const [next, last] = [limiter.begin(97, stays), limiter.begin(98, stays)];
    ends[3]?.();
    expect([await isWaiting(next), await isWaiting(last)]).toEqual([false, true]);
    ends[4]?.();
    expect(await isWaiting(last)).toBe(false);
  });

  it('does not wait for a reader that has disconnected', async () => {
    const limiter = newLimiter();
    const ends = [await limiter.begin(1, stays), await limiter.begin(1, stays), await limiter.begin(1, stays)];
    const reader = new AbortController();
    const gone = limiter.begin(1, reader.signal);
    const next = limiter.begin(1, stays);
    reader.abort();
    expect(await gone).toBeNull();
    ends[1]?.();
    expect(await isWaiting(next)).toBe(false);
    expect(await limiter.begin(2, reader.signal)).toBeNull();
  });
});
