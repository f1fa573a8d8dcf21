import { GatewayCache, noteMatchedKey, type MatchedApiKey } from './gateway-cache';
import type { ServedGateway } from '@passerelle/database';

const aGateway = (client: string): ServedGateway => ({
  id: 7,
  crm: 'kyero',
  client,
  enabled: true,
  contractEnd: null,
  keys: [],
  snapshot: null,
  recent: [],
  confirmedAtMs: null,
  databaseMs: 5_000,
  confirmedAgeMs: null,
  connector: null,
});

function setUp() {
  let nowMs = 1;
  const find = jest.fn((_crm: string, client: string) =>
    Promise.resolve(client.startsWith('no') ? null : aGateway(client)),
  );
  const cache = new GatewayCache({ find }, { nowMs: () => nowMs, monotonicMs: () => nowMs }, { walkSeconds: 900 });
  cache.setListening(true);
  return { find, cache, wait: (ms: number) => (nowMs += ms) };
}

describe('GatewayCache', () => {
  it('keeps a gateway for five seconds', async () => {
    const { cache, wait } = setUp();
    const reading = await cache.read('kyero', 'a');

    wait(5_000);
    expect(cache.get('kyero', 'a')).toBe(reading);
    wait(1);
    expect(cache.get('kyero', 'a')).toBeNull();
  });

  it('keeps the absence of a gateway for one second', async () => {
    const { cache, wait } = setUp();
    await cache.read('kyero', 'nobody');

    expect(cache.get('kyero', 'nobody')).toMatchObject({ cached: null });
    wait(1_001);
    expect(cache.get('kyero', 'nobody')).toBeNull();
  });

  it('runs one query for concurrent readers of a gateway', async () => {
    const { cache, find } = setUp();
    const [one, two] = await Promise.all([
      cache.read('kyero', 'a'),
      cache.read('kyero', 'a'),
      cache.read('kyero', 'b'),
    ]);

    expect(one).toBe(two);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('forgets a changed gateway, and all unknown gateways', async () => {
    const { cache } = setUp();
    await cache.read('kyero', 'a');
    await cache.read('kyero', 'nobody');
    cache.forget(8);
    expect(cache.get('kyero', 'a')).not.toBeNull();
    expect(cache.get('kyero', 'nobody')).toBeNull();

    cache.forget(7);
    expect(cache.get('kyero', 'a')).toBeNull();
  });

  it('starts a new query after a change, and keeps only the newer result', async () => {
    const { cache, find } = setUp();
    const before = cache.read('kyero', 'a');
    cache.forget(7);
    const after = cache.read('kyero', 'a');

    expect(await after).not.toBe(await before);
    expect(find).toHaveBeenCalledTimes(2);
    expect(cache.get('kyero', 'a')).toBe(await after);
  });

  it.each([
    [
      'a notification',
      (cache: GatewayCache): void => {
        cache.forget(7);
      },
    ],
    [
      'a notification about an unknown gateway',
      (cache: GatewayCache): void => {
        cache.forget(8);
      },
    ],
    [
      'the reconnection of the notification listener',
      (cache: GatewayCache): void => {
        cache.setListening(true);
      },
    ],
  ])('keeps the newer read when a read that began before %s ends late', async (_what, notify) => {
    const { cache, find } = setUp();
    let answer: (gateway: ServedGateway) => void = () => undefined;
    find.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const early = cache.read('kyero', 'a');
    notify(cache);
    const late = await cache.read('kyero', 'a');

    answer(aGateway('a'));
    expect(await early).not.toBe(late);
    expect(cache.get('kyero', 'a')).toBe(late);
  });

  it('shares the read that began last, even after an earlier read has ended', async () => {
    const { cache, find } = setUp();
    const answers: ((gateway: ServedGateway) => void)[] = [];
    find.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    const early = cache.read('kyero', 'a');
    cache.forget(7);
    const late = cache.read('kyero', 'a');
    answers[0]?.(aGateway('a'));
    await early;

    expect(cache.read('kyero', 'a')).toBe(late);
    answers[1]?.(aGateway('a'));
    await late;
  });

  it('counts the age of a read from the start of its query', async () => {
    const { cache, find, wait } = setUp();
    find.mockImplementationOnce(() => {
      wait(3_000);
      return Promise.resolve(aGateway('a'));
    });
    await cache.read('kyero', 'a');

    wait(2_001);
    expect(cache.get('kyero', 'a')).toBeNull();
  });

  it('distinguishes gateways by connector and by client', async () => {
    const { cache } = setUp();
    await cache.read('kyero', 'a');

    expect([cache.get('kyero', 'b'), cache.get('apimo', 'a')]).toEqual([null, null]);
  });

  it('replaces the cached read when a gateway was added or removed', async () => {
    const { cache, find } = setUp();
    await cache.read('kyero', 'nobody');
    find.mockResolvedValueOnce(aGateway('nobody'));
    await cache.read('kyero', 'nobody');
    expect(cache.get('kyero', 'nobody')?.cached?.gateway.client).toBe('nobody');

    await cache.read('kyero', 'nobody');
    expect(cache.get('kyero', 'nobody')).toMatchObject({ cached: null });
  });

  it('keeps a limited number of right keys per gateway', () => {
    const cached = { gateway: aGateway('a'), readAtMs: 0, matchedKeys: new Map<string, readonly MatchedApiKey[]>() };
    for (let index = 0; index < 17; index += 1) noteMatchedKey(cached, `key-${index}`, []);

    expect(cached.matchedKeys.size).toBe(16);
    expect(cached.matchedKeys.has('key-15')).toBe(true);
  });

  it('keeps nothing while notifications do not arrive', async () => {
    const { cache } = setUp();
    await cache.read('kyero', 'a');
    cache.setListening(false);
    expect(cache.get('kyero', 'a')).toBeNull();

    await cache.read('kyero', 'a');
    expect(cache.get('kyero', 'a')).toBeNull();
    cache.setListening(true);
    await cache.read('kyero', 'a');
    expect(cache.get('kyero', 'a')).not.toBeNull();
  });

  it('keeps a limited number of unknown gateway names', async () => {
    const { cache } = setUp();
    for (let index = 0; index <= 10_000; index += 1) await cache.read('kyero', `no-${index}`);

    expect(cache.get('kyero', 'no-0')).toBeNull();
    expect(cache.get('kyero', 'no-10000')).not.toBeNull();
  });

  it('reads a gateway again after a failed read', async () => {
    const { cache, find } = setUp();
    find.mockRejectedValueOnce(new Error('no database'));

    await expect(cache.read('kyero', 'a')).rejects.toThrow('no database');
    expect((await cache.read('kyero', 'a')).cached?.gateway.client).toBe('a');
  });
});
