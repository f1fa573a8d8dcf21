import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type DroppedFeed, readSource } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

/** The properties that the fake API returns. `total` may declare another number; `largestPage` limits the page size. */
let properties: object[];
let total: number | string | undefined;
let largestPage: number;
let asked: string[];
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://api.example');
    asked.push(url.pathname + url.search);
    if (url.pathname === '/agencies') {
      response.end(JSON.stringify({ total_items: 1, agencies: [{ id: 9, name: 'Agence &amp; Cie', phone: null }] }));
      return;
    }
    const offset = Number(url.searchParams.get('offset'));
    const page = properties.slice(offset, offset + Math.min(largestPage, Number(url.searchParams.get('limit'))));
    response.end(JSON.stringify({ total_items: total ?? properties.length, timestamp: Date.now(), properties: page }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  properties = [];
  total = undefined;
  largestPage = 1000;
  asked = [];
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function read(...given: object[]): Promise<DroppedFeed> {
  properties = given.map((one, index) => ({
    id: index + 1,
    agency: 9,
    status: 1,
    step: 1,
    category: 1,
    type: 1,
    ...one,
  }));
  return readSource(
    connector,
    { url: `http://${origin}`, credentials: { provider: '12', token: 'secret' }, settings: {} },
    { allowPrivate: new Set([origin]) },
  );
}

const ODD = {
  id: '500001',
  reference: 24368,
  agency: '9',
  category: '1',
  subcategory: '41',
  type: '1',
  subtype: '12',
  price: {
    value: '349 000,50',
    currency: 'eur',
    hide: '0',
    commission: '15 000',
    net_seller: 'PRIVATE',
    estimation: 'PRIVATE',
  },
  rooms: '2.5',
  bedrooms: '0',
  area: { unit: '2', value: '1 000' },
  floor: { value: 'RDC', floors: null },
  city: { name: '  L’Haÿ ', zipcode: 6400 },
  country: 'FR',
  district: null,
  longitude: '7,1',
  latitude: '43.5',
  pictures: [
    { rank: '10', url: 'https://p.example/10.jpg', internet: true },
    null,
    {
      rank: 9,
      url: 'http://p.example//a b.jpg?20240301&amp;x=1',
      comments: [{ language: 'fr', comment: '<b>Séjour</b>' }],
    },
    { rank: 1, url: 'https://p.example/1.jpg', internet: 'false' },
    { rank: 11, url: 'cave.JPG' },
    'https://p.example/12.jpg',
  ],
  comments: [
    { language: 'en', title: 'Flat', comment: 'Flat' },
    {
      language: 'FR',
      title: '<b>Été</b> &amp;eacute;',
      comment: 'un<br>deux\u0001<script>x()</script>',
      comment_full: '"',
    },
  ],
  user: { firstname: null, lastname: 'Fictif', email: 'mailto:nego@agence.example', birthday_at: 'PRIVATE' },
  agreement: { type: '99', reference: '00012' },
  regulations: [
    { type: '1', value: '191,5', date: '2023-06-25' },
    { type: 2, value: 'E' },
    { type: 50, value: 'vi' },
    null,
  ],
  services: ['6', null, 11],
  owner: { name: 'PRIVATE' },
  visit: 'PRIVATE',
  private_comment: 'PRIVATE',
  address: 'PRIVATE',
  publish_address: 'false',
  created_at: '0000-00-00 00:00:00',
  updated_at: '2024-03-30 09:12:00',
  available_at: '1970-01-01',
  demain: 5,
};

it('Apimo connector reads a property with texts instead of numbers, numbers instead of texts and many nulls', async () => {
  const { listings, raws, warnings } = await read(ODD);
  expect(listings).toEqual([
    {
      affId: '500001',
      affNum: '24368',
      passerelleName: 'apimo',
      intitule: 'Été é',
      commentaires: 'un\ndeux',
      textes: { en: { intitule: 'Flat', commentaires: 'Flat' } },
      typeTransaction: 'vente',
      typeTransactionSource: '1',
      typeCode: 'loft',
      typeCodeSource: '1',
      prix: 349000.5,
      prixCurrency: 'EUR',
      surfaceHabitable: 92.9,
      nbrePieces: 2.5,
      ville: 'L’Haÿ',
      codePostal: '06400',
      pays: 'FR',
      photos: [
        { url: 'https://p.example/12.jpg', empreinte: expect.any(String) as string },
        { url: 'http://p.example//a%20b.jpg?20240301&x=1', legende: 'Séjour', empreinte: expect.any(String) as string },
        { url: 'https://p.example/10.jpg', empreinte: expect.any(String) as string },
      ],
      agenceNom: 'Agence & Cie',
      negoNom: 'Fictif',
      negoEmail: 'nego@agence.example',
      etage: 0,
      neuf: true,
      ascenseur: true,
      caracteristiques: ['Ascenseur', 'Piscine'],
      piscine: true,
      honoraires: 15000,
      honorairesUnite: 'montant',
      mandatNum: '00012',
      energie: [
        {
          ...{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', statut: 'vierge' },
          ...{ valeur: 191.5, unite: 'kWh/m²/an', date: '2023-06-25' },
        },
        { pays: 'FR', echelle: 'FR-DPE', grandeur: 'emissions', classe: 'E' },
      ],
      dpeClasse: 'VI',
      langue: 'fr',
      dpeValeur: 191.5,
      gesClasse: 'E',
      dpeDate: '2023-06-25',
      dateModification: '2024-03-30T09:12:00',
    },
  ]);
  expect(warnings).toEqual([
    'unmapped_field demain ×1',
    'unknown_word agreement.type 99 ×1',
    'photo_missing pictures cave.JPG ×1',
  ]);
  expect(raws[0]).toMatchObject({
    affId: '500001',
    affNum: '24368',
    passerelleName: 'apimo',
    reference: 24368,
    rooms: '2.5',
  });
  expect(JSON.stringify(raws)).not.toMatch(/PRIVATE|p\.example\/1\.jpg|demain/);
});

it('Apimo connector omits a single picture that is not for the internet, in the raw record too', async () => {
  const { listings, raws } = await read({ pictures: { url: 'https://p.example/1.jpg', internet: false } });
  expect([listings[0]?.photos, 'pictures' in (raws[0] ?? {})]).toEqual([[], false]);
});

it.each<[string, object, object, string[]]>([
  ['that is only words', { value: 'nous consulter' }, { prixSurDemande: true, prixCurrency: 'EUR' }, []],
  [
    'that is words and digits',
    { value: 'à partir de 590 000 €' },
    { prixSurDemande: true, prixCurrency: 'EUR' },
    ['implausible_value price.value à partir de 590 000 € ×1'],
  ],
  [
    'with a thousands point',
    { value: '349.000' },
    { prixCurrency: 'EUR' },
    ['implausible_value price.value 349.000 ×1'],
  ],
  [
    'in an unknown currency',
    { value: 90000, currency: 'couronnes' },
    { prix: 90000 },
    ['unknown_word price.currency couronnes ×1'],
  ],
])('Apimo connector warns about a price %s when it may mean an amount', async (_title, price, expected, noticed) => {
  const { listings, warnings } = await read({ price });
  const { prix, prixSurDemande, prixCurrency } = listings[0] ?? {};
  expect(JSON.parse(JSON.stringify({ prix, prixSurDemande, prixCurrency }))).toEqual(expected);
  expect(warnings).toEqual(noticed);
});

it.each(['city', 'residence', 'financial', 'pictures', 'pictures.comments', 'areas.floor', 'medias'])(
  'Apimo connector omits an unknown member of %s from the raw record, and warns about it',
  async (path) => {
    const owner: object = { owner: { email: 'PRIVATE' } };
    const inside = path.split('.').reduceRight((below, name) => ({ [name]: [below] }), owner);
    const { raws, warnings } = await read(inside);
    expect(JSON.stringify(raws)).not.toContain('PRIVATE');
    expect(warnings).toEqual([`unmapped_field ${path}.owner ×1`]);
  },
);

it('Apimo connector omits members without a description (location, options, rates) from the raw record', async () => {
  const unknown = { owner: 'PRIVATE' };
  const { raws, warnings } = await read({
    publish_address: true,
    location: unknown,
    options: [unknown],
    rates: [unknown],
  });
  expect(JSON.stringify(raws)).not.toContain('PRIVATE');
  expect(warnings).toEqual(['unmapped_field options ×1', 'unmapped_field rates ×1']);
});

it('Apimo connector warns about an unknown country', async () => {
  const { listings, warnings } = await read({ country: 'Atlantide' });
  expect([listings[0]?.pays, warnings]).toEqual([undefined, ['unknown_word country Atlantide ×1']]);
});

describe('Apimo walk', () => {
  const seven = Array.from({ length: 7 }, () => ({}));

  it('continues at the last record received when the server sends fewer than requested', async () => {
    largestPage = 3;
    const { listings, summary } = await read(...seven);
    expect(listings.map(({ affId }) => affId)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(asked.map((path) => /offset=(\d+)/.exec(path)?.[1])).toEqual(['0', '0', '2', '4', '0', '2']);
    expect(summary.incomplete).toBeNull();
  });

  it('is incomplete when fewer records arrive than declared, even when the declared number is a text', async () => {
    total = '9';
    const { listings, warnings, summary } = await read(...seven);
    expect([listings.length, warnings, summary.incomplete]).toEqual([
      7,
      ['declared_count 9 ×1'],
      'the source declares 9 records and gave 7',
    ]);
  });

  it('distinguishes withdrawn records from records without an identifier', async () => {
    const { listings, rejections } = await read(
      { id: 1, status: '40' },
      { id: 2, step: '4' },
      { id: 3, updated_at: '2024-03-30 09:12:00' },
      { reference: 'sans id', id: null },
    );
    expect(listings.map(({ affId }) => affId)).toEqual(['3']);
    expect(rejections).toEqual([
      'withdrawn 1: marked to be deleted',
      'withdrawn 2: deleted',
      'missing_id 4: the record has no identifier',
    ]);
  });
});

it.each([
  ['shows', true, true],
  ['hides', false, false],
  ['is missing for', undefined, false],
])(
  'Apimo connector treats the position like the address, in the listing and in the raw record, when publish_address %s the address',
  async (_what, given, isShown) => {
    const place = { address: '3 rue des Lilas', latitude: 43.51234, longitude: 7.12345, radius: 10, altitude: 5 };
    const { listings, raws } = await read({ ...place, ...(given !== undefined && { publish_address: given }) });
    for (const field of ['adresse', 'latitude', 'longitude']) expect(field in (listings[0] ?? {})).toBe(isShown);
    for (const field of Object.keys(place)) expect(field in (raws[0] ?? {})).toBe(isShown);
  },
);
