import { generateExportToken, KeyHashes, visiblePrefix } from '@passerelle/domain';
import { createTargets } from '@passerelle/exporters';
import { pumpExports } from '../../support/exports/export-pump';
import { addPlacement } from '../../support/exports/placements';
import { ADDRESS_TARGET } from '../../support/exports/test-targets';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from '../api/api-under-test';

// Real: the API with the serving role, PostgreSQL, the engine.
describe('API about exports', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let placement: number;
  beforeAll(async () => {
    api = await startApi();
    gateway = await addGateway(api.database, { listings: [] });
    placement = await addPlacement(api.database, gateway.id, 'test-address', { rule: { maxPrice: 100_001 } });
  });
  afterAll(() => api.close());

  const pump = (): Promise<string[]> =>
    pumpExports(api.database, { targets: [ADDRESS_TARGET, ...createTargets().values()] });
  const list = async (query = ''): Promise<{ meta: object; data: { affId: string }[] }> =>
    (await api.get(`/v1/publications?${gateway.query}${query}`, gateway.headers)).body as never;

  it('lists publications by page and filter, and only those of the gateway of the key', async () => {
    await publishListings(api.database, gateway.id, someListings(3));
    await pump();
    const { meta, data } = await list();
    expect(meta).toEqual({ page: 1, per_page: 50, total: 3, total_pages: 1, crm: 'kyero', client: gateway.client });
    expect(data.map(({ affId }) => affId).toSorted()).toEqual(['L-1', 'L-2', 'L-3']);
    expect((await list('&state=delivered')).data).toHaveLength(2);
    expect((await list('&reason=rule')).data).toEqual([
      {
        ...{ affId: 'L-3', affNum: 'REF 3', placement, target: 'test-address', state: 'waiting' },
        ...{ since: expect.stringMatching(/Z$/) as string, reason_code: 'rule', url: null, sent_at: null },
        reason: 'its price 100002 is above 100001',
      },
    ]);
    expect((await list('&page=2&per_page=2')).data).toHaveLength(1);
    expect((await list('&affId=L-1&target=test-address')).data).toHaveLength(1);
    const url = 'https://portal.example/adverts/7?from=a&to=b';
    await api.testDatabase.query('UPDATE publication SET url = $1 WHERE aff_id = $2', [url, 'L-2']);
    expect((await list(`&url=${encodeURIComponent(url)}`)).data.map(({ affId }) => affId)).toEqual(['L-2']);
    expect((await list(`&url=${encodeURIComponent('https://portal.example/adverts/7')}`)).data).toEqual([]);
    expect((await list('&since=2099-01-01T00:00:00Z')).data).toEqual([]);
    const other = await addGateway(api.database, { listings: [] });
    expect((await api.get(`/v1/publications?${other.query}`, other.headers)).body).toMatchObject({ data: [] });
    expect((await api.get(`/v1/publications?${gateway.query}&state=gone`, gateway.headers)).status).toBe(400);
    expect((await api.get(`/v1/publications?${gateway.query}`, other.headers)).status).toBe(401);
  });

  it.each([
    ...['since=0000-01-01T00:00:00Z', 'since=9999-12-31T23:59:59.999999999Z', 'since=-000001-01-01T00:00:00Z'],
    ...[
      'since=2026-02-30T00:00:00Z',
      'since=2026-01-01T00:00:00%2B23:59',
      'since=9999-12-31T23:59:59-23:59',
      'placement=9007199254740991',
    ],
    ...[
      'placement=9007199254740992',
      'page=9007199254740991',
      'affId=%00',
      'url=%00',
      'affId=%F0%9F%8F%A0',
      'target=../x',
    ],
  ])('answers hostile filters with 200 or 400: %s', async (query) => {
    const { status } = await api.get(`/v1/publications?${gateway.query}&${query}`, gateway.headers);
    expect([200, 400]).toContain(status);
  });

  it('serves the last document of a portal that fetches, with an ETag, and no other', async () => {
    const token = generateExportToken();
    const pepper = await api.database.installation.keyPepper();
    const hash = new KeyHashes({ secretsKey: null, secretsKeyOld: null, pepper }).make(token);
    await api.database.exportTokens.add(gateway.id, { ...hash, prefix: visiblePrefix(token) });
    const path = `/v1/export/document/test-address.xml?token=${token}`;
    const first = await api.get(path);
    expect([first.status, first.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(first.text).toContain('<advert id="L-1">');
    const etag = first.headers['etag'] ?? '';
    expect((await api.get(path, { 'if-none-match': etag })).status).toBe(304);
    await publishListings(api.database, gateway.id, someListings(4));
    await pump();
    // The fourth listing is not exported, so the document stays.
    expect((await api.get(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await api.get(`/v1/export/document/test-address-${placement}.xml?token=${token}`)).status).toBe(200);
    expect((await api.get(`/v1/export/document/other.xml?token=${token}`)).status).toBe(404);
    expect((await api.get('/v1/export/document/test-address.xml?token=wrong')).status).toBe(401);
  });
});
