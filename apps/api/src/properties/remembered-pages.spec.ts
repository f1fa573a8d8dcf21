import type { IncomingMessage } from 'node:http';
import type { SessionAges, ServedGateway } from '@passerelle/database';
import { ALL_TERMS, KeyHashes, type KeyTerms } from '@passerelle/domain';
import { GatewayAccess } from '../access/gateway-access';
import { GatewayCache } from '../access/gateway-cache';
import { Proxies } from '../http/proxies';
import { PageCache } from './page-cache';
import { Pages } from './pages';
import type { PageQuery } from './parameters';
import { PaginationSessions } from './pagination-sessions';
import { RememberedPages } from './remembered-pages';
import { ServedSnapshots } from './served-snapshots';

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

// The deciding classes are real. The data from PostgreSQL and the time are fake.
const NO_LIMIT = { counterHere: () => null };

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
  const saved: SessionAges[] = [];
  const save = (_gateway: number, sessions: SessionAges[]): Promise<void> => {
    saved.push(...sessions);
    return Promise.resolve();
  };
  const sessions = new PaginationSessions({ save } as never, config, clock);
  const ask = jest.fn();
  const nothing = {} as never;
  const snapshots = new ServedSnapshots(
    ...([access, nothing, { ask } as never, sessions, nothing, nothing] as const),
    ...([{ see: () => undefined } as never, config, 0] as const),
  );
  const listings = { page: () => Promise.resolve(Buffer.from('"data":[]}')) };
  const pages = new Pages(listings as never, new PageCache(1e6));
  const memory = new RememberedPages(
    ...([new Proxies([]), clock, cache, access, NO_LIMIT as never, sessions, snapshots, pages] as const),
  );
  const look = jest.spyOn(access, 'openCached');

  for (const page of [1, 2, 3]) {
    const query = { crm: 'kyero', client: 'a', format: 'normalized', page, per_page: 10 } as PageQuery;
    memory.learn(`/page-${page}`, query);
    await pages.load({ ...SNAPSHOT, gatewayId: 1, cache: 'HIT' }, query);
  }
  await cache.read('kyero', 'a');

  /** The value of `X-Cache`; `none` when the memory does not find the page. */
  const read = (page = 1, headers: Record<string, string> = {}): string => {
    const socket = { remoteAddress: '127.0.0.1' };
    const request = { method: 'GET', url: `/page-${page}`, headers: { key: 'right', ...headers }, socket };
    return memory.find(request as unknown as IncomingMessage, 'id')?.snapshot.cache ?? 'none';
  };
  return { cache, gateway, sessions, saved, ask, look, read, wait: (ms: number) => (skippedMs += ms) };
}

describe('RememberedPages', () => {
  it('finds a page again for the same requester without opening its gateway', async () => {
    const { read, look, wait } = await setUp();
    for (let n = 0; n < 4; n += 1) expect(read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(1);
    wait(999);
    expect(read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(1);
    wait(1);
    expect(read()).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('finds a page only for keys that may read it, whatever key was used before', async () => {
    const { read } = await setUp();
    for (const [key, outcome] of [
      ['right', 'HIT'],
      ['wrong', 'none'],
      ['right', 'HIT'],
      ['other', 'HIT'],
      ['reporting', 'none'],
      ['elsewhere', 'none'],
      ['here', 'HIT'],
    ] as const) {
      for (let n = 0; n < 2; n += 1) expect([key, read(1, { key })]).toEqual([key, outcome]);
    }
  });

  it('finds pages for four requesters of one URL without opening their gateway again', async () => {
    const { read, look } = await setUp();
    const agents = ['a', 'b', 'c', 'd'].map((agent) => ({ 'user-agent': agent }));
    for (const headers of [...agents, ...agents]) expect(read(1, headers)).toBe('HIT');
    expect(look).toHaveBeenCalledTimes(4);
    for (const headers of [{ 'user-agent': 'e' }, agents[0]]) read(1, headers);
    expect(look).toHaveBeenCalledTimes(6);
  });

  it('does not find a page for an expired key', async () => {
    const { read, wait } = await setUp();
    wait(1_000);
    expect(read(1, { key: 'short' })).toBe('HIT');
    wait(299);
    expect(read(1, { key: 'short' })).toBe('HIT');
    wait(1);
    expect(read(1, { key: 'short' })).toBe('none');
  });

  it('does not find a page after the contract of its gateway has ended by the time in Paris', async () => {
    const { read, cache, wait } = await setUp({ contractEnd: '2026-11-19' });
    wait(29_999);
    await cache.read('kyero', 'a');
    expect([read(), read()]).toEqual(['HIT', 'HIT']);
    wait(1);
    expect(read()).toBe('none');
  });

  it('finds a stale page as MISS, and requests a run', async () => {
    const { read, ask, wait } = await setUp({ confirmedAgeMs: TTL_SECONDS * 1000 - 500 });
    expect([read(), read()]).toEqual(['HIT', 'HIT']);
    wait(500);
    expect(read()).toBe('HIT');
    expect(ask).not.toHaveBeenCalled();
    wait(1);
    expect(read()).toBe('MISS');
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
      'notifications have stopped',
      ({ cache }) => {
        cache.setListening(false);
      },
    ],
    [
      'a publication was announced',
      ({ sessions }) => {
        sessions.expect(1);
      },
    ],
    [
      'a new read showed that its gateway is disabled',
      ({ cache, gateway }) => {
        gateway.enabled = false;
        return cache.read('kyero', 'a');
      },
    ],
    ['more than five seconds without a new read of its gateway', ({ wait }) => wait(5_001)],
  ])('does not find a page after %s', async (_when, happen) => {
    const parts = await setUp();
    expect([parts.read(), parts.read()]).toEqual(['HIT', 'HIT']);
    await happen(parts);
    expect(parts.read()).toBe('none');
  });

  it('no longer finds a page when its cached gateway expires, even if the page was found before', async () => {
    const { read, cache, wait } = await setUp();
    wait(300);
    await cache.read('kyero', 'a');
    wait(4_900);
    expect(read()).toBe('HIT');
    wait(101);
    expect(read()).toBe('none');
  });

  it('notes each first and each last page in the pagination session of its reader', async () => {
    const { read, sessions, saved, wait } = await setUp();
    for (const page of [1, 2, 3]) read(page);
    const steps: [page: number, afterMs: number][] = [
      [1, 100],
      [3, 100],
      [3, 100],
      [1, 100],
      [1, 100],
    ];
    for (const [page, afterMs] of steps) {
      wait(afterMs);
      read(page);
    }
    wait(50);
    sessions.save(1);
    // The reader had reached the last page, so its next request of page 1 began the session again.
    expect(saved).toMatchObject([{ snapshotId: 7, firstAgeMs: 150, lastFirstAgeMs: 50, finishedAgeMs: null }]);
  });

  it('notes the pagination sessions of two readers separately', async () => {
    const { read, sessions, saved } = await setUp();
    for (const agent of ['one', 'two', 'one', 'two']) read(1, { 'user-agent': agent });
    sessions.save(1);
    expect(saved).toHaveLength(2);
  });

  it('begins another pagination session when the lifetime of the previous one is over', async () => {
    const { read, cache, sessions, saved, wait } = await setUp();
    wait(300);
    read();
    wait(WALK_SECONDS * 1000 - 200);
    await cache.read('kyero', 'a');
    read();
    wait(250);
    read();
    wait(10);
    sessions.save(1);
    expect(saved).toMatchObject([{ firstAgeMs: 10, lastFirstAgeMs: 10 }]);
  });
});
