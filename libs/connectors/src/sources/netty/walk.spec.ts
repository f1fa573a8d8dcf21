import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessRefused } from '@passerelle/domain';

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
import type { SourceConfig } from '../../kit/contracts';
import { fakeClient } from '../../../../../test/support/connectors/fake-client';
import { connector } from './connector';
import { NETTY_WALK } from './walk';

let list: MovingList;
let beforePage: () => void;
/** If set, it answers instead of `list`. */
let source: MovingSource | undefined;
/** The `count` of a page. */
let countOf: (records: number) => number | undefined;
let asked: string[];
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://api.example');
    if (request.headers['x-netty-api-key'] !== 'k') {
      response.writeHead(401).end();
      return;
    }
    asked.push(url.search);
    beforePage();
    const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    const { ids, total } = source?.answer() ?? { ids: list.ids, total: undefined };
    const page = ids.slice(offset, offset + limit);
    const data = page.map((id) => ({ product_ref: id, state: 1, product_type: 1, product_offer_type: 1 }));
    response.end(JSON.stringify({ count: source === undefined ? countOf(data.length) : total, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  list = new MovingList(choicesOf(1), 5);
  [beforePage, countOf, asked, source] = [() => undefined, () => list.ids.length, [], undefined];
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function read(credentials: Record<string, string> = { 'api-key': 'k' }): Promise<DroppedFeed> {
  const source = { url: `http://${origin}/apiv1`, credentials, settings: { limit: '2' } };
  return readSource(connector, source, { allowPrivate: new Set([origin]), pagePauseMs: 0 });
}

const CLIENT = fakeClient({});
const firstUrl = async (changes: Partial<SourceConfig>): Promise<string | undefined> => {
  const source = { url: 'https://api.example/apiv1', credentials: { key: 'k' }, settings: {}, ...changes };
  return (await NETTY_WALK.prepare(source, CLIENT)).walks[0]?.url;
};

it.each<[string, Partial<SourceConfig>, string]>([
  ['the URL of the API', {}, 'products?relations=linked_user_id&sort=product_ref%3Aasc&limit=100&offset=0'],
  [
    'the URL of its products with a filter',
    { url: 'https://api.example/apiv1/products/?filters=state:equal:1&limit=20&offset=40' },
    'products/?filters=state%3Aequal%3A1&limit=20&offset=0&relations=linked_user_id&sort=product_ref%3Aasc',
  ],
  [
    'the settings',
    { settings: { filters: 'linked_company_id:equal:7', limit: '5000' } },
    'products?relations=linked_user_id&sort=product_ref%3Aasc&filters=linked_company_id%3Aequal%3A7&limit=100&offset=0',
  ],
])('Netty connector takes the first page from %s', async (_title, changes, expected) => {
  expect(await firstUrl(changes)).toBe(`https://api.example/apiv1/${expected}`);
});

it.each([{ url: 'nowhere' }, { credentials: {} }])('Netty connector rejects a source with %j', async (changes) => {
  await expect((async () => firstUrl(changes))()).rejects.toThrow(AccessRefused);
});

it.each<[string, (records: number) => number | undefined]>([
  ['the whole list', () => 5],
  ['the page', (records) => records],
  ['nothing', () => undefined],
])('Netty connector reads all pages when `count` counts %s', async (_what, count) => {
  countOf = count;
  const { listings, summary } = await read();
  expect(listings.map(({ affId }) => affId)).toEqual(['1', '2', '3', '4', '5']);
  expect(summary.incomplete).toBeNull();
});

it('Netty connector ends the run when the key is rejected', async () => {
  await expect(read({ 'api-key': 'wrong' })).rejects.toThrow(AccessRefused);
});

it('a complete Netty list contains every product that was there all the time, whatever moves', async () => {
  const { complete, lacking } = await readWhileMoving(WALKS, (moving, move) => {
    [list, beforePage] = [moving, move];
    return read();
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(LEAST_COMPLETE);
});

it('a complete Netty list contains every listing that was there all the time, however it moves, counts and is replicated', async () => {
  const { complete, lacking } = await readMovingSources(WALKS, (moving) => {
    source = moving;
    return read();
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(LEAST_COMPLETE);
});
