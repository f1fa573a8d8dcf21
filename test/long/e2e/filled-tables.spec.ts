import { addGateway, type SeededGateway, someListings } from '../../medium/api/api-under-test';
import { aFreePort } from '../../support/free-port';
import { measured, memoryOf } from '../../support/measured-memory';
import { type Program, startProgram, untilReady } from '../../support/program';
import { flood } from '../../support/raw-http';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const HEAP_MB = 256;
const GATEWAYS = 60;
const LISTINGS = 4_000;
/** A text in each request: a table that keeps one value of a request must not keep the whole request in memory. */
const JUNK = 'j'.repeat(3_000);

// Real: the API as built, with a heap of 256 MB, over HTTP, PostgreSQL. Fake: the ingestor.
let db: TestDatabase;
let api: Program;
let port: number;
let gateways: SeededGateway[];

beforeAll(async () => {
  db = await createTestDatabase();
  gateways = [];
  for (let n = 0; n < GATEWAYS; n += 1) {
    gateways.push(await addGateway(db.database, { listings: someListings(n === 0 ? LISTINGS : 3) }));
  }
  port = await aFreePort();
  api = startProgram('apps/api/src/main.js', {
    ...measured(HEAP_MB),
    ...{ DATABASE_URL: db.urlOf('serve'), PORT: String(port), TRUST_PROXY: '127.0.0.1', ACCESS_LOG: 'false' },
    ...{ RATE_LIMIT_PER_MINUTE: '1000000', REFUSED_KEYS_PER_MINUTE: '1000000', LOG_LEVEL: 'error' },
  });
  await untilReady(api, `http://127.0.0.1:${port}/health/ready`);
  // Let the API allocate the memory that any request needs before the measurement.
  await flood(
    port,
    some(2_000, () => get(`/v1/status?${gateways[1]?.query}`, keyOf(1))),
  );
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const get = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const keyOf = (n: number): string => `Key: ${gateways[n % GATEWAYS]?.key ?? ''}`;
const queryOf = (n: number): string => gateways[n % GATEWAYS]?.query ?? '';
/**
 * Addresses of fifteen characters, because V8 keeps a substring of thirteen or more characters as a reference to the
 * whole text.
 */
const forwarded = (n: number): string =>
  `X-Forwarded-For: ${JUNK}, 203.${100 + (n >> 14)}.${100 + ((n >> 7) & 127)}.${100 + (n & 127)}`;

/** A query for one of the smallest pages. Even a small page adds headers, a name and an entry to the table. */
function smallPage(n: number): string {
  const format = n % 2 === 0 ? 'raw' : 'normalized';
  let page = n >> 1;
  let perPage = 1;
  for (; page >= Math.ceil(LISTINGS / perPage); perPage += 1) page -= Math.ceil(LISTINGS / perPage);
  return `per_page=${perPage}&page=${page + 1}&format=${format}`;
}

function* some(count: number, requestOf: (n: number) => string): Generator<string> {
  for (let n = 0; n < count; n += 1) yield requestOf(n);
}

/** Per table: how many MB it may hold, requests that fill it, and the status of their answers. */
const TABLES: readonly {
  what: string;
  mostMb: number;
  count: number;
  status: number;
  requestOf: (n: number) => string;
}[] = [
  {
    what: 'names of unknown gateways',
    ...{ mostMb: 8, count: 15_000, status: 401 },
    requestOf: (n) => get(`/v1/status?crm=kyero&client=somebody-made-this-up-${n}&junk=${JUNK}`, 'Key: wrong'),
  },
  {
    what: 'requests with a wrong key, counted by network',
    ...{ mostMb: 14, count: 55_000, status: 401 },
    requestOf: (n) => get('/v1/status?crm=kyero&client=nobody', `Key: ${JUNK}`, forwarded(n)),
  },
  {
    what: 'requests, counted by gateway and network',
    ...{ mostMb: 14, count: 55_000, status: 200 },
    requestOf: (n) => get(`/v1/properties?${queryOf(1)}&page=9`, keyOf(1), forwarded(n)),
  },
  {
    what: 'gateways and their correct keys',
    ...{ mostMb: 2, count: 20 * GATEWAYS, status: 200 },
    requestOf: (n) =>
      get(`/v1/status?${queryOf(n)}`, keyOf(n).replace('Key: ', `Authorization: Bearer${' '.repeat(18)}`)),
  },
  {
    what: 'pagination sessions of readers',
    ...{ mostMb: 8, count: 240 * GATEWAYS, status: 200 },
    requestOf: (n) => get(`/v1/properties?${queryOf(n)}&per_page=2`, keyOf(n), `User-Agent: ${JUNK}${n}`, forwarded(n)),
  },
  {
    what: 'answered addresses and their last readers',
    ...{ mostMb: 6, count: 2 * 2_500, status: 200 },
    // Each address is requested twice, because the lane answers the second request.
    requestOf: (n) => {
      const address = `http://${JUNK}/v1/properties?${queryOf(2)}&junk=${'a'.repeat(380)}${n >> 1}`;
      return get(address, keyOf(2), `User-Agent: ${JUNK}${n}`, forwarded(n));
    },
  },
  {
    what: 'parsed Accept-Encoding headers',
    ...{ mostMb: 1, count: 1_000, status: 200 },
    requestOf: (n) => get(`/v1/properties?${queryOf(3)}`, keyOf(3), `Accept-Encoding: gzip, x-${n}`),
  },
  {
    what: 'cached pages',
    ...{ mostMb: 80, count: 24_000, status: 200 },
    requestOf: (n) => get(`/v1/properties?${queryOf(0)}&${smallPage(n)}`, keyOf(0)),
  },
];

describe('API memory that requests fill', () => {
  it.each(TABLES)('stays bounded: $what, $mostMb MB', async ({ mostMb, count, status, requestOf }) => {
    const before = await memoryOf(api);
    // No more requests at a time than may wait for a connection to PostgreSQL.
    const statuses = await flood(port, some(count, requestOf), { connections: 4, ahead: 10 });
    expect(statuses).toEqual({ [status]: count });
    const grown = (await memoryOf(api)) - before;
    expect(grown).toBeLessThan(mostMb);
  });
});
