import { BadFeed, RetryLater } from '@passerelle/domain';
import {
  type MovingList,
  type MovingReads,
  readMovingSources,
  readWhileMoving,
  LEAST_COMPLETE,
  WALKS,
} from '../support/connectors/moving-list';
import { type DroppedFeed, readSource } from '../support/connectors/read-dropped';
import type { FeedRequest } from '../../libs/connectors/src/engine/contracts';
import type { Connector } from '../../libs/connectors/src/kit/contracts';
import type { ApiRequest, ApiServer } from './apis/api-server';

/** Faults of an API. */
export const HTML = { kind: 'body', contentType: 'text/html', body: '<html><body>Bad gateway</body></html>' } as const;
export const BUSY = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;
export const DOWN = { kind: 'status', status: 503 } as const;

/** A simulated API and the connector that reads it. */
export interface SimulatedSource<S> {
  /** The state of the API. It is new for each test, and the test may change it. */
  state: S;
  api: Pick<ApiServer, 'host' | 'requests' | 'fault' | 'limits' | 'counts'>;
  /** @param remembered results of earlier imports */
  read(settings?: Record<string, string>, credentials?: object, remembered?: Remembered): Promise<DroppedFeed>;
  /** The number of requests for a path. */
  askedFor(path: string): number;
}

type Remembered = Partial<Pick<FeedRequest, 'previous' | 'memory'>>;

interface SimulatedSourceOptions<S> {
  connector: Connector;
  simulate(state: S): Promise<ApiServer>;
  newState(): S;
  credentials: object;
  /** The path of the API at its origin; default: its root. */
  path?: string;
  /** Settings of every import. @param origin the origin of the API */
  settings?(origin: string): Record<string, string>;
}

/** Starts the API before each test of the file, and closes it after the test. */
export function simulatedSource<S extends object>(options: SimulatedSourceOptions<S>): SimulatedSource<S> {
  const state = options.newState();
  let server: ApiServer;
  beforeEach(async () => {
    Object.assign(state, options.newState());
    server = await options.simulate(state);
  });
  afterEach(async () => {
    await server.close();
  });
  return {
    state,
    api: {
      get host() {
        return server.host;
      },
      get requests() {
        return server.requests;
      },
      get fault() {
        return server.fault;
      },
      set fault(fault) {
        server.fault = fault;
      },
      get limits() {
        return server.limits;
      },
      get counts() {
        return server.counts;
      },
    },
    read(settings = {}, credentials = options.credentials, remembered = {}) {
      const url = `http://${server.host}`;
      return readSource(
        options.connector,
        {
          url: `${url}${options.path ?? ''}`,
          credentials: credentials as Record<string, string>,
          settings: { ...options.settings?.(url), ...settings },
        },
        { allowPrivate: new Set([server.host]), pagePauseMs: 0, timeoutMs: 60_000 },
        remembered,
      );
    },
    askedFor: (path) => server.requests.filter(({ url }) => url.pathname === path).length,
  };
}

/** The ids of listings, as numbers. */
export const idsIn = ({ listings }: DroppedFeed): number[] => listings.map(({ affId }) => Number(affId));

/** Tests how a run ends when pages have faults. The tests are the same for every API with pages. */
export function describeTrouble<S>(source: SimulatedSource<S>, isPage: (request: ApiRequest) => boolean): void {
  describe('faulty API', () => {
    it.each([
      ['an HTML page', HTML, BadFeed],
      ['an answer with status 429', BUSY, RetryLater],
    ])('fails the run when the first page is %s', async (_what, fault, failure) => {
      source.api.fault = (request) => (isPage(request) ? fault : undefined);
      await expect(source.read()).rejects.toThrow(failure);
    });

    it('delays the run until the next day when the daily quota is used up, and gets no further requests', async () => {
      source.api.fault = (request) => {
        if (isPage(request)) source.api.limits.requestsPerDay ??= source.api.counts.today + 1;
        return undefined;
      };
      const error = await source.read({ limit: '2' }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RetryLater);
      expect((error as RetryLater).retryAfterMs).toBe(6 * 3600 * 1000);
      expect(source.api.counts.refused).toBe(1);
    });

    it('is read completely when it limits requests per second', async () => {
      source.api.limits.requestsPerSecond = 4;
      const feed = await source.read({ limit: '3' });
      expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    });

    it('is incomplete when a later page is HTML', async () => {
      let pages = 0;
      source.api.fault = (request) => (isPage(request) && ++pages > 2 ? HTML : undefined);
      const { summary } = await source.read({ limit: '4' });
      expect(summary).toMatchObject({ incomplete: expect.stringMatching(/./) as string, memory: {} });
    });

    it.each([
      ['one answer with status 503', DOWN],
      ['one answer with status 429 and Retry-After', { ...BUSY, headers: { 'retry-after': '0' } }],
      ['a body that ends early', { kind: 'dropped', afterBytes: 20 } as const],
    ])('is read completely after %s', async (_what, fault) => {
      source.api.fault = (_request, number) => (number === 2 ? fault : undefined);
      const feed = await source.read({ limit: '3' });
      expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    });
  });
}

/**
 * Tests a source that sends different URLs for the same photos in each response.
 * @param begin adds listings with photos to the source
 * @param between is called between the two imports
 */
export function describeMovingPhotos<S extends { movesPhotos: boolean }>(
  { state, read }: SimulatedSource<S>,
  begin: () => void,
  between: () => void = () => undefined,
): void {
  it('listings keep their identity when their photos get other URLs', async () => {
    begin();
    state.movesPhotos = true;
    const before = await read();
    between();
    const after = await read();
    expect(idsIn(after)).toEqual(idsIn(before));
    expect(after.listings[0]?.photos[0]?.url).not.toBe(before.listings[0]?.photos[0]?.url);
  });
}

/** Reads a changing list. The function must be called before each page. */
type MovingRead = (list: MovingList, beforePage: () => void) => Promise<DroppedFeed>;

/** Tests repeated imports of lists that change at random. */
export function describeMoves(
  read: MovingRead,
  // More than `least` of 60 imports must be proven complete; some lists change too often for a proof.
  { what = 'a list that changes during the crawl', lists = 60, least = 5 } = {},
): void {
  const share = WALKS / 60;
  it(`${what}: never counts as complete when a listing is missing`, async () => {
    const { complete, lacking, moves } = await walkMovingLists(Math.ceil(lists * share), read);
    expect(lacking).toEqual([]);
    expect(complete).toBeGreaterThan(Math.floor(least * share));
    expect(moves).toBeGreaterThan(1_500 * share);
  });
}

const MOVES_AT_ONCE = 8;

/** Crawls lists that change often between two pages. */
async function walkMovingLists(lists: number, read: MovingRead): Promise<MovingReads & { moves: number }> {
  let moves = 0;
  const reads = await readWhileMoving(lists, (list, move) =>
    read(list, () => {
      const before = list.ids.join();
      move();
      if (before === list.ids.join()) return;
      for (let more = 0; more < MOVES_AT_ONCE; more += 1) list.move();
      moves += MOVES_AT_ONCE;
    }),
  );
  return { ...reads, moves };
}

/** The current state of a source with several replicas, whose totals may be wrong in any way. */
export interface ReplicatedList {
  ids(): readonly number[];
  total(): number | undefined;
  /** Called before each page. */
  beforePage(): void;
}

/** Tests crawls of changing lists. A list may have two replicas that differ by one write, and right or wrong totals. */
export function describeReplicas(read: (list: ReplicatedList) => Promise<DroppedFeed>): void {
  it('list from replicas counts as complete only if it contains every listing that existed during the whole crawl', async () => {
    const { complete, lacking } = await readMovingSources(WALKS, (source) => {
      let answer: ReturnType<typeof source.answer> = { ids: [], total: undefined };
      return read({
        ids: () => answer.ids,
        total: () => answer.total,
        beforePage: () => {
          answer = source.answer();
        },
      });
    });
    expect(lacking).toEqual([]);
    expect(complete).toBeGreaterThan(LEAST_COMPLETE);
  });
}
