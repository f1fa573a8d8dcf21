import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { ServedListings } from '@passerelle/database';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  rawOf,
  type SeededGateway,
  someListings,
  startApi,
} from './api-under-test';

// Real: HTTP, PostgreSQL. Fake: the ingestor, and reads of a page that fail when a test requires it.
let api: ApiUnderTest;
let listings: ServedListings;
let gateway: SeededGateway;
/** A gateway with more listings than the API reads ahead of a slow reader. */
let wide: SeededGateway;
const LISTINGS = someListings(1_003);

beforeAll(async () => {
  api = await startApi();
  listings = api.app.get(ServedListings);
  gateway = await addGateway(api.database, { listings: LISTINGS });
});
beforeAll(async () => {
  wide = await addGateway(api.database, { listings: someListings(1_000, { unsearched: 'x'.repeat(20_000) }) });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => api.close());

const pathOf = ({ crm, client }: SeededGateway) => `/?variable1=${crm}&variable2=${client}`;

/** Sends the request with a plain client, which neither decompresses nor reads ahead. */
async function open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(api.url + path, { headers, agent: false });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('GET /?variable1=…&variable2=…', () => {
  it('returns all raw records as one array, in order', async () => {
    const answer = await api.get(pathOf(gateway), gateway.headers);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(LISTINGS.map(rawOf));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-cache': 'HIT',
      'x-listings-api-version': '1',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('returns the same bytes as the raw pages one after another', async () => {
    const pages: string[] = [];
    for (let page = 1; page <= 15; page += 1) {
      const { text } = await api.get(
        `/v1/properties?${gateway.query}&format=raw&per_page=70&page=${page}`,
        gateway.headers,
      );
      pages.push(/"data":\[(.*)\],"meta":/s.exec(text)?.[1] ?? '');
    }

    expect((await api.get(pathOf(gateway), gateway.headers)).text).toBe(`[${pages.join(',')}]`);
  });

  it.each([0, 1, 199, 200, 201, 400])('returns all of %i listings', async (count) => {
    const listings = someListings(count);
    const other = await addGateway(api.database, { listings });

    expect((await api.get(pathOf(other), other.headers)).body).toEqual(listings.map(rawOf));
  });

  it.each(['gzip', 'GZIP', 'br, gzip;q=0.5', '*'])(
    'compresses its answer for Accept-Encoding: %s',
    async (encoding) => {
      const response = await open(pathOf(gateway), { ...gateway.headers, 'accept-encoding': encoding });

      expect(response.headers['content-encoding']).toBe('gzip');
      expect(JSON.parse(gunzipSync(await bytesOf(response)).toString())).toEqual(LISTINGS.map(rawOf));
    },
  );

  it.each(['', 'identity', 'br', 'gzip;q=0', '*;q=0'])(
    'does not compress its answer for Accept-Encoding: %s',
    async (encoding) => {
      const response = await open(pathOf(gateway), { ...gateway.headers, 'accept-encoding': encoding });

      expect(response.headers['content-encoding']).toBeUndefined();
      expect(JSON.parse((await bytesOf(response)).toString())).toHaveLength(1_003);
    },
  );

  it('continues with its snapshot when a newer snapshot is published', async () => {
    const other = await addGateway(api.database, { listings: LISTINGS });
    const load = listings.page.bind(listings);
    let isPublished = false;
    jest.spyOn(listings, 'page').mockImplementation(async (...page) => {
      if (page[2] === 400 && !isPublished) {
        isPublished = true;
        await publishListings(api.database, other.id, someListings(3));
      }
      return load(...page);
    });

    expect((await api.get(pathOf(other), other.headers)).body).toEqual(LISTINGS.map(rawOf));
    expect(isPublished).toBe(true);
  });

  it.each(['identity', 'gzip'])(
    'breaks the connection when a read fails during the response (%s)',
    async (encoding) => {
      const load = listings.page.bind(listings);
      jest.spyOn(listings, 'page').mockImplementation((...page) => {
        if (page[2] === 600) return Promise.reject(new Error('the database went away'));
        return load(...page);
      });
      const response = await open(pathOf(gateway), { ...gateway.headers, 'accept-encoding': encoding });

      expect(response.statusCode).toBe(200);
      await expect(bytesOf(response)).rejects.toThrow(/aborted|reset/i);
    },
  );

  it('breaks the connection when its snapshot disappears during the response', async () => {
    const load = listings.page.bind(listings);
    jest
      .spyOn(listings, 'page')
      .mockImplementation((...page) => (page[2] >= 800 ? Promise.resolve(null) : load(...page)));
    const response = await open(pathOf(gateway), gateway.headers);

    await expect(bytesOf(response)).rejects.toThrow(/aborted|reset/i);
  });

  it('answers with an ordinary error when a read fails before the response begins', async () => {
    jest.spyOn(listings, 'page').mockRejectedValue(new Error('secret of the database'));
    const answer = await api.get(pathOf(gateway), { ...gateway.headers, 'accept-encoding': 'gzip' });

    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toContain('secret');
    expect(answer.headers['x-cache']).toBeUndefined();
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('stops reading the database soon after its reader stops', async () => {
    const load = jest.spyOn(listings, 'page');
    const response = await open(pathOf(wide), wide.headers);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const read = load.mock.calls.length;
    expect(read).toBeLessThan(15);

    response.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(load.mock.calls.length).toBeLessThanOrEqual(read + 1);
  });

  it('makes a fourth reader of one list wait, and serves other lists meanwhile', async () => {
    const unread = [1, 2, 3].map(() => open(pathOf(wide), wide.headers));
    const [first] = await Promise.all(unread);
    const fourth = open(pathOf(wide), wide.headers);
    expect((await api.get(pathOf(gateway), gateway.headers)).body).toHaveLength(1_003);
    expect((await api.get(`/v1/properties?${wide.query}&per_page=1`, wide.headers)).status).toBe(200);
    expect(await Promise.race([fourth, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])).toBe('waits');

    first?.destroy();
    expect(JSON.parse((await bytesOf(await fourth)).toString())).toHaveLength(1_000);
    for (const response of await Promise.all(unread)) response.destroy();
  });

  it('answers HEAD without reading all listings', async () => {
    const load = jest.spyOn(listings, 'page');
    const head = await api.send('HEAD', pathOf(gateway), { headers: gateway.headers });

    expect([head.status, head.headers['x-cache'], head.text]).toEqual([200, 'HIT', '']);
    expect(load.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('checks its variables before the key', async () => {
    expect((await api.get('/', gateway.headers)).body.detail.parameter).toBe('variable1');
    expect((await api.get(`/?variable1=${gateway.crm}`, gateway.headers)).body.detail.parameter).toBe('variable2');
    expect((await api.get(`${pathOf(gateway)}&variable1=x`, gateway.headers)).body.detail.parameter).toBe('variable1');
    expect((await api.get(pathOf(gateway), { key: 'wrong' })).status).toBe(401);
    expect((await api.get(pathOf(gateway))).status).toBe(401);
  });
});
