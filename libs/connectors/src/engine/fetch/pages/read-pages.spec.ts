import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { Connector, PagedFetch } from '../../../kit/contracts';
import type { FeedRequest, FeedSummary, RecordOutcome } from '../../contracts';
import { openFeed } from '../../read-feed';
import { aPagedConnector } from '../../../../../../test/support/connectors/fake-connectors';
import { readable } from '../../../../../../test/support/connectors/readable';

/** An answer of the fake API: a body, a status, or a function of the request. */
type Page = object | number | string | ((request: IncomingMessage) => Page);

let server: Server;
let origin: string;
let pages: Record<string, Page>;
let asked: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    let page = pages[path] ?? 404;
    while (typeof page === 'function') page = page(request);
    if (typeof page === 'number') response.writeHead(page, page === 429 ? { 'retry-after': '0' } : {}).end();
    else response.end(typeof page === 'string' ? page : JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
  pages = { '/token': { token: 't1' } };
});

afterEach(() => {
  server.closeAllConnections();
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function read(
  changes: Partial<FeedRequest> = {},
  connector: Connector = aPagedConnector(),
): Promise<{ ids: string[]; outcomes: RecordOutcome[]; summary: FeedSummary }> {
  const reading = openFeed(connector, {
    source: { url: `http://${origin}`, credentials: {}, settings: {} },
    previous: {},
    isKnown: () => false,
    outbound: {
      allowPrivate: new Set([origin]),
      inboxDir: '/',
      maxBytes: 1_000_000,
      timeoutMs: 300_000,
      idleTimeoutMs: 60_000,
      pagePauseMs: 0,
    },
    signal: new AbortController().signal,
    ...changes,
  });
  const outcomes: RecordOutcome[] = [];
  for await (const outcome of reading.outcomes) outcomes.push(outcome);
  const ids = outcomes.map((outcome) => ('affId' in outcome ? outcome.affId : outcome.kind));
  return { ids, outcomes, summary: reading.summary() };
}

function hashesOf(outcomes: readonly RecordOutcome[]): string[] {
  return outcomes.flatMap((outcome) => ('hash' in outcome ? [outcome.hash] : []));
}

const aPage = (ids: readonly number[], total: number, next?: string): object => ({
  total,
  timestamp: Date.now(),
  items: ids.map((id) => ({ id: String(id) })),
  next,
});

/** A connector whose source can list the changes since a time. */
function aChangingConnector(): Connector {
  return aPagedConnector({
    changes: {
      since: (first) => ({ ...first, url: `${first.url}?since` }),
      deleted: () => Promise.resolve(['9']),
      wholeEverySeconds: 3600,
    },
  });
}

/** Gives the answers in order, then repeats the last one. */
function inTurn(...answers: Page[]): Page {
  return () => (answers.length > 1 ? answers.shift() : answers[0]) ?? 404;
}

describe('API walk', () => {
  it('reads page after page until there is no next page', async () => {
    pages = { ...pages, '/1': aPage([1, 2], 3, '/2'), '/2': aPage([2, 3], 3) };
    const { ids, outcomes, summary } = await read();
    expect(ids).toEqual(['1', '2', '3']);
    expect(outcomes.map(readable)[2]).toMatchObject({
      position: 3,
      normalized: expect.stringContaining('"agenceNom":"Démo"'),
    });
    expect(asked).toEqual(['/token', '/1', '/2', '/1']);
    const warnings = [{ code: 'implausible_value', count: 3 }];
    expect(summary).toMatchObject({ records: 3, incomplete: null, notModified: false, warnings });
    expect(summary.memory).toEqual({
      mappingKey: expect.any(String),
      mappedAs: expect.any(String),
      unknownElements: [],
    });
  });

  /** Logs whether the run holds its processing slot at each request and each record. */
  function aWorkLog(): {
    log: string[];
    noted: (page: Page) => Page;
    request: Pick<FeedRequest, 'work' | 'isKnown'>;
    isAtWork: () => boolean;
  } {
    const log: string[] = [];
    let isAtWork = false;
    const note = (what: string): void => void log.push(`${what} ${isAtWork ? 'at work' : 'waiting'}`);
    const work = {
      enter: async () => {
        await Promise.resolve();
        isAtWork = true;
      },
      leave: () => {
        isAtWork = false;
      },
    };
    const noted = (page: Page): Page => {
      return ({ url = '' }) => {
        note(url);
        return page;
      };
    };
    return { log, noted, request: { work, isKnown: () => (note('record'), false) }, isAtWork: () => isAtWork };
  }

  it('releases its processing slot while it waits for its source', async () => {
    const { log, noted, request, isAtWork } = aWorkLog();
    pages = {
      ...pages,
      '/1': noted(aPage([1], 1)),
      '/2': noted(aPage([2, 3], 3, '/3')),
      '/3': noted(aPage([3, 4], 3)),
    };
    const walks = ['/1', '/2'].map((path) => ({ url: `http://${origin}${path}` }));
    const connector = aPagedConnector({ prepare: () => Promise.resolve({ walks, feed: { agency: '' } }) });
    const { ids } = await read(request, connector);
    expect(ids).toEqual(['1', '2', '3', '4']);
    expect([...new Set(log)].sort()).toEqual(['/1 waiting', '/2 waiting', '/3 waiting', 'record at work']);
    expect(isAtWork()).toBe(true);
  });

  it('releases its processing slot while it requests single listings', async () => {
    const { log, noted, request, isAtWork } = aWorkLog();
    pages = { ...pages, '/1': noted(aPage([1, 2], 2)), '/d/1': noted({ id: '1' }), '/d/2': noted('no listing') };
    const connector = aPagedConnector({
      details: {
        request: (summary) => ({ url: `http://${origin}/d/${(summary as { id: string }).id}` }),
        idOf: (summary) => (summary as { id: string }).id,
        record(_summary, answer) {
          if (!answer.includes('{')) throw new BadFeed('no listing');
          return answer;
        },
      },
    });
    expect((await read(request, connector)).ids).toEqual(['1']);
    expect([...new Set(log)].sort()).toEqual(['/1 waiting', '/d/1 waiting', '/d/2 waiting', 'record at work']);
    expect(isAtWork()).toBe(true);
  });

  it('recognises known records although timestamps and cursors around them changed', async () => {
    pages['/1'] = aPage([1], 1);
    const first = await read();
    pages = { ...pages, '/1': aPage([1], 2, '/2'), '/2': aPage([1, 2], 2) };
    const known = hashesOf(first.outcomes);
    const second = await read({ isKnown: (hash) => known.includes(hash) });
    expect(second.outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'listing']);
  });

  it('maps records again when the data from `prepare` has changed', async () => {
    pages['/1'] = aPage([1], 1);
    const first = await read();
    const prepare: PagedFetch['prepare'] = () =>
      Promise.resolve({ walks: [{ url: `http://${origin}/1` }], feed: { agency: 'Other' } });
    const second = await read({}, aPagedConnector({ prepare }));
    expect(hashesOf(second.outcomes)).not.toEqual(hashesOf(first.outcomes));
    expect(second.outcomes.map(readable)[0]).toMatchObject({ normalized: expect.stringContaining('Other') });
  });

  it.each([
    ['the same page', '/1'],
    ['an earlier page', '/2'],
  ])('is incomplete when a page leads back to a page that was already read: %s', async (_which, next) => {
    pages = {
      ...pages,
      '/1': aPage([1], 9, next === '/1' ? '/1' : '/2'),
      '/2': aPage([1, 2], 9, '/3'),
      '/3': aPage([2, 3], 9, '/2'),
    };
    const { summary } = await read();
    expect(summary.incomplete).toMatch(/leads back to a page that was read already/);
    expect(summary.memory).toEqual({ unknownElements: [] });
  });

  it.each([
    ['every page declares', [3, 3], [1, 2], 'the source declares 3 records and gave 2'],
    ['the last page declares', [2, 4], [1, 2], 'the source declares 4 records and gave 2'],
    [
      'the first page declares, when the last page declares too few',
      [4, 1],
      [1, 2],
      'the source declared 4 records at first, 1 at last, and gave 2',
    ],
    ['the last page declares, when only that number is right', [4, 2], [1, 2], null],
  ])('compares the number of records with the number that %s', async (_what, totals, ids, incomplete) => {
    pages = { ...pages, '/1': aPage(ids.slice(0, 1), totals[0] ?? 0, '/2'), '/2': aPage(ids, totals[1] ?? 0) };
    expect((await read()).summary.incomplete).toBe(incomplete);
  });

  it.each([
    ['is missing', 404],
    ['is an HTML page', '<html></html>'],
    ['has no list', { message: 'x' }],
    ['is cut', '{"total": 3, "items": [{"id": "3"},'],
  ])('is incomplete when a later page %s', async (_what, page) => {
    pages = { ...pages, '/1': aPage([1, 2], 3, '/2'), '/2': page };
    const { ids, summary } = await read();
    expect(ids.slice(0, 2)).toEqual(['1', '2']);
    expect(summary.incomplete).not.toBeNull();
  });

  it('walks again when a later page fails, up to a limit', async () => {
    pages = { ...pages, '/1': aPage([1, 2], 3, '/2'), '/2': inTurn(404, aPage([2, 3], 3)) };
    expect(await read()).toMatchObject({ ids: ['1', '2', '3'], summary: { incomplete: null } });
    pages['/2'] = 404;
    asked = [];
    expect((await read()).summary.incomplete).toMatch(/^page 2 of the walk could not be read: .* answered 404$/);
    expect(asked).toEqual(['/token', '/1', '/2', '/1', '/2']);
  });

  it.each([
    [[4, 2], null],
    [[2, 4], null],
    [[4, 4], 'the source declares 4 records and gave 3'],
    [[2, 2], null],
  ])('reads stable pages only once, and accepts the smaller of two declared counts: %j', async (totals, incomplete) => {
    pages = { ...pages, '/1': aPage([1, 2], totals[0] ?? 0, '/2'), '/2': aPage([2, 3], totals[1] ?? 0) };
    const prepare: PagedFetch['prepare'] = () =>
      Promise.resolve({ walks: [{ url: `http://${origin}/1` }], feed: {}, hasStablePages: true });
    const { ids, summary } = await read({}, aPagedConnector({ prepare }));
    expect([ids, summary.incomplete, asked]).toEqual([['1', '2', '3'], incomplete, ['/1', '/2']]);
  });

  it('keeps all records and warns when the source declares too few', async () => {
    pages = { ...pages, '/1': aPage([1, 2], 2, '/2'), '/2': aPage([2, 3], 2) };
    const { ids, summary } = await read();
    expect([ids, summary.incomplete]).toEqual([['1', '2', '3'], null]);
    expect(summary.warnings).toContainEqual(expect.objectContaining({ code: 'declared_count', value: '2' }));
  });

  it('accepts two walks that agree when the source declares no count', async () => {
    const undeclared = (ids: number[], next?: string): object => ({
      items: ids.map((id) => ({ id: String(id) })),
      next,
    });
    pages = {
      ...pages,
      '/1': inTurn(undeclared([1, 2], '/2'), undeclared([3, 2], '/2')),
      '/2': undeclared([2, 4]),
    };
    expect(await read()).toMatchObject({ ids: ['3', '2', '4'], summary: { incomplete: null } });
    expect(asked).toEqual(['/token', '/1', '/2', '/1', '/2', '/1']);
  });

  it('is incomplete after one walk when the pages do not overlap, unless an operator accepts that', async () => {
    pages = { ...pages, '/1': aPage([1, 2], 3, '/2?apart'), '/2?apart': aPage([3], 3) };
    const feed = await read();
    expect(feed.summary.incomplete).toMatch(/^the pages cannot be requested with an overlap, /);
    expect([feed.ids, asked]).toEqual([
      ['1', '2', '3'],
      ['/token', '/1', '/2?apart'],
    ]);
    expect(await read({ ignoresDeclaredCount: true })).toMatchObject({
      ids: ['1', '2', '3'],
      summary: { incomplete: null },
    });
  });

  it('accepts wrong counts, and records that are on two pages, when an operator allows them', async () => {
    pages = { ...pages, '/1': aPage([1, 2], 9, '/2'), '/2': aPage([3, 2], 9) };
    const { ids, summary } = await read({ ignoresDeclaredCount: true });
    expect([ids, summary.incomplete]).toEqual([['1', '2', '3', '2'], null]);
    expect((await read()).summary.incomplete).toBe('the source declares 9 records and gave 4');
    pages = { ...pages, '/1': aPage([1, 2], 4, '/2'), '/2': aPage([3, 2], 4) };
    expect((await read()).summary.incomplete).toMatch(
      /^1 of the 2 pages repeat records of other pages, or do not begin where the previous page ends/,
    );
  });

  it.each([
    ['is missing', 404, BadFeed],
    ['is refused', 401, AccessRefused],
    ['is an HTML page', '<html></html>', BadFeed],
  ])('fails when the first page %s', async (_what, page, kind) => {
    pages['/1'] = page;
    await expect(read()).rejects.toThrow(kind);
    expect(asked).toEqual(['/token', '/1']);
  });

  it('waits as long as the source demands, and continues', async () => {
    pages = { ...pages, '/1': aPage([1], 2, '/2'), '/2': inTurn(429, 429, 429, aPage([1, 2], 2)) };
    expect((await read()).ids).toEqual(['1', '2']);
  });

  it('gives up after four answers with Retry-After', async () => {
    pages = { ...pages, '/1': aPage([1], 2, '/2'), '/2': 429 };
    await expect(read()).rejects.toThrow(RetryLater);
    expect(asked.filter((path) => path === '/2')).toHaveLength(4);
  });

  it('requests again after a short outage, and gives up after a longer one', async () => {
    pages = { ...pages, '/1': inTurn(503, aPage([1], 2, '/2')), '/2': 500 };
    await expect(read()).rejects.toThrow(RetryLater);
    expect(asked).toEqual(['/token', '/1', '/1', '/2', '/2', '/2']);
  });

  it.each<[string, number, number, boolean]>([
    ['a minute ago', -60_000, -60_000, false],
    ['an hour ago', -3_600_000, -60_000, true],
    ['in the future, because a clock was ahead', 86_400_000, -60_000, true],
    ['a minute ago, but with changes requested in the future, because a clock was ahead', -60_000, 86_400_000, true],
  ])(
    'reads the changes or the whole list, depending on when the whole list was last read: %s',
    async (_when, comparedMs, askedMs, isWhole) => {
      pages = { ...pages, '/1': aPage([1], 1), '/1?since': aPage([1], 1) };
      const { mappingKey } = (await read({}, aChangingConnector())).summary.memory;
      const [comparedAt, askedAt] = [comparedMs, askedMs].map((ms) => new Date(Date.now() + ms).toISOString());
      asked = [];
      const previous = { mappingKey: mappingKey!, comparedAt: comparedAt!, askedAt: askedAt! };
      const { summary } = await read({ previous }, aChangingConnector());
      expect(asked).toEqual(['/token', isWhole ? '/1' : '/1?since']);
      expect(summary.coverage).toEqual(isWhole ? { kind: 'whole' } : { kind: 'delta', deleted: ['9'] });
      expect(summary.memory.comparedAt === comparedAt).toBe(!isWhole);
    },
  );

  it('gets a new token once when the old one expires during the walk', async () => {
    const needs =
      (token: string, page: Page): Page =>
      (request) =>
        request.headers.authorization === token ? page : 401;
    pages = {
      '/token': inTurn({ token: 't1' }, { token: 't2' }),
      '/1': inTurn(needs('t1', aPage([1], 3, '/2')), needs('t2', aPage([1], 3, '/2'))),
      '/2': needs('t2', aPage([1, 2], 3, '/3')),
      '/3': needs('t2', aPage([2, 3], 3)),
    };
    const { ids, summary } = await read();
    expect(ids).toEqual(['1', '2', '3']);
    expect(summary.incomplete).toBeNull();
    expect(asked).toEqual(['/token', '/1', '/2', '/token', '/2', '/3', '/1']);
  });

  it('does not send a new token to another origin that answers 401', async () => {
    const seen: (string | undefined)[] = [];
    const stranger = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const elsewhere = `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const next: PagedFetch['next'] = ({ envelope }) =>
      typeof envelope['next'] === 'string' ? { url: envelope['next'] } : undefined;
    pages['/1'] = aPage([1], 2, `http://${elsewhere}/2`);
    try {
      const outbound = { allowPrivate: new Set([origin, elsewhere]), inboxDir: '/', maxBytes: 1_000_000 };
      const { summary } = await read(
        { outbound: { ...outbound, timeoutMs: 300_000, idleTimeoutMs: 60_000 } },
        aPagedConnector({ next }),
      );
      expect(summary.incomplete).toContain('answered 401');
      expect(seen).toEqual([undefined]);
    } finally {
      stranger.closeAllConnections();
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it('fails when a request before the walk fails, and keeps its answer out of the error', async () => {
    pages['/token'] = 'secret answer';
    await expect(read()).rejects.toThrow(new BadFeed(`http://${origin}/token did not answer with JSON`));
  });
});
