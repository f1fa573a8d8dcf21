import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { choicesOf } from '../../../../../test/support/connectors/choices';
import { MovingList, type MovingSource, readMovingSources } from '../../../../../test/support/connectors/moving-list';
import { sizeOf } from '../../../../../test/support/full-size';
import { type DroppedFeed, readSource } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

/**
 * The full number of walks even in brief runs, because this spec tests the engine; the same specs of other connectors
 * are brief.
 */
const WALKS = sizeOf('WALKS', { brief: 60, full: 60 });

let list: MovingList;
let beforePage: () => void;
/** If set, it answers instead of `list`. */
let source: MovingSource | undefined;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://api.example');
    if (url.pathname === '/agencies') {
      response.end(JSON.stringify({ total_items: 1, agencies: [{ id: 9 }] }));
      return;
    }
    beforePage();
    const { ids, total } = source?.answer() ?? { ids: list.ids, total: list.ids.length };
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    const page = ids.slice(offset, offset! + limit!);
    const properties = page.map((id) => ({ id, agency: 9, status: 1, step: 1, category: 1, type: 1 }));
    response.end(JSON.stringify({ total_items: total, timestamp: Date.now(), properties }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function read(): Promise<DroppedFeed> {
  const source = { url: `http://${origin}`, credentials: {}, settings: { agency: '9', limit: '2' } };
  return readSource(connector, source, { allowPrivate: new Set([origin]), pagePauseMs: 0 });
}

const idsIn = ({ listings }: DroppedFeed): number[] => listings.map(({ affId }) => Number(affId));

/** Changes the list once, before the second page. */
function moveOnce(change: (ids: number[]) => void): void {
  let pages = 0;
  beforePage = () => {
    pages += 1;
    if (pages === 2) change(list.ids);
  };
}

it.each<[string, (ids: number[]) => void, number[]]>([
  ['a listing disappears', (ids) => ids.shift(), [2, 3, 4, 5, 6]],
  ['a listing is added at the front', (ids) => ids.unshift(7), [7, 1, 2, 3, 4, 5, 6]],
  ['one listing disappears and another is added', (ids) => ids.splice(0, 6, 2, 3, 4, 5, 6, 7), [2, 3, 4, 5, 6, 7]],
  ['the order of the listings changes', (ids) => ids.reverse(), [6, 5, 4, 3, 2, 1]],
])(
  'Apimo connector walks the list again until it is complete when %s between two pages',
  async (_what, change, expected) => {
    list = new MovingList(choicesOf(1), 6);
    moveOnce(change);
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([expected, null]);
  },
);

it('Apimo connector reports the list as incomplete while it keeps moving', async () => {
  list = new MovingList(choicesOf(1), 6);
  beforePage = () => list.ids.unshift(list.ids.length + 1);
  const { summary } = await read();
  expect(summary).toMatchObject({
    incomplete: 'the list changed during each of 4 walks through its pages',
    memory: {},
  });
});

it('a complete Apimo list contains every listing that existed during the whole import, however the source moves, counts and replicates listings', async () => {
  beforePage = () => undefined;
  const { complete, lacking } = await readMovingSources(WALKS, (moving) => {
    source = moving;
    return read();
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(WALKS / 10);
});
