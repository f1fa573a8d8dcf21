import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  rawOf,
  type SeededGateway,
  someListings,
  startApi,
  until,
} from './api-under-test';

let api: ApiUnderTest;
let gateway: SeededGateway;
const LISTINGS = someListings(120);

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: LISTINGS });
});
afterAll(() => api.close());

describe('GET /v1/properties', () => {
  it('serves the first 50 normalized listings in the feed order when nothing else is asked for', async () => {
    const answer = await api.get(`/v1/properties?${gateway.query}`, gateway.headers);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: LISTINGS.slice(0, 50),
      meta: { page: 1, per_page: 50, total: 120, total_pages: 3, crm: gateway.crm, client: gateway.client },
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-cache': 'HIT',
      'x-listings-api-version': '1',
      'cache-control': 'private',
      'x-content-type-options': 'nosniff',
      'content-length': String(Buffer.byteLength(answer.text)),
    });
  });
});
