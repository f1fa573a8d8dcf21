import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { RememberedWalk, ServedGateway } from '@passerelle/database';
import { ALL_TERMS, KeyHashes, type KeyTerms } from '@passerelle/domain';
import { GatewayAccess } from '../access/gateway-access';
import { GatewayCache } from '../access/gateway-cache';
import { Proxies } from '../http/proxies';
import { Answers } from '../metrics/answers';
import { AnsweredAddresses } from '../properties/answered-addresses';
import { Lane } from './lane';
import { PageCache } from '../properties/page-cache';
import { PageSender } from '../properties/page-sender';
import { Pages } from '../properties/pages';
import type { PageQuery } from '../properties/parameters';
import { ReaderWalks } from '../properties/reader-walks';
import { ServedSnapshots } from '../properties/served-snapshots';

const HASHES = new KeyHashes({ secretsKey: 'k'.repeat(32), secretsKeyOld: null, pepper: Buffer.from('pepper') });
const keyOf = (key: string, id: number, expiresAtMs: number | null = null, terms: Partial<KeyTerms> = {}) => ({
  id,
  ...HASHES.make(key),
  expiresAtMs,
  ...ALL_TERMS,
  ...terms,
});

/** A Thursday, half a minute before its midnight in Paris. */
const START_MS = Date.UTC(2026, 10, 19, 22, 59, 30);
const WALK_SECONDS = 900;
const TTL_SECONDS = 1_200;
const TOTAL = 30;

const SNAPSHOT = { id: 7, token: 'token', total: TOTAL, publishedAtMs: START_MS - 1e6, confirmedAtMs: START_MS };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

// Real: everything that decides. Fake: data from PostgreSQL, and time. A request that the fast path does not answer gets `left`.
const NO_LIMIT = { isShared: false, countHere: () => null };

async function setUp(changed: Partial<ServedGateway> = {}) {
  let skippedMs = 0;
  const clock = { nowMs: () => START_MS + skippedMs, monotonicMs: () => 1e6 + skippedMs };
  const gateway: ServedGateway = {
    id: 1,
    crm: 'kyero',
    client: 'a',
    enabled: true,
    contractEnd: null,
    keys: [
      keyOf('right', 1),
      keyOf('other', 2),
      keyOf('short', 3, START_MS + 1_300),
      keyOf('reporting', 4, null, { scope: 'report' }),
      keyOf('elsewhere', 5, null, { networks: ['192.0.2.0/24'] }),
      keyOf('here', 6, null, { networks: ['127.0.0.0/8'] }),
    ],
    snapshot: SNAPSHOT,
    recent: [SNAPSHOT],
    confirmedAtMs: START_MS,
    databaseMs: START_MS,
    confirmedAgeMs: 0,
    connector: null,
    ...changed,
  };
  const config = { walkSeconds: WALK_SECONDS, snapshotTtlSeconds: TTL_SECONDS, requireHttps: false };
  const cache = new GatewayCache({ find: () => Promise.resolve(gateway) }, clock, config);
  cache.setListening(true);
  const access = new GatewayAccess(cache, HASHES, clock, {} as never, { note: () => undefined } as never);
  const saved: RememberedWalk[] = [];
  const save = (_gateway: number, walks: RememberedWalk[]): Promise<void> => {
    saved.push(...walks);
    return Promise.resolve();
  };
  const walks = new ReaderWalks({ save } as never, config, clock);
  const ask = jest.fn();
  const nothing = {} as never;
  const snapshots = new ServedSnapshots(
    ...([access, nothing, { ask } as never, walks, nothing, nothing] as const),
    ...([{ see: () => undefined } as never, config, 0] as const),
  );
  const listings = { page: () => Promise.resolve(Buffer.from('"data":[]}')) };
  const pages = new Pages(listings as never, new PageCache(1e6));
  const addresses = new AnsweredAddresses();
  const lane = new Lane(
    ...([config, new Proxies([]), clock, cache, access, NO_LIMIT as never, walks] as const),
    ...([snapshots, pages, addresses, new PageSender(config), new Answers(null)] as const),
  );
  const look = jest.spyOn(access, 'openCached');
  const server = createServer((request, response) => {
    if (lane.take(request, response)) return;
    response.end('left');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  for (const page of [1, 2, 3]) {
    const query = { crm: 'kyero', client: 'a', format: 'normalized', page, per_page: 10 } as PageQuery;
    addresses.learn(`/page-${page}`, query);
    await pages.load({ ...SNAPSHOT, gatewayId: 1, cache: 'HIT' }, query);
  }
  await cache.read('kyero', 'a');

  /** The value of `X-Cache`; `left` when the fast path does not answer the request. */
  const read = async (page = 1, headers: Record<string, string> = {}): Promise<unknown> => {
    const asked = get({ port, host: '127.0.0.1', path: `/page-${page}`, headers: { key: 'right', ...headers } });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.headers['x-cache'] ?? 'left';
  };
  return { cache, gateway, walks, saved, ask, look, read, wait: (ms: number) => (skippedMs += ms) };
}

describe('the lane', () => {
  it('finds the same again without looking, for the same requester', async () => {
    const { read, look, wait } = await setUp();
    for (let n = 0; n < 4; n += 1) expect(await read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(1);
    wait(999);
    expect(await read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(1);
    wait(1);
    expect(await read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('leaves a wrong key where a right one has been let in, and lets in another right one', async () => {
    const { read } = await setUp();
    for (const [key, outcome] of [
      ['right', 'HIT'],
      ['wrong', 'left'],
      ['right', 'HIT'],
      ['other', 'HIT'],
      ['reporting', 'left'],
      ['elsewhere', 'left'],
      ['here', 'HIT'],
    ] as const) {
      for (let n = 0; n < 2; n += 1) expect([key, await read(1, { key })]).toEqual([key, outcome]);
    }
  });

  it('leaves a key from the moment of its end', async () => {
    const { read, wait } = await setUp();
    wait(1_000);
    expect(await read(1, { key: 'short' })).toBe('HIT');
    wait(299);
    expect(await read(1, { key: 'short' })).toBe('HIT');
    wait(1);
    expect(await read(1, { key: 'short' })).toBe('left');
  });

  it('leaves a gateway from the moment at which its contract has ended in Paris', async () => {
    const { read, cache, wait } = await setUp({ contractEnd: '2026-11-19' });
    wait(29_999);
    await cache.read('kyero', 'a');
    expect([await read(), await read()]).toEqual(['HIT', 'HIT']);
    wait(1);
    expect(await read()).toBe('left');
  });

  it('says MISS as soon as the snapshot is stale, and asks for a run', async () => {
    const { read, ask, wait } = await setUp({ confirmedAgeMs: TTL_SECONDS * 1000 - 500 });
    expect([await read(), await read()]).toEqual(['HIT', 'HIT']);
    wait(500);
    expect(await read()).toBe('HIT');
    expect(ask).not.toHaveBeenCalled();
    wait(1);
    expect(await read()).toBe('MISS');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it.each<[string, (parts: Awaited<ReturnType<typeof setUp>>) => unknown]>([
    [
      'its gateway has changed',
      ({ cache }) => {
        cache.forget(1);
      },
    ],
    [
      'changes are no longer heard of',
      ({ cache }) => {
        cache.setListening(false);
      },
    ],
    [
      'a publication is announced',
      ({ walks }) => {
        walks.expect(1);
      },
    ],
    [
      'it was read again and is disabled',
      ({ cache, gateway }) => {
        gateway.enabled = false;
        return cache.read('kyero', 'a');
      },
    ],
    ['its reading is five seconds old', ({ wait }) => wait(5_001)],
  ])('leaves a gateway once %s', async (_when, happen) => {
    const parts = await setUp();
    expect([await parts.read(), await parts.read()]).toEqual(['HIT', 'HIT']);
    await happen(parts);
    expect(await parts.read()).toBe('left');
  });

  it('does not hold beyond the reading of the gateway', async () => {
    const { read, cache, wait } = await setUp();
    wait(300);
    await cache.read('kyero', 'a');
    wait(4_900);
    expect(await read()).toBe('HIT');
    wait(101);
    expect(await read()).toBe('left');
  });

  it('tells walks of each first and each last page, however often the same is asked for', async () => {
    const { read, walks, saved, wait } = await setUp();
    for (const page of [1, 2, 3]) await read(page);
    const steps: [page: number, afterMs: number][] = [
      [1, 100],
      [3, 100],
      [3, 100],
      [1, 100],
      [1, 100],
    ];
    for (const [page, afterMs] of steps) {
      wait(afterMs);
      await read(page);
    }
    wait(50);
    walks.save(1);
    // The walk has begun again with the page before the last.
    expect(saved).toMatchObject([{ snapshotId: 7, firstAgeMs: 150, lastFirstAgeMs: 50, finishedAgeMs: null }]);
  });

  it('tells walks apart by reader', async () => {
    const { read, walks, saved } = await setUp();
    for (const agent of ['one', 'two', 'one', 'two']) await read(1, { 'user-agent': agent });
    walks.save(1);
    expect(saved).toHaveLength(2);
  });

  it('begins another walk when the time of the last is over', async () => {
    const { read, cache, walks, saved, wait } = await setUp();
    wait(300);
    await read();
    wait(WALK_SECONDS * 1000 - 200);
    await cache.read('kyero', 'a');
    await read();
    wait(250);
    await read();
    wait(10);
    walks.save(1);
    expect(saved).toMatchObject([{ firstAgeMs: 10, lastFirstAgeMs: 10 }]);
  });
});
