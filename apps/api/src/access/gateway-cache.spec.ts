import type { ServedGateway } from '@passerelle/database';
import { GatewayCache } from './gateway-cache';

const aGateway = (client: string): ServedGateway => ({
  id: 7,
  crm: 'kyero',
  client,
  enabled: true,
  contractEnd: null,
  keys: [],
  snapshot: null,
  confirmedAgeMs: null,
  connector: null,
});

function setUp() {
  let nowMs = 0;
  const find = jest.fn((_crm: string, client: string) =>
    Promise.resolve(client.startsWith('no') ? null : aGateway(client)),
  );
  const cache = new GatewayCache(find, { nowMs: () => nowMs, monotonicMs: () => nowMs });
  cache.setListening(true);
  return { find, cache, wait: (ms: number) => (nowMs += ms) };
}

describe('GatewayCache', () => {
  it('remembers what it read, for five seconds', async () => {
    const { cache, wait } = setUp();
    const reading = await cache.read('kyero', 'a');

    wait(4_999);
    expect(cache.remembered('kyero', 'a')).toBe(reading);
    wait(1);
    expect(cache.remembered('kyero', 'a')).toBeNull();
  });

  it('remembers that there is no such gateway, for one second', async () => {
    const { cache, wait } = setUp();
    await cache.read('kyero', 'nobody');

    expect(cache.remembered('kyero', 'nobody')).toMatchObject({ cached: null });
    wait(1_000);
    expect(cache.remembered('kyero', 'nobody')).toBeNull();
  });

  it('reads once for all who come at the same time', async () => {
    const { cache, find } = setUp();
    const [one, two] = await Promise.all([
      cache.read('kyero', 'a'),
      cache.read('kyero', 'a'),
      cache.read('kyero', 'b'),
    ]);

    expect(one).toBe(two);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('forgets a gateway that changed, and every gateway that was not there', async () => {
    const { cache } = setUp();
    await cache.read('kyero', 'a');
    await cache.read('kyero', 'nobody');
    cache.forget(8);
    expect(cache.remembered('kyero', 'a')).not.toBeNull();
    expect(cache.remembered('kyero', 'nobody')).toBeNull();

    cache.forget(7);
    expect(cache.remembered('kyero', 'a')).toBeNull();
  });

  it('does not remember, nor share, a reading that a change overtook', async () => {
    const { cache, find } = setUp();
    const before = cache.read('kyero', 'a');
    cache.forget(7);
    const after = cache.read('kyero', 'a');

    expect(await after).not.toBe(await before);
    expect(find).toHaveBeenCalledTimes(2);
    expect(cache.remembered('kyero', 'a')).toBe(await after);
  });

  it('remembers nothing while nothing is heard', async () => {
    const { cache } = setUp();
    await cache.read('kyero', 'a');
    cache.setListening(false);
    expect(cache.remembered('kyero', 'a')).toBeNull();

    await cache.read('kyero', 'a');
    expect(cache.remembered('kyero', 'a')).toBeNull();
    cache.setListening(true);
    await cache.read('kyero', 'a');
    expect(cache.remembered('kyero', 'a')).not.toBeNull();
  });

  it('holds a bounded number of names that somebody made up', async () => {
    const { cache } = setUp();
    for (let index = 0; index <= 10_000; index += 1) await cache.read('kyero', `no-${index}`);

    expect(cache.remembered('kyero', 'no-0')).toBeNull();
    expect(cache.remembered('kyero', 'no-10000')).not.toBeNull();
  });

  it('is not spoilt by a reading that failed', async () => {
    const { cache, find } = setUp();
    find.mockRejectedValueOnce(new Error('no database'));

    await expect(cache.read('kyero', 'a')).rejects.toThrow('no database');
    expect((await cache.read('kyero', 'a')).cached?.gateway.client).toBe('a');
  });
});
