import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { choicesOf } from '../../../../../test/support/connectors/choices';
import {
  MovingList,
  type MovingSource,
  readMovingSources,
  readWhileMoving,
  LEAST_COMPLETE,
  WALKS,
} from '../../../../../test/support/connectors/moving-list';
import { type DroppedFeed, readSource } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

/** How a server handles OData queries. */
type Understanding = 'lists by key' | 'ignores the order' | 'refuses the order' | 'refuses the range' | 'is busy';

let list: MovingList;
let understanding: Understanding;
let beforePage: () => void;
/** If set, this source answers instead of `list`. */
let source: MovingSource | undefined;
let asked: string[];
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://api.example');
    asked.push([...query.keys()].map((name) => name.slice(1)).join(' '));
    if (understanding === 'is busy' && query.has('$orderby')) {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return;
    }
    const isRefused =
      (understanding === 'refuses the order' && query.has('$orderby')) ||
      (understanding === 'refuses the range' && query.has('$filter'));
    if (isRefused) {
      response.writeHead(400).end();
      return;
    }
    beforePage();
    const isByKey = understanding !== 'ignores the order';
    const after = Number(/ListingKey gt '(\d+)'$/.exec(query.get('$filter') ?? '')?.[1] ?? 0);
    const { ids, total } = source?.answer() ?? { ids: list.ids, total: undefined };
    const all = isByKey && query.has('$orderby') ? [...ids].sort((a, b) => a - b) : ids;
    const found = isByKey ? all.filter((id) => id > after) : all;
    const skip = Number(query.get('$skip') ?? 0);
    const next = skip + Number(query.get('$top'));
    const value = found.slice(skip, next).map((id) => ({ ListingKey: keyOf(id), City: 'Paris' }));
    const link =
      next < found.length ? { '@odata.nextLink': `?$top=${query.get('$top')}&$skip=${next}&$count=true` } : {};
    response.end(JSON.stringify({ '@odata.count': source === undefined ? found.length : total, value, ...link }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
  source = undefined;
  beforePage = () => undefined;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const keyOf = (id: number): string => String(id).padStart(4, '0');

function read(settings: Record<string, string> = {}): Promise<DroppedFeed> {
  return readSource(
    connector,
    { url: `http://${origin}/Property`, credentials: {}, settings: { expand: 'non', top: '2', ...settings } },
    { allowPrivate: new Set([origin]), pagePauseMs: 0 },
  );
}

const idsIn = ({ listings }: DroppedFeed): number[] => listings.map(({ affId }) => Number(affId));

describe('RESO list of several pages', () => {
  beforeEach(() => {
    list = new MovingList(choicesOf(1), 5);
  });

  /**
   * The query options of each request. Each page begins with the last record of the previous page; the last page is
   * full and has no link.
   */
  const WALKS_BY_LINK = [
    ...['top skip count', 'top skip count', 'top skip count', 'top count skip'],
    ...['count top', 'top skip count', 'top skip count'],
  ];

  it.each<[Understanding, string[]]>([
    ['lists by key', ['count top orderby', 'count top orderby filter', 'count top orderby filter']],
    ['ignores the order', ['count top orderby', 'count top orderby filter', ...WALKS_BY_LINK]],
    ['refuses the order', ['count top orderby', ...WALKS_BY_LINK]],
    ['refuses the range', ['count top orderby', 'count top orderby filter', ...WALKS_BY_LINK]],
  ])('is read completely from a server that %s', async (kind, requests) => {
    understanding = kind;
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(asked).toEqual(['count top', ...requests]);
  });

  it('is not requested further when the server is busy', async () => {
    understanding = 'is busy';
    await expect(read()).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    expect(asked).toEqual(['count top', 'count top orderby']);
  });

  it('is walked once when its pages are known to be stable', async () => {
    understanding = 'ignores the order';
    const feed = await read({ 'stable-pages': 'oui' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(asked).toEqual(['count top', 'top skip count', 'top skip count']);
  });

  it('is split by key ranges within the filter that the operator chose', async () => {
    understanding = 'lists by key';
    const filters: (string | null)[] = [];
    server.prependListener('request', ({ url }) => {
      filters.push(new URL(url ?? '', 'http://api.example').searchParams.get('$filter'));
    });
    await read({ filter: "City eq 'Paris' or City eq 'L''Isle'" });
    expect(filters.at(-1)).toBe("(City eq 'Paris' or City eq 'L''Isle') and ListingKey gt '0004'");
  });

  it('is complete after one walk by key, even when the list changes during the walk', async () => {
    understanding = 'lists by key';
    beforePage = () => list.ids.reverse().splice(2, 1);
    const { summary } = await read();
    expect(summary.incomplete).toBeNull();
  });
});

it.each<Understanding>(['lists by key', 'ignores the order', 'refuses the order', 'refuses the range'])(
  'a complete RESO list of a server that %s contains every listing that was there during the whole walk, even when others move',
  async (kind) => {
    understanding = kind;
    const { complete, lacking } = await readWhileMoving(WALKS, (moving, move) => {
      [list, beforePage] = [moving, move];
      return read();
    });
    expect(lacking).toEqual([]);
    expect(complete).toBeGreaterThan(kind === 'lists by key' ? WALKS * 0.8 : LEAST_COMPLETE);
  },
);

it('a complete RESO list of a server without an order contains every listing that was there during the whole walk, even with wrong totals and replicas', async () => {
  understanding = 'ignores the order';
  const { complete, lacking } = await readMovingSources(WALKS, (moving) => {
    source = moving;
    return read();
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(LEAST_COMPLETE);
});
