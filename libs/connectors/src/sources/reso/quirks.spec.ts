import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { BadFeed } from '@passerelle/domain';

import { type DroppedFeed, readSource } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

/**
 * The answers of the API, by path and query. A number is an HTTP status; a function is called for each request and
 * returns the answer.
 */
type Answer = object | string | number | (() => object);
let answers: Record<string, Answer>;
/** The requests in order, each as `path token`. */
let asked: string[];
/** The tokens from the token endpoint, in order; only the latest one is valid. */
let tokens: string[];
let validToken: string | undefined;
let servers: Server[];
let [origin, otherOrigin] = ['', ''];

async function listen(): Promise<Server> {
  const started = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/token') {
      validToken = tokens.shift();
      response.end(JSON.stringify({ access_token: validToken }));
      return;
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? 'nobody';
    asked.push(`${path} ${token}`);
    let answer = answers[path.replace('?$expand=Media&$count=true&$top=200', '')] ?? 404;
    if (validToken !== undefined && token !== validToken && token !== 'nobody') answer = 401;
    if (typeof answer === 'function') answer = answer();
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return started;
}

const addressOf = (listening: Server): string => `127.0.0.1:${(listening.address() as AddressInfo).port}`;

beforeAll(async () => {
  servers = await Promise.all([listen(), listen()]);
  [origin = '', otherOrigin = ''] = servers.map(addressOf);
});

beforeEach(() => {
  [answers, asked, tokens, validToken] = [{}, [], [], undefined];
});

afterAll(async () => {
  for (const one of servers) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});

/** Links with an opaque token do not prove that the pages are stable, so the operator declares it in the settings. */
function readApi(credentials: Record<string, string> = { token: 't0' }): Promise<DroppedFeed> {
  return readSource(
    connector,
    {
      url: `http://${origin}`,
      credentials,
      settings: { 'token-url': `http://${origin}/token`, 'stable-pages': 'oui' },
    },
    { allowPrivate: new Set([origin, otherOrigin]) },
  );
}

const aHouse = (fields: object): object => ({
  Country: 'US',
  ListingKey: 'R1',
  StandardStatus: 'Active',
  PropertyType: 'Residential',
  ListPrice: 350000,
  ...fields,
});

function read(...records: unknown[]): Promise<DroppedFeed> {
  answers = { '/Property': { value: records } };
  return readApi();
}

async function readOne(fields: object): Promise<DroppedFeed['listings'][number] & { warnings: string[] }> {
  const { listings, warnings } = await read(aHouse(fields));
  return { affId: '', passerelleName: '', photos: [], ...listings[0], warnings };
}

const ODD = {
  '@odata.id': "Property('24368')",
  ListingKey: 24368,
  ListingId: '00012',
  StandardStatus: ['active under contract'],
  MlgCanView: 'true',
  PropertyType: ['Residential Lease'],
  PropertySubType: ['Other', 'Townhouse'],
  ListPrice: '0',
  LeaseAmount: '1,300',
  LeaseAmountFrequency: ['Weekly'],
  LivingArea: '1,800',
  LivingAreaUnits: 'Sq. Ft.',
  LotSizeArea: '10,890',
  LotSizeUnits: 'square feet',
  RoomsTotal: '7.0',
  BedroomsTotal: 0,
  BathroomsTotalInteger: '2',
  City: ['  L’Essai '],
  SubdivisionName: 'N/A',
  PostalCode: '01234-5678',
  Country: 'usa',
  UnparsedAddress: '1 PRIVATE St',
  Latitude: '33,1',
  Longitude: -117.1,
  InternetAddressDisplayYN: 'N',
  PublicRemarks: 'A\u0001B<BR>&amp;eacute;t&eacute;&nbsp;&#13;<script>x()</script><b>end</b>',
  PrivateRemarks: 'PRIVATE',
  ListAgentEmail: ['mailto:agent@office.example'],
  ListAgentMobilePhone: 'PRIVATE',
  OwnerName: { First: 'PRIVATE' },
  BuyerAgentKey: 'PRIVATE',
  TaxAnnualAmount: '5,200',
  PoolFeatures: ['No Pool'],
  Rooms: [{ '@odata.id': 'x', RoomType: 'Kitchen', RoomOwner: 'PRIVATE' }],
  Media: [
    { MediaCategory: ['Photo'], Order: '10', MediaURL: 'https://p.example/10.jpg', ChangedByMemberKey: 'PRIVATE' },
    null,
    'https://p.example/last.jpg',
    [{ MediaURL: 'https://p.example/PRIVATE.jpg', Permission: 'Private' }],
    { '@odata.id': 'x', MediaCategory: 'Photo', Order: 9, MediaURL: 'http://p.example//a b.jpg?20240301&amp;x=1' },
    { MediaCategory: 'Photo', Order: 0, MediaURL: 'https://p.example/PRIVATE.jpg', Permission: 'MLS Only' },
    { MediaCategory: 'Photo', Order: 1, MediaURL: 'https://p.example/brochure', MediaType: 'application/pdf' },
    { MediaCategory: 'Drawing', Order: 2, MediaURL: 'https://p.example/drawing.jpg' },
  ],
  ModificationTimestamp: '2024-03-01T10:00:00.1234567+02:00',
  OriginalEntryTimestamp: '2020-12-31T00:01:01.01.007Z',
  ESS_Local: 'PRIVATE',
};

it('RESO connector reads a record with lists for lookups, texts for numbers and many hidden values field by field', async () => {
  const { listings, raws, warnings } = await read(ODD);
  expect(listings).toEqual([
    {
      affId: '24368',
      affNum: '00012',
      passerelleName: 'reso',
      intitule: 'Town house in L’Essai, 7 rooms',
      commentaires: 'AB\nété\nend',
      typeTransaction: 'location',
      typeTransactionSource: 'Residential Lease',
      sousOffre: true,
      statut: 'sous-offre',
      typeCode: 'maison',
      typeCodeSource: 'Townhouse',
      prixCurrency: 'USD',
      loyer: 5633.33,
      loyerPeriode: 'semaine',
      loyerSource: { montant: 1300, periode: 'semaine' },
      surfaceHabitable: 167.23,
      nbrePieces: 7,
      ville: 'L’Essai',
      codePostal: '01234-5678',
      pays: 'US',
      photos: [
        { url: 'http://p.example//a%20b.jpg?20240301&x=1', empreinte: expect.any(String) as string },
        { url: 'https://p.example/10.jpg', empreinte: expect.any(String) as string },
        { url: 'https://p.example/last.jpg', empreinte: expect.any(String) as string },
      ],
      negoEmail: 'agent@office.example',
      surfaceTerrain: 1011.71,
      nbreSallesDeBain: 2,
      taxeFonciere: 5200,
      dateModification: '2024-03-01T10:00:00.123+02:00',
    },
  ]);
  expect(warnings).toEqual([
    'unmapped_field Rooms.RoomOwner ×1',
    'unmapped_field Media.ChangedByMemberKey ×1',
    'unmapped_field ESS_Local ×1',
    'unknown_word Media.MediaCategory Drawing ×1',
  ]);
  const kept = {
    '@odata.id': "Property('24368')",
    ListingKey: 24368,
    affId: '24368',
    Rooms: [{ RoomType: 'Kitchen' }],
  };
  expect(raws[0]).toMatchObject(kept);
  expect(JSON.stringify([listings, raws])).not.toMatch(/PRIVATE|ESS_Local|33,1|117\.1/);
});

it('RESO connector omits a price of -1, does not show it as on request, and warns about it', async () => {
  const { prix, prixSurDemande, warnings } = await readOne({ ListPrice: -1 });
  expect([prix, prixSurDemande, warnings]).toEqual([undefined, undefined, ['implausible_value ListPrice -1 ×1']]);
});

it.each<[unknown, number | undefined, string[]]>([
  ['from $590,000', undefined, ['implausible_value ListPrice from $590,000 ×1']],
  [12, 12, ['implausible_value ListPrice 12 ×1']],
  ['$1,250,000.00', 1250000, []],
  ['POA', undefined, []],
])(
  'RESO connector reads a price of %j as %j, and warns when another amount may be meant',
  async (ListPrice, prix, noticed) => {
    const listing = await readOne({ ListPrice });
    expect([listing.prix, listing.prixSurDemande, listing.warnings]).toEqual([
      prix,
      prix === undefined ? true : undefined,
      noticed,
    ]);
  },
);

it('RESO connector omits a price of 1, and does not show it as on request', async () => {
  const { prix, prixSurDemande, warnings } = await readOne({ ListPrice: 1 });
  expect([prix, prixSurDemande]).toEqual([undefined, undefined]);
  expect(warnings).toContain('implausible_value prix 1: a placeholder ×1');
});

it('RESO connector omits an ambiguous price, and does not show it as on request', async () => {
  const listing = await readOne({ ListPrice: '349.000' });
  expect([listing.prix, listing.prixSurDemande, listing.warnings]).toEqual([
    undefined,
    undefined,
    ['implausible_value ListPrice 349.000 ×1'],
  ]);
});

it('RESO connector omits a date that may have its month first, and never swaps day and month', async () => {
  const dates = {
    ModificationTimestamp: '03/04/2024',
    AvailabilityDate: '03/04/2024',
    ListingContractDate: '3.4.2024',
  };
  const { dateModification, disponibilite, dateCreation, warnings } = await readOne(dates);
  expect([dateModification, disponibilite, dateCreation]).toEqual([undefined, undefined, undefined]);
  expect(warnings).toHaveLength(3);
});

it('RESO connector warns about association fees that are not a readable number', async () => {
  const { coproCharges, warnings } = await readOne({ AssociationFee: '12/03/23' });
  expect([coproCharges, warnings]).toEqual([undefined, ['implausible_value AssociationFee 12/03/23 ×1']]);
});

it('RESO connector warns about an unknown country and an area with words, and reads a single media URL as a photo', async () => {
  const odd = { Country: 'Atlantis', LivingArea: '1800 feet', Media: 'https://p.example/1.jpg' };
  const { pays, surfaceHabitable, photos, warnings } = await readOne(odd);
  expect([pays, surfaceHabitable, photos.length]).toEqual([undefined, undefined, 1]);
  expect(warnings).toEqual([
    'implausible_value Country amounts without a currency: set `currency` or `pays` ×1',
    'implausible_value LivingArea 1800 feet ×1',
    'unknown_word Country Atlantis ×1',
  ]);
});

it('RESO connector distinguishes withdrawn records from unreadable records', async () => {
  const { listings, rejections } = await read(
    aHouse({ ListingKey: 'A', StandardStatus: 'DELETE' }),
    aHouse({ ListingKey: 'B', MlgCanView: 'false' }),
    aHouse({ ListingKey: 'C', StandardStatus: null, MlsStatus: 'Closed' }),
    aHouse({ ListingKey: 'D', StandardStatus: null, MlsStatus: 'Reduced' }),
    aHouse({ ListingKey: ' ', ListingKeyNumeric: null }),
    null,
  );
  expect(listings.map(({ affId }) => affId)).toEqual(['D']);
  expect(rejections).toEqual([
    'withdrawn A: StandardStatus is DELETE',
    'withdrawn B: MlgCanView is false',
    'withdrawn C: MlsStatus is Closed',
    'missing_id 5: the record has no identifier',
    'malformed 6: the record is not a JSON object',
  ]);
});

describe('RESO walk', () => {
  const page = (key: string, next?: string): object => ({
    value: [aHouse({ ListingKey: key })],
    ...(next === undefined ? {} : { '@odata.nextLink': next }),
  });
  const outcome = ({ listings, summary }: DroppedFeed): unknown[] => [
    listings.map(({ affId }) => affId),
    summary.incomplete,
  ];

  it('follows links that are relative, encoded or absolute, even when they come after the list', async () => {
    answers = {
      '/Property': { '@odata.count': '4', ...page('1', 'Property?%24skiptoken=a') },
      '/Property?%24skiptoken=a': page('2', '/v2/Property?$skiptoken=2'),
      '/v2/Property?$skiptoken=2': page('3', `http://${origin}/deep/Property?p=3`),
      '/deep/Property?p=3': page('4'),
    };
    expect(outcome(await readApi())).toEqual([['1', '2', '3', '4'], null]);
  });

  it('continues at another host without the token', async () => {
    answers = { '/Property': page('1', `http://${otherOrigin}/Property?p=2`), '/Property?p=2': page('2') };
    expect(outcome(await readApi())).toEqual([['1', '2'], null]);
    expect(asked).toContain('/Property?p=2 nobody');
    expect(asked).not.toContain('/Property?p=2 t0');
  });

  it.each<[string, Record<string, Answer>, string]>([
    [
      'leads back to a page that was already read',
      { '/Property': page('1', '/Property?p=2'), '/Property?p=2': page('2', '/Property?p=2') },
      'page 2 of the walk leads back to a page that was read already',
    ],
    [
      'leads to a login page',
      { '/Property': page('1', '/Property?p=2'), '/Property?p=2': '<html>Login</html>' },
      'page 2 of the walk could not be read: the document is not JSON: it looks like an HTML page',
    ],
  ])('is incomplete when it %s', async (_title, pages, reason) => {
    answers = pages;
    const { summary } = await readApi();
    expect(summary.incomplete).toBe(reason);
  });

  it.each<[string, Answer]>([
    ['a page of HTML', '<!doctype html><html></html>'],
    ['an error in JSON', { error: { code: '', message: 'The query is not valid.' } }],
  ])('fails when it starts with %s', async (_title, answer) => {
    answers = { '/Property': answer };
    await expect(readApi()).rejects.toThrow(BadFeed);
  });

  it('requests another token each time the current token expires', async () => {
    tokens = ['t1', 't2', 't3'];
    answers = {
      '/Property': page('1', '/Property?p=2'),
      '/Property?p=2': () => {
        validToken = 'another';
        return page('2', '/Property?p=3');
      },
      '/Property?p=3': page('3'),
    };
    expect(outcome(await readApi({ 'client-id': 'me', 'client-secret': 'secret' }))).toEqual([['1', '2', '3'], null]);
    expect(asked.at(-1)).toBe('/Property?p=3 t2');
    expect(tokens).toEqual(['t3']);
  });
});
