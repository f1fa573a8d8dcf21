import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadRegistry, tryFeed } from '@passerelle/connectors';
import { ServedListings } from '@passerelle/database';
import { generateExportToken, KeyHashes, type Listing, visiblePrefix } from '@passerelle/domain';
import { renewKeys } from '../../support/renewed-keys';
import { XMLValidator } from 'fast-xml-parser';
import { request } from 'undici';
import { openSource } from '../../../tools/try/source';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from './api-under-test';

const SECRETS_KEY = 'a secret of the tests that is long enough';

const FLAT: Listing = {
  affId: 'A&1',
  affNum: 'REF <1>',
  passerelleName: 'kyero',
  intitule: 'Appartement "vue" & balcon',
  commentaires: 'Belle vue.\nAu calme < centre > à 2 pas \u0007😀.',
  textes: { en: { intitule: 'Flat with a view', commentaires: 'Lovely view.' } },
  url: 'https://agence.example/a?x=1&y=2',
  typeTransaction: 'vente',
  typeCode: 'appartement',
  prix: 250_000,
  prixCurrency: 'EUR',
  surfaceHabitable: 92,
  nbreChambres: 3,
  ville: 'Évreux',
  codePostal: '01000',
  pays: 'FR',
  quartier: 'Centre',
  latitude: 49.02,
  longitude: 1.15,
  photos: [
    { url: 'https://photos.example/1.jpg?a=1&b=2', empreinte: 'e1', legende: 'Séjour' },
    { url: 'https://photos.example/2.jpg', empreinte: 'e2' },
  ],
  negoEmail: 'agent@agence.example',
  surfaceTerrain: 12,
  nbreSallesDeBain: 2,
  etage: 3,
  balcon: true,
  ascenseur: true,
  dpeClasse: 'D',
  gesClasse: 'B',
  visiteVirtuelle: 'https://tour.example/1',
  video: 'https://video.example/1',
  dateModification: '2026-01-02T03:04:05Z',
};
const RENTAL: Listing = {
  affId: 'R',
  passerelleName: 'kyero',
  typeTransaction: 'location',
  typeCode: 'maison',
  loyer: 900,
  photos: [],
};
const SECRET: Listing = { affId: 'S', passerelleName: 'kyero', typeCode: 'terrain', prixSurDemande: true, photos: [] };

// Real: the API, PostgreSQL, our own Kyero connector. Fake: the ingestor.
describe('GET /v1/export/kyero.xml', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let token: string;
  let lines: string[];

  beforeAll(async () => {
    lines = [];
    const log = { write: (line: string) => void lines.push(line) };
    api = await startApi({ secretsKey: SECRETS_KEY, hasAccessLog: true }, { log });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    gateway = await addGateway(api.database, { listings: [FLAT, RENTAL, SECRET].map((listing) => ({ ...listing })) });
    token = await addToken();
  });

  async function addToken(secretsKey: string | null = SECRETS_KEY): Promise<string> {
    const made = generateExportToken();
    const pepper = await api.database.installation.keyPepper();
    const hash = new KeyHashes({ secretsKey, secretsKeyOld: null, pepper }).make(made);
    await api.database.exportTokens.add(gateway.id, { ...hash, prefix: visiblePrefix(made) });
    return made;
  }

  const path = (of = token): string => `/v1/export/kyero.xml?token=${of}`;

  it('returns a feed that our own connector reads, with every field of the format', async () => {
    const { status, text, headers } = await api.get(path());
    expect([status, headers['content-type'], XMLValidator.validate(text)]).toEqual([
      200,
      'application/xml; charset=utf-8',
      true,
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    await writeFile(join(folder, 'feed.xml'), text);
    const kyero = (await loadRegistry()).get('kyero')!;
    const feed = { ...openSource(kyero, join(folder, 'feed.xml'), {}), settings: {}, credentials: {} };
    const { listings, rejections, warnings } = await tryFeed(kyero, feed);
    await rm(folder, { recursive: true });

    expect({ rejections, warnings }).toEqual({ rejections: [], warnings: [] });
    const [flat, rental, land] = listings.map(({ listing }) => listing);
    const { photos, dateModification, ...rest } = FLAT;
    expect(flat).toMatchObject({
      ...rest,
      commentaires: 'Belle vue.\nAu calme < centre > à 2 pas 😀.',
    });
    expect(flat?.dateModification?.slice(0, 10)).toBe(dateModification?.slice(0, 10));
    expect(flat?.photos.map(({ url, legende }) => [url, legende])).toEqual(
      photos.map(({ url, legende }) => [url, legende]),
    );
    expect(rental).toMatchObject({ affId: 'R', typeTransaction: 'location', typeCode: 'maison', loyer: 900 });
    expect(land).toMatchObject({ affId: 'S', typeCode: 'terrain', prixSurDemande: true });
  });

  it('gives a weekly rent as in the source, other rents per month, and no price for a viager', async () => {
    const let_ = { ...RENTAL, intitule: 'Maison' };
    await publishListings(api.database, gateway.id, [
      { ...let_, affId: 'week', loyer: 9403.33, loyerSource: { montant: 2170, periode: 'semaine' } },
      { ...let_, affId: 'year', loyer: 1000, loyerSource: { montant: 12_000, periode: 'an' } },
      {
        ...FLAT,
        affId: 'viager',
        typeTransaction: 'viager',
        prix: 60_000,
        bouquet: 60_000,
        rente: 800,
        region: 'Eure',
      },
    ]);
    await untilServed(api.testDatabase, gateway, [api.url]);
    const { text } = await api.get(path());
    const [week, year, viager] = text.split('<property>').slice(1);
    expect(week).toContain('<price>2170</price><currency>EUR</currency><price_freq>week</price_freq>');
    expect(year).toContain('<price>1000</price><currency>EUR</currency><price_freq>month</price_freq>');
    expect(viager).toContain('<price>x</price><currency>EUR</currency><price_freq>sale</price_freq>');
    expect(viager).toContain('<feature>Life annuity sale (viager)</feature>');
    expect(viager).toContain('<feature>Down payment: 60000 EUR</feature><feature>Annuity: 800 EUR per month</feature>');
    expect(viager).toContain('<town>Évreux</town><province>Eure</province>');
  });

  it('gives each listing the date of the CRM, else the publication date of this version', async () => {
    await publishListings(api.database, gateway.id, [FLAT, RENTAL, SECRET]);
    // The test's publisher makes new versions of all listings. Give one version the date of the first list.
    await api.testDatabase.query(
      `UPDATE snapshot SET published_at = '2026-03-04T05:06:07Z'
       WHERE id = (SELECT min(id) FROM snapshot WHERE gateway_id = $1)`,
      [gateway.id],
    );
    await api.testDatabase.query(
      `UPDATE listing_version SET snapshot_id = (SELECT min(id) FROM snapshot WHERE gateway_id = $1)
       WHERE gateway_id = $1 AND aff_id = 'R'`,
      [gateway.id],
    );
    await untilServed(api.testDatabase, gateway, [api.url]);
    const { text, headers } = await api.get(path());
    const dates = [...text.matchAll(/<id>(.+?)<\/id><date>(.+?)<\/date>/g)].map(([, id, date]) => [id, date]);
    const published = new Date(headers['last-modified'] ?? '').toISOString().slice(0, 19).replace('T', ' ');
    expect(dates).toEqual([
      ['A&amp;1', '2026-01-02 03:04:05'],
      ['R', '2026-03-04 05:06:07'],
      ['S', published],
    ]);
  });

  it('answers 304 when If-Modified-Since is the publication date or later', async () => {
    const { headers } = await api.get(path());
    const modified = headers['last-modified'] ?? '';
    const since = (ms: number): Record<string, string> => ({
      'if-modified-since': new Date(Date.parse(modified) + ms).toUTCString(),
    });
    expect(await api.get(path(), since(0))).toMatchObject({ status: 304, text: '' });
    expect((await api.get(path(), since(60_000))).status).toBe(304);
    expect((await api.get(path(), since(-1_000))).status).toBe(200);
    expect((await api.get(path(), { 'if-modified-since': 'yesterday' })).status).toBe(200);
    // If-None-Match takes precedence over If-Modified-Since.
    expect((await api.get(path(), { ...since(0), 'if-none-match': 'W/"another"' })).status).toBe(200);
  });

  it('serves one snapshot, answers conditional requests, and compresses with gzip', async () => {
    const first = await api.get(path());
    expect(first.headers['x-snapshot']).toBe(
      (await api.get(`/v1/manifest?${gateway.query}`, gateway.headers)).headers['x-snapshot'],
    );
    expect(first.headers).toMatchObject({ 'x-snapshot-total': '3', 'cache-control': 'private, no-cache' });
    const tag = { 'if-none-match': first.headers['etag'] ?? '' };
    expect(await api.get(path(), tag)).toMatchObject({ status: 304, text: '' });
    expect((await api.get(`${path()}&lang=es`, tag)).status).toBe(200);

    const gzipped = await request(api.url + path(), { headers: { 'accept-encoding': 'gzip' } });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.from(await gzipped.body.arrayBuffer())).toString()).toBe(first.text);
    expect((await api.send('HEAD', path())).status).toBe(200);

    await publishListings(api.database, gateway.id, someListings(2));
    await untilServed(api.testDatabase, gateway, [api.url]);
    const second = await api.get(path(), tag);
    expect([second.status, second.text.match(/<property>/g)?.length]).toEqual([200, 2]);
  });

  it.each([0, 199, 200, 201, 400])('returns all of %i listings, and reads at most 200 at a time', async (count) => {
    gateway = await addGateway(api.database, { listings: someListings(count) });
    const page = jest.spyOn(api.app.get(ServedListings), 'page');
    const { text } = await api.get(path(await addToken()));
    const ids = [...text.matchAll(/<id>(.+?)<\/id>/g)].map(([, id]) => id);
    expect(ids).toEqual(someListings(count).map(({ affId }) => affId));
    expect(Math.max(0, ...page.mock.calls.map(([, , , limit]) => limit))).toBeLessThanOrEqual(200);
    page.mockRestore();
  });

  it('refuses an invalid token with the answer for a wrong key, and refuses a disabled gateway', async () => {
    expect((await api.get('/v1/export/kyero.xml')).body.detail.parameter).toBe('token');
    expect((await api.get(`${path()}&lang=french`)).body.detail.parameter).toBe('lang');
    for (const wrong of ['wrong', generateExportToken(), gateway.key, `${token}x`]) {
      expect((await api.get(path(wrong))).body).toMatchObject({ code: 'AUTH_FAILED' });
    }
    await api.database.gateways.setEnabled(gateway.id, false);
    expect((await api.get(path())).body).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('accepts an export token, which no other path accepts, until the token is revoked', async () => {
    expect((await api.get(`/v1/status?${gateway.query}`, { key: token })).status).toBe(401);
    const other = await addToken();
    const [one] = await api.database.exportTokens.list(gateway.id);
    expect(await api.database.exportTokens.revoke(gateway.id, one!.id)).toBe(true);
    expect((await api.get(path())).status).toBe(401);
    expect((await api.get(path(other))).status).toBe(200);
  });

  it('limits wrong tokens like wrong keys, and limits the requests for one gateway', async () => {
    const limited = await startApi({ refusedKeysPerMinute: 2, rateLimitPerMinute: 2 });
    const seeded = await addGateway(limited.database, { listings: [] });
    const pepper = await limited.database.installation.keyPepper();
    const right = generateExportToken();
    const hash = new KeyHashes({ secretsKey: null, secretsKeyOld: null, pepper }).make(right);
    await limited.database.exportTokens.add(seeded.id, { ...hash, prefix: 'psx_' });
    const statuses: number[] = [];
    for (const one of ['a', 'b', 'c', right, right, right]) statuses.push((await limited.get(path(one))).status);
    await limited.close();
    expect(statuses).toEqual([401, 401, 429, 200, 200, 429]);
  });

  it('stores its token as a hash, renews the hash with the newest secret, and never logs the token', async () => {
    const old = await addToken(null);
    await api.get(path(old));
    await api.get(path(old));
    await renewKeys(api.database, SECRETS_KEY);
    const [, row] = await api.testDatabase.query<{ prefix: string; key_id: string | null; last_used_on: unknown }>(
      'SELECT * FROM export_token WHERE gateway_id = $1 ORDER BY id',
      [gateway.id],
    );
    expect(row).toMatchObject({
      prefix: old.slice(0, 10),
      key_id: expect.any(String),
      last_used_on: expect.anything(),
    });
    expect(JSON.stringify(row)).not.toContain(old);
    await api.get(path('psx_wrong-but-secret'));
    expect(lines.some((line) => line.includes('/v1/export/kyero.xml'))).toBe(true);
    expect(lines.filter((line) => line.includes('psx_') || line.includes(old) || line.includes(token))).toEqual([]);
  });
});
