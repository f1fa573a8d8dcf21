import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { AnswerMemory } from '../../../apps/api/src/http/answer-memory';
import { CachedBody } from '../../../apps/api/src/http/cached-body';
import { PageCache } from '../../../apps/api/src/properties/page-cache';
import { Pages } from '../../../apps/api/src/properties/pages';
import { PropertiesModule } from '../../../apps/api/src/properties/properties.module';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi, type TestListing } from './api-under-test';

// Real: PostgreSQL and the API. The cache is full of unused pages, so the API makes each new page in reused memory.
const LISTINGS: TestListing[] = Array.from({ length: 100 }, (_, n) => ({
  ...{ affId: `A${n}`, affNum: `R${n}`, passerelleName: 'kyero', photos: [] },
  // Each text has a different length and consists of words that gzip compresses badly.
  commentaires: Array.from({ length: 600 + 7 * n }, (_word, at) =>
    ((at * 7919 + n * 104_729) % 99_991).toString(36),
  ).join(' '),
}));

let api: ApiUnderTest;
let gateway: SeededGateway;
const givenBack = jest.spyOn(AnswerMemory.prototype, 'giveBack');

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: LISTINGS });
  const cache = api.app.select(PropertiesModule).get(PageCache, { strict: true });
  for (const [n, megabytes] of [15, 15, 15, 15, 3.98].entries()) {
    const body = new CachedBody(Buffer.alloc(megabytes * 2 ** 20), [], 'W/"x"');
    await cache.load(`0/normalized/50/${n}`, () => Promise.resolve(body));
  }
});
afterAll(() => api.close());

it.each([
  ['uncompressed', 5, {}, (bytes: Buffer) => bytes],
  ['gzipped', 4, { 'accept-encoding': 'gzip' }, gunzipSync],
])(
  'uncached pages stay complete when many are read at the same time and their memory is reused: %s',
  async (_what, perPage, headers, plain) => {
    givenBack.mockClear();
    const pages = Array.from({ length: LISTINGS.length / perPage }, async (_, at) => {
      const path = `/v1/properties?${gateway.query}&per_page=${perPage}&page=${at + 1}`;
      const { body } = await request(api.url + path, { headers: { ...gateway.headers, ...headers } });
      const { data } = JSON.parse(plain(Buffer.from(await body.arrayBuffer())).toString()) as { data: TestListing[] };
      return data;
    });
    expect((await Promise.all(pages)).flat()).toEqual(LISTINGS);
    expect(givenBack).toHaveBeenCalledTimes(pages.length);
  },
);

it.each([
  ['uncompressed', 7, {}],
  ['gzipped', 8, { 'accept-encoding': 'gzip' }],
])('uncached page is not made for a reader with its current ETag: %s', async (_what, perPage, accepted) => {
  const { figures } = api.app.select(PropertiesModule).get(Pages, { strict: true });
  const headers = { ...gateway.headers, ...accepted };
  const read = async (page: number, ifNoneMatch = '') => {
    const path = `/v1/properties?${gateway.query}&per_page=${perPage}&page=${page}`;
    const made = figures.misses;
    const answer = await request(api.url + path, { headers: { ...headers, 'if-none-match': ifNoneMatch } });
    const bytes = (await answer.body.arrayBuffer()).byteLength;
    return { status: answer.statusCode, headers: answer.headers, hasBody: bytes > 0, made: figures.misses - made };
  };
  const first = await read(2);
  const etag = String(first.headers['etag']);
  const again = await read(2, etag);
  expect([first, again]).toMatchObject([
    { status: 200, hasBody: true, made: 1 },
    { status: 304, hasBody: false, made: 0 },
  ]);
  for (const name of ['etag', 'link', 'vary', 'cache-control', 'x-snapshot', 'x-cache', 'last-modified']) {
    expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
  }
  expect(await read(3, etag)).toMatchObject({ status: 200, hasBody: true, made: 1 });
});
