import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
  type TestListing,
} from './api-under-test';

// Real: PostgreSQL, and the API. Fake: the ingestor, which is a function. Every answer is checked against
// openapi.json.
let api: ApiUnderTest;
let gateway: SeededGateway;

const LISTINGS: TestListing[] = [
  listing('A', {
    commentaires: 'calme '.repeat(300),
    typeCode: 'maison',
    prix: 300_000,
    ville: 'Évreux',
    latitude: 49.02,
    longitude: 1.15,
  }),
  listing('B', {
    typeCode: 'appartement',
    prix: 200_000,
    ville: 'Lyon',
    ascenseur: true,
    latitude: 45.76,
    longitude: 4.83,
  }),
  listing('C', { typeCode: 'maison', prix: 100_000, ville: 'Lyon', ascenseur: false, intitule: 'Deux châteaux' }),
  listing('D', {
    typeCode: 'maison',
    loyer: 940.33,
    loyerPeriode: 'semaine',
    loyerSource: { montant: 217, periode: 'semaine' },
    latitude: -16.5,
    longitude: 179.99,
  }),
];

function listing(affId: string, fields: Record<string, unknown>): TestListing {
  return { affId, affNum: `REF-${affId}`, passerelleName: 'kyero', photos: [], ...fields };
}

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: LISTINGS });
});
afterAll(() => api.close());

const search = (query: string, headers: Record<string, string> = {}) =>
  api.get(`/v1/search?${gateway.query}${query === '' ? '' : `&${query}`}`, { ...gateway.headers, ...headers });
const found = async (query: string): Promise<string[]> => {
  const { status, body, text } = await search(query);
  if (status !== 200) throw new Error(text);
  return body.data.map(({ affId }: TestListing) => affId);
};

describe('search', () => {
  it.each([
    ['', ['A', 'B', 'C', 'D']],
    ['typeCode=maison', ['A', 'C', 'D']],
    ['typeCode=maison,appartement&prixMax=200000', ['B', 'C']],
    ['ville=EVREUX', ['A']],
    ['ville=evreux,lyon&sort=prix', ['C', 'B', 'A']],
    ['sort=-prix', ['A', 'B', 'C', 'D']],
    ['ascenseur=true', ['B']],
    ['ascenseur=false', ['C']],
    ['loyerMax=1000', ['D']],
    ['loyerPeriode=semaine', ['D']],
    ['q=chateau', ['C']],
    ['q=ref+b', ['B']],
    ['q=chateau+maison', []],
    ['bbox=4,45,5,46', ['B']],
    ['bbox=179,-17,-179,-16', ['D']],
    ['around=45.75,4.85,3', ['B']],
    ['around=90,0,20000', ['A', 'B', 'D']],
    ['polygon=45,4;46,4;46,5;45,5', ['B']],
    ['polygon=45,4;46,5;46,4;45,5', []],
    ['page=2&per_page=3', ['D']],
    ['page=9', []],
    ['unknown=1', ['A', 'B', 'C', 'D']],
  ])('for "%s" finds %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('sends the stored texts, byte for byte, in both formats', async () => {
    for (const format of ['normalized', 'raw']) {
      const { text } = await search(`format=${format}&q=ref+c`);
      const { text: list } = await api.get(`/v1/properties?${gateway.query}&format=${format}&ids=C`, gateway.headers);
      const dataOf = (body: string): string => body.slice(body.indexOf('"data"'), body.indexOf(',"meta"'));
      expect(dataOf(text)).toBe(dataOf(list));
    }
  });

  it('sends only the requested fields', async () => {
    const { body } = await search('fields=prix,ville&typeCode=appartement');
    expect(body.data).toEqual([{ affId: 'B', prix: 200_000, ville: 'Lyon' }]);
  });

  it('counts facets and returns map pins for the whole result, not only for the page', async () => {
    const { body } = await search('typeCode=maison&per_page=1&facets=typeCode,ville,ascenseur&pins=true');
    expect(body.meta).toEqual({ page: 1, per_page: 1, total: 3, total_pages: 3, crm: 'kyero', client: gateway.client });
    expect(body.facets).toEqual({
      typeCode: [{ value: 'maison', count: 3 }],
      ville: [
        { value: 'Évreux', count: 1 },
        { value: 'Lyon', count: 1 },
      ],
      ascenseur: [{ value: false, count: 1 }],
    });
    expect(body.pins).toEqual([
      { affId: 'A', latitude: 49.02, longitude: 1.15, prix: 300_000, typeCode: 'maison' },
      {
        ...{ affId: 'D', latitude: -16.5, longitude: 179.99, loyer: 940.33 },
        ...{ loyerSource: { montant: 217, periode: 'semaine' }, typeCode: 'maison' },
      },
    ]);
  });

  it('sends the headers of a list and links to its own pages, and answers 304 when the reader has the ETag', async () => {
    const { headers } = await search('typeCode=maison&ville=Lyon,%C3%89vreux&per_page=1&page=1');
    const { headers: ofList } = await api.get(`/v1/properties?${gateway.query}`, gateway.headers);
    for (const name of ['x-cache', 'x-snapshot', 'x-snapshot-total', 'x-confirmed-at', 'last-modified', 'vary']) {
      expect([name, headers[name]]).toEqual([name, ofList[name]]);
    }
    const next = /<([^<>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    expect(next).toContain(`snapshot=${headers['x-snapshot'] ?? ''}`);
    const { body } = await api.get(next, gateway.headers);
    expect(body.data.map(({ affId }: TestListing) => affId)).toEqual(['C']);
    const again = await search('per_page=1&page=1&typeCode=maison&ville=Lyon,%C3%89vreux', {
      'if-none-match': headers['etag'] ?? '',
    });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await search('typeCode=maison', { 'if-none-match': headers['etag'] ?? '' })).status).toBe(200);
  });

  it.each(['maison,appartement', 'maison%2Cappartement'])(
    'links each page to the next, up to the last one, when types are requested as %s',
    async (types) => {
      const found: string[] = [];
      let next: string | undefined =
        `/v1/search?${gateway.query}&typeCode=${types}&ville=Lyon,%C3%89vreux&per_page=1&page=1`;
      while (next !== undefined) {
        const { status, body, headers } = await api.get(next, gateway.headers);
        expect([next, status]).toEqual([next, 200]);
        found.push(...body.data.map(({ affId }: TestListing) => affId));
        next = /<([^<>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
      }
      expect(found).toEqual(['A', 'B', 'C']);
    },
  );

  it('returns gzip on request', async () => {
    const response = await request(`${api.url}/v1/search?${gateway.query}&facets=ville&sort=date`, {
      headers: { ...gateway.headers, 'accept-encoding': 'gzip' },
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ status: 'success', meta: { total: 4 } });
  });

  it('accepts the queries in docs/search.md', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/search.md'), 'utf8');
    const queries = [...page.matchAll(/\/v1\/search\?crm=kyero&client=demo&([^"\s]+)/g)].map(([, query = '']) => query);
    expect(queries).toHaveLength(3);
    for (const query of queries) expect([query, (await search(query)).status]).toEqual([query, 200]);
  });

  it('requires a valid key of its gateway', async () => {
    const { status } = await api.get(`/v1/search?${gateway.query}`, { key: 'wrong' });
    expect(status).toBe(401);
  });
});

describe('search in a list that changes', () => {
  it('reads the snapshot that the request names, as long as that snapshot is kept', async () => {
    const other = await addGateway(api.database, { listings: LISTINGS });
    const ask = (query: string) => api.get(`/v1/search?${other.query}&${query}`, other.headers);
    const { headers } = await ask('q=chateau');
    await publishListings(api.database, other.id, [listing('Z', { intitule: 'Un château' })]);
    await untilServed(api.testDatabase, other, [api.url]);
    const idsOf = async (query: string) =>
      (await ask(query)).body.data.map(({ affId }: TestListing) => affId) as string[];
    expect(await idsOf('q=chateau')).toEqual(['Z']);
    expect(await idsOf(`q=chateau&snapshot=${headers['x-snapshot'] ?? ''}`)).toEqual(['C']);
    expect((await ask('snapshot=nonsense')).body).toMatchObject({
      code: 'BAD_REQUEST',
      detail: { parameter: 'snapshot', reason: 'expired' },
    });
  });
});

describe('search limits', () => {
  const corners = (count: number): string =>
    Array.from({ length: count }, (_, at) => `${at % 80},${at % 170}`).join(';');
  it.each([
    ['q', `q=${'a'.repeat(201)}`, '200 characters'],
    ['q', 'q=a+b+c+d+e+f+g+h+i+j+k', '10 words'],
    ['q', `q=${encodeURIComponent('.*)(+?')}`, '1 to 10 words'],
    ['q', 'q=a&q=b', '10 words'],
    ['polygon', `polygon=${corners(101)}`, '3 to 100 corners'],
    ['polygon', 'polygon=1,1;2,2', '3 to 100 corners'],
    ['polygon', 'polygon=NaN,1;2,2;3,3', 'corners'],
    ['polygon', 'polygon=91,1;2,2;3,3', 'degrees'],
    ['polygon', 'polygon=1,181;2,2;3,3', 'degrees'],
    ['polygon', 'polygon=1,1,1;2,2;3,3', 'corners'],
    ['polygon', 'polygon=1e1,1;2,2;3,3', 'corners'],
    ['bbox', 'bbox=1,2,3', 'four numbers'],
    ['bbox', 'bbox=1,3,2,2', 'four numbers'],
    ['bbox', 'bbox=Infinity,1,2,3', 'four numbers'],
    ['around', 'around=45,4,0', 'more than 0'],
    ['around', 'around=45,4,20001', '20000 km'],
    ['prixMin', 'prixMin=-1', 'a number'],
    ['prixMin', 'prixMin=1e9', 'a number'],
    ['prixMin', 'prixMin=1&prixMin=2', 'a number'],
    ['prixMax', 'prixMax=9999999999999', '12 digits'],
    ['typeCode', 'typeCode=villa', 'appartement'],
    ['ville', `ville=${Array.from({ length: 51 }, (_, at) => at).join()}`, '50 values'],
    ['ville', 'ville=', '1 to 100 characters'],
    ['ville', `ville=${'x'.repeat(101)}`, '1 to 100 characters'],
    ['ascenseur', 'ascenseur=yes', '"true" or "false"'],
    ['sort', 'sort=prix;drop', '-prix'],
    ['facets', 'facets=affId', 'typeCode'],
    ['fields', 'fields=owner', 'intitule'],
    ['fields', 'fields=prix&format=raw', 'absent'],
    ['per_page', 'per_page=201', '1 to 200'],
    ['*', Array.from({ length: 200 }, (_, at) => `x${at}=1`).join('&'), 'at most 100 parameters'],
  ])('refuse %s of %.60s, and name the parameter and its limit', async (parameter, query, limit) => {
    const { status, body } = await search(query);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.detail).toMatchObject({ parameter, allowed: expect.stringContaining(limit) });
  });

  it('refuse 10,000 filters', async () => {
    const { status, body } = await search(Array.from({ length: 10_000 }, (_, at) => `f${at}=1`).join('&'));
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.message).toContain('longer than 16 KB');
  });
});
