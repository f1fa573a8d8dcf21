import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Fields = Readonly<Record<string, unknown>>;

/** A house for sale, with the given fields. */
const HOUSE: Fields = {
  ListingKey: 'R1',
  StandardStatus: 'Active',
  PropertyType: 'Residential',
  PropertySubType: 'SingleFamilyResidence',
  ListPrice: 350000,
  City: 'Essaiville',
  Country: 'US',
};

function outcomeOf(fields: Fields, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('reso', { settings });
  return { ...readRecord(connector, Buffer.from(JSON.stringify({ ...HOUSE, ...fields })), context), warnings };
}

function read(
  fields: Fields,
  settings?: Record<string, string>,
): { listing: Listing; raw: Record<string, unknown>; revision?: string; warnings: string[] } {
  const outcome = outcomeOf(fields, settings);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome;
}

describe('RESO offer', () => {
  it('causes a warning when it has a price but no transaction', () => {
    expect(read({ PropertyType: undefined }).warnings).toEqual([
      'implausible_value prix 350000: a price without a transaction',
    ]);
    expect(read({ PropertyType: 'Cabin' }).warnings).toEqual(['unknown_word PropertyType Cabin']);
  });

  it.each<[string, Fields, Partial<Listing>]>([
    ['a sale', {}, { typeTransaction: 'vente', prix: 350000 }],
    [
      'a lease with a monthly ListPrice',
      { PropertyType: 'ResidentialLease', ListPrice: 2400 },
      { typeTransaction: 'location', loyer: 2400 },
    ],
    [
      'a lease with an unknown property type',
      { PropertyType: 'Room', TransactionType: 'For Lease', ListPrice: 2500 },
      { typeTransaction: 'location', loyer: 2500 },
    ],
    [
      'a lease with the property type Residential',
      { TransactionType: 'For Lease', ListPrice: 2500 },
      { typeTransaction: 'location', loyer: 2500 },
    ],
    [
      'a lease with a blank in its property type',
      { PropertyType: 'Residential Lease', ListPrice: 2400 },
      { typeTransaction: 'location', loyer: 2400 },
    ],
    [
      'a commercial lease with a yearly amount',
      { PropertyType: 'Commercial Lease', ListPrice: 24000, LeaseAmountFrequency: 'Annually' },
      { typeTransaction: 'location', loyer: 2000, loyerPeriode: 'an' },
    ],
    [
      'a lease with a LeaseAmount',
      { PropertyType: 'ResidentialLease', ListPrice: 1, LeaseAmount: 300, LeaseAmountFrequency: 'Weekly' },
      { typeTransaction: 'location', loyer: 1300, loyerPeriode: 'semaine' },
    ],
    [
      'a lease paid every other week',
      { PropertyType: 'ResidentialLease', LeaseAmount: 600, LeaseAmountFrequency: 'Bi-Weekly' },
      { typeTransaction: 'location', loyer: 1300, loyerPeriode: 'quinzaine' },
    ],
    [
      'a lease paid every other month',
      { PropertyType: 'ResidentialLease', LeaseAmount: 3000, LeaseAmountFrequency: 'BiMonthly' },
      { typeTransaction: 'location', loyer: 1500 },
    ],
    [
      'a lease paid twice a month',
      { PropertyType: 'ResidentialLease', LeaseAmount: 700, LeaseAmountFrequency: 'Semi Monthly' },
      { typeTransaction: 'location', loyer: 1400 },
    ],
    [
      'a lease paid every quarter',
      { PropertyType: 'ResidentialLease', LeaseAmount: 3000, LeaseAmountFrequency: 'Quarterly' },
      { typeTransaction: 'location', loyer: 1000, loyerPeriode: 'trimestre' },
    ],
    [
      'a sale of a house with a tenant',
      { LeaseAmount: 2000, LeaseAmountFrequency: 'Monthly' },
      { typeTransaction: 'vente', prix: 350000 },
    ],
    [
      'an offer with an unknown property type, which may be a sale or a lease',
      { PropertyType: 'Cabin' },
      { typeTransaction: 'autre', prix: 350000 },
    ],
    [
      'a sale with an unknown property type',
      { PropertyType: 'Cabin', TransactionType: 'For Sale' },
      { typeTransaction: 'vente', prix: 350000 },
    ],
    ['a business', { PropertyType: 'BusinessOpportunity' }, { typeTransaction: 'fonds-de-commerce', prix: 350000 }],
    ['an investment', { PropertyType: 'Residential Income' }, { typeTransaction: 'investissement', prix: 350000 }],
    ['a sale with a price of zero', { ListPrice: 0 }, { typeTransaction: 'vente', prixSurDemande: true }],
    ['a sale without a price', { ListPrice: null }, { typeTransaction: 'vente', prixSurDemande: true }],
    ['a sale with a price as text', { ListPrice: '350,000' }, { typeTransaction: 'vente', prix: 350000 }],
  ])('is read when it is %s', (_title, fields, expected) => {
    const { typeTransaction, prix, prixSurDemande, loyer, loyerPeriode } = read(fields).listing;
    const nothing = { prix: undefined, prixSurDemande: undefined, loyer: undefined, loyerPeriode: undefined };
    expect({ typeTransaction, prix, prixSurDemande, loyer, loyerPeriode }).toEqual({ ...nothing, ...expected });
  });

  it('has no monthly rent, and causes a warning, when it is for a season', () => {
    const { listing, warnings } = read({ PropertyType: 'ResidentialLease', LeaseAmountFrequency: 'Seasonal' });
    expect(listing.typeTransaction).toBe('location');
    expect([listing.loyer, listing.prixSurDemande]).toEqual([undefined, undefined]);
    expect(warnings).toEqual(['implausible_value LeaseAmountFrequency Seasonal']);
  });

  it.each<[Fields, Record<string, string>, string | undefined]>([
    [{}, {}, 'USD'],
    [{ Country: 'CA' }, {}, 'CAD'],
    [{ Country: null }, {}, undefined],
    [{ Country: null }, { pays: 'CA' }, 'CAD'],
    [{ Country: null, Currency: 'CAD' }, {}, 'CAD'],
    [{ Country: 'AW' }, { currency: 'eur' }, 'EUR'],
    [{ Country: 'CA' }, { devise: 'MXN' }, 'CAD'],
  ])('from %j with the settings %j has the currency %s', (fields, settings, expected) => {
    expect(read(fields, settings).listing.prixCurrency).toBe(expected);
  });
});

describe('RESO property type', () => {
  it.each([
    ['Residential', 'SingleFamilyResidence', 'maison'],
    ['Residential', 'Single Family Residence', 'maison'],
    ['Residential', 'Townhouse', 'maison'],
    ['Residential', 'Condominium', 'appartement'],
    ['ResidentialLease', 'Apartment', 'appartement'],
    ['Land', 'UnimprovedLand', 'terrain'],
    ['Residential', 'Deeded Parking', 'parking'],
    ['ResidentialIncome', 'MultiFamily', 'immeuble'],
    ['CommercialSale', 'Office', 'bureau'],
    ['CommercialSale', 'Retail', 'boutique'],
    ['CommercialSale', 'Industrial', 'local'],
    ['CommercialLease', 'Warehouse', 'local'],
    ['BusinessOpportunity', 'Business', 'fonds'],
    ['Residential', 'Timeshare', 'autre'],
    ['Land', null, 'terrain'],
    ['Land', 'Other', 'terrain'],
    ['CommercialSale', null, 'local'],
    ['Residential', null, 'autre'],
  ])('for %s, %s is %s', (PropertyType, PropertySubType, expected) => {
    const { listing, warnings } = read({ PropertyType, PropertySubType });
    expect(listing).toMatchObject({
      typeCode: expected,
      typeCodeSource: PropertySubType ?? PropertyType,
      typeTransactionSource: PropertyType,
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['PropertySubType', { PropertySubType: 'Treehouse' }, 'Treehouse', 'vente'],
    ['PropertyType', { PropertyType: 'Timberland', PropertySubType: null }, 'Timberland', 'autre'],
  ])(
    'for an unknown word in %s is "autre", and the word is kept and counted in a warning',
    (field, fields, word, typeTransaction) => {
      const { listing, warnings } = read(fields);
      expect(listing).toMatchObject({ typeTransaction, typeCode: 'autre', typeCodeSource: word });
      expect(warnings).toEqual([`unknown_word ${field} ${word}`]);
    },
  );
});

describe('RESO listing', () => {
  it.each<[string, Fields]>([
    ['MlgCanView is false', { MlgCanView: false }],
    ['MlgCanUse does not contain IDX', { MlgCanUse: ['VOW'] }],
    ['MlgCanUse does not contain IDX', { MlgCanUse: 'VOW,BO' }],
    ['InternetEntireListingDisplayYN is false', { InternetEntireListingDisplayYN: false }],
    ['InternetEntireListingDisplayYN is false', { InternetEntireListingDisplayYn: 'N' }],
    ['StandardStatus is Closed', { StandardStatus: 'Closed' }],
    ['StandardStatus is Withdrawn', { StandardStatus: 'Withdrawn' }],
    ['StandardStatus is Expired', { StandardStatus: 'Expired' }],
    ['StandardStatus is Delete', { StandardStatus: 'Delete' }],
    ['StandardStatus is Cancelled', { StandardStatus: 'Cancelled' }],
    ['StandardStatus is Off Market', { StandardStatus: 'Off Market' }],
    ...['Sold', 'Leased', 'Rented', 'Off Market', 'Temp Off Market', 'Cancelled', 'S', 'DELETED'].map(
      (word): [string, Fields] => [`MlsStatus is ${word}`, { StandardStatus: null, MlsStatus: word }],
    ),
  ])('is withdrawn when %s (%j)', (message, fields) => {
    expect(outcomeOf(fields)).toMatchObject({ withdrawn: 'R1', message });
  });

  it.each(['Active', 'ComingSoon', 'Coming Soon', 'ActiveUnderContract', 'Active Under Contract', 'pending', null])(
    'is shown when StandardStatus is %s',
    (StandardStatus) => {
      expect(read({ StandardStatus }).listing.affId).toBe('R1');
    },
  );

  it.each([[['VOW', 'IDX']], ['IDX'], ['VOW, idx'], [[]], [null]])('is shown when MlgCanUse is %j', (MlgCanUse) => {
    expect(read({ MlgCanUse }).listing.affId).toBe('R1');
  });

  it.each<[string, Fields, boolean]>([
    ['StandardStatus', { StandardStatus: 'Sleeping' }, false],
    ['MlsStatus', { StandardStatus: null, MlsStatus: 'Sleeping' }, true],
  ])('causes a warning when its %s is unknown', (field, fields, isShown) => {
    const outcome = outcomeOf(fields);
    expect('listing' in outcome).toBe(isShown);
    expect(outcome.warnings).toEqual([`unknown_word ${field} Sleeping`]);
    const named = outcomeOf(fields, { statuses: 'Active, sleeping' });
    expect(named).toMatchObject({ warnings: [], listing: { affId: 'R1' } });
  });

  it.each(['Reduced', 'Under Contract', 'Back On Market', 'A'])('is shown when MlsStatus is %s', (MlsStatus) => {
    expect(read({ StandardStatus: null, MlsStatus }).listing.affId).toBe('R1');
  });

  it('follows the standard status rather than the local status', () => {
    expect(read({ MlsStatus: 'Sold' }).warnings).toEqual([]);
  });

  it('is shown when the operator names its status', () => {
    const settings = { statuses: 'Active, Active Under Contract, Closed, Delete' };
    expect(outcomeOf({ StandardStatus: 'ActiveUnderContract' }, settings)).toHaveProperty('listing');
    expect(outcomeOf({ StandardStatus: 'Closed' }, settings)).toHaveProperty('listing');
    expect(outcomeOf({ StandardStatus: 'Pending' }, settings)).toMatchObject({ withdrawn: 'R1' });
    expect(outcomeOf({ StandardStatus: 'Delete' }, settings)).toMatchObject({ withdrawn: 'R1' });
    expect(outcomeOf({ StandardStatus: null, MlsStatus: 'Sold' }, settings)).toHaveProperty('listing');
  });
});

it.each<[Fields, string]>([
  [{ ListingId: '00012' }, '00012'],
  [{ ListingId: null }, 'R1'],
  [{ ListingKey: null, ListingKeyNumeric: 77 }, '77'],
])('RESO connector reads the reference of %j as %s', (fields, affNum) => {
  expect(read(fields).listing.affNum).toBe(affNum);
});

describe('RESO address', () => {
  const ADDRESS = {
    ListingURL: 'https://x.example/1-Secret-St',
    UnparsedAddress: '1 Secret St',
    StreetNumber: '1',
    StreetName: 'Secret',
    UnitNumber: 'Secret 4',
    PostalCodePlus4: 'Secret',
    ParcelNumber: 'Secret',
    Directions: 'Secret',
    Latitude: 33.1,
    Longitude: -117.1,
  };

  it('becomes the title and the address of the listing when it may be shown', () => {
    expect(read({ ...ADDRESS, InternetAddressDisplayYN: true }).listing).toMatchObject({
      intitule: '1 Secret St',
      adresse: '1 Secret St',
      latitude: 33.1,
      longitude: -117.1,
    });
  });

  it.each<Fields>([{ InternetAddressDisplayYN: false }, { InternetAddressDisplayYn: 'false' }])(
    'is hidden with %j, together with the position, also in the raw record',
    (fields) => {
      const { listing, raw, warnings } = read({ ...ADDRESS, RoomsTotal: 7, ...fields });
      expect(listing).toMatchObject({ intitule: 'Detached house in Essaiville, 7 rooms', ville: 'Essaiville' });
      expect([listing.adresse, listing.latitude, listing.longitude]).toEqual([undefined, undefined, undefined]);
      expect(JSON.stringify([listing, raw])).not.toMatch(/Secret|33\.1|117\.1/);
      expect(warnings).toEqual([]);
    },
  );

  it('is put together from its parts when it is not written out', () => {
    const fields = { StreetNumber: 12, StreetName: 'Fictive', StreetSuffix: 'Ave', UnitNumber: '4' };
    expect(read(fields).listing.adresse).toBe('12 Fictive Ave #4');
  });

  it('is replaced in the title by the type and the town when it is missing', () => {
    expect(read({ RoomsTotal: null, BedroomsTotal: 3 }).listing.intitule).toBe(
      'Detached house in Essaiville, 3 bedrooms',
    );
  });

  it.each([
    ['01234', 'US', '01234'],
    ['1234', 'US', '1234'],
    ['V5K 0A1', 'CA', 'V5K 0A1'],
    [1234, 'FR', '01234'],
  ])('has the postcode %j of %s as %j', (PostalCode, Country, expected) => {
    expect(read({ PostalCode, Country }).listing.codePostal).toBe(expected);
  });
});

describe('RESO areas', () => {
  it.each<[string, Fields, Partial<Listing>]>([
    ['square feet', { LivingArea: 1800, LivingAreaUnits: 'SquareFeet' }, { surfaceHabitable: 167.23 }],
    ['square feet with blanks', { LivingArea: '1,800', LivingAreaUnits: 'Square Feet' }, { surfaceHabitable: 167.23 }],
    ['square metres', { LivingArea: 120, LivingAreaUnits: 'SquareMeters' }, { surfaceHabitable: 120 }],
    ['a value without a unit, as square feet', { LivingArea: 1800 }, { surfaceHabitable: 167.23 }],
    ['the area of a building', { BuildingAreaTotal: 93, BuildingAreaUnits: 'SquareMeters' }, { surfaceHabitable: 93 }],
    ['a lot in acres', { LotSizeArea: 0.25, LotSizeUnits: 'Acres' }, { surfaceTerrain: 1011.71 }],
    ['a lot in square feet', { LotSizeArea: 10890, LotSizeUnits: 'Square Feet' }, { surfaceTerrain: 1011.71 }],
    ['a lot whose field name contains the unit', { LotSizeArea: 5, LotSizeAcres: 0.25 }, { surfaceTerrain: 1011.71 }],
    ['a lot without a unit, as unknown', { LotSizeArea: 5 }, {}],
    [
      'a plot, without a living area',
      { PropertyType: 'Land', PropertySubType: 'UnimprovedLand', LivingArea: 900, LotSizeAcres: 1 },
      { surfaceTerrain: 4046.86 },
    ],
    ['zeros and nulls, as unknown', { LivingArea: 0, LotSizeArea: null }, {}],
  ])('are read from %s', (_title, fields, expected) => {
    const { surfaceHabitable, surfaceTerrain } = read(fields).listing;
    expect({ surfaceHabitable, surfaceTerrain }).toEqual({
      surfaceHabitable: undefined,
      surfaceTerrain: undefined,
      ...expected,
    });
  });

  it('are omitted, with a warning, when their unit is unknown', () => {
    const { listing, warnings } = read({ LivingArea: 10, LivingAreaUnits: 'Tsubo' });
    expect(listing.surfaceHabitable).toBeUndefined();
    expect(warnings).toEqual(['implausible_value LivingAreaUnits Tsubo']);
  });
});

describe('RESO media', () => {
  const photo = (Order: unknown, MediaURL: string, more: Fields = {}): Fields => ({
    MediaCategory: 'Photo',
    Order,
    MediaURL,
    ...more,
  });
  const photosOf = (Media: unknown): Listing['photos'] => read({ Media }).listing.photos;

  it('include photos in numeric order from 0, separate from plans and other files', () => {
    const photos = photosOf([
      photo(10, 'https://x.example/10.jpg'),
      photo('9', 'https://x.example/9.jpg'),
      photo(0, 'https://x.example/0.jpg', { ShortDescription: 'Front' }),
      photo(null, 'https://x.example/last.jpg'),
      { MediaCategory: 'Floor Plan', Order: 1, MediaURL: 'https://x.example/plan.jpg' },
      { MediaCategory: 'AgentPhoto', Order: 1, MediaURL: 'https://x.example/agent.jpg' },
      { MediaCategory: 'Document', Order: 1, MediaURL: 'https://x.example/doc.pdf' },
    ]);
    expect(photos.map(({ url }) => url)).toEqual([
      'https://x.example/0.jpg',
      'https://x.example/9.jpg',
      'https://x.example/10.jpg',
      'https://x.example/last.jpg',
    ]);
    expect(photos[0]?.legende).toBe('Front');
  });

  it.each([[null], [undefined], [[]], [[null]], ['']])('contain no photos when they are %j', (media) => {
    expect(photosOf(media)).toEqual([]);
  });

  it('are photos when the file is a picture, even if they are a single object or have no category', () => {
    expect(photosOf(photo(0, 'https://x.example/0.jpg'))).toHaveLength(1);
    expect(photosOf([{ MediaURL: 'https://x.example/0.jpg', MediaType: 'image/jpeg' }])).toHaveLength(1);
    expect(photosOf([{ MediaURL: 'https://x.example/0', MediaType: 'application/pdf' }])).toEqual([]);
  });

  it('begin with the preferred photo', () => {
    const photos = photosOf([
      photo(0, 'https://x.example/0.jpg', { PreferredPhotoYN: false }),
      photo(1, 'https://x.example/1.jpg', { PreferredPhotoYN: true }),
    ]);
    expect(photos.map(({ url }) => url)).toEqual(['https://x.example/1.jpg', 'https://x.example/0.jpg']);
  });

  it('are listed once, in the largest size, when the server lists them in several sizes', () => {
    const sized = (order: number, size: string, more: Fields = {}): Fields =>
      photo(order, `https://x.example/${order}-${size}.jpg`, { ImageSizeDescription: size, ...more });
    const photos = photosOf([
      ...[sized(0, 'Thumbnail'), sized(0, 'Largest'), sized(0, 'Medium')],
      ...[sized(1, 'A', { ImageWidth: 640, ImageHeight: 480 }), sized(1, 'B', { ImageWidth: 320, ImageHeight: 240 })],
    ]);
    expect(photos.map(({ url }) => url)).toEqual(['https://x.example/0-Largest.jpg', 'https://x.example/1-A.jpg']);
  });

  it('are all listed when several photos have one number and one size', () => {
    const same = { ImageSizeDescription: 'Large' };
    expect(
      photosOf([photo(0, 'https://x.example/0.jpg', same), photo(0, 'https://x.example/1.jpg', same)]),
    ).toHaveLength(2);
  });

  it('are listed only once, even when there are more than fifty', () => {
    const many = Array.from({ length: 60 }, (_, index) => photo(index, `https://x.example/${index}.jpg`));
    expect(photosOf([...many, ...many])).toHaveLength(60);
  });

  it('keep their fingerprint when only the signature of their URL is renewed', () => {
    const print = (url: string): string | undefined => photosOf([photo(0, url)])[0]?.empreinte;
    const signed = print('https://x.example/1.jpg?Expires=1712000000&Signature=x');
    expect(print('https://x.example/1.jpg?Expires=1812000000&Signature=y')).toBe(signed);
    expect(print('https://x.example/2.jpg?Expires=1712000000&Signature=x')).not.toBe(signed);
    const inPath = print('https://m.example/token=exp=1&id=2~hmac=a/o/1.jpg');
    expect(print('https://m.example/token=exp=9&id=2~hmac=b/o/1.jpg')).toBe(inPath);
    expect(print('https://m.example/token=exp=9&id=2~hmac=b/o/2.jpg')).not.toBe(inPath);
  });

  it('change their fingerprint when the query or the time of the picture changes', () => {
    const print = (url: string, changed?: string): string | undefined =>
      photosOf([photo(0, url, { MediaModificationTimestamp: changed })])[0]?.empreinte;
    expect(print('https://x.example/1.jpg?20240301')).not.toBe(print('https://x.example/1.jpg?20240401'));
    expect(print('https://x.example/1.jpg', '2024-03-01T00:00:00Z')).not.toBe(
      print('https://x.example/1.jpg', '2024-04-01T00:00:00Z'),
    );
  });

  it('are omitted, in the raw record too, when they are deleted or only for agents, firms or offices', () => {
    const { listing, raw } = read({
      Media: [
        photo(0, 'https://x.example/0.jpg', { Permission: ['Public'] }),
        photo(1, 'https://x.example/secret1.jpg', { Permission: ['Agent Only'] }),
        photo(2, 'https://x.example/secret2.jpg', { Permission: 'OfficeOnly' }),
        photo(3, 'https://x.example/secret3.jpg', { MediaStatus: 'Deleted' }),
      ],
    });
    expect(listing.photos.map(({ url }) => url)).toEqual(['https://x.example/0.jpg']);
    expect(JSON.stringify(raw)).not.toContain('secret');
    const single = read({ Media: photo(1, 'https://x.example/secret.jpg', { Permission: 'Private' }) });
    expect(single.raw['Media']).toBeNull();
  });

  it('provide tours and films when no field provides them', () => {
    const Media = [
      { MediaCategory: 'Unbranded Virtual Tour', MediaURL: 'https://x.example/tour' },
      { MediaCategory: 'Video', MediaURL: 'https://x.example/film' },
    ];
    expect(read({ Media }).listing).toMatchObject({
      visiteVirtuelle: 'https://x.example/tour',
      video: 'https://x.example/film',
    });
    expect(read({ Media, VirtualTourURLBranded: 'https://x.example/b' }).listing.visiteVirtuelle).toBe(
      'https://x.example/b',
    );
  });

  it('are omitted, in the raw record too, when the address is hidden and their URLs may reveal the street', () => {
    const Media = [
      { MediaCategory: 'Photo', MediaURL: 'https://p.example/1.jpg' },
      { MediaCategory: 'Branded Virtual Tour', MediaURL: 'https://x.example/1-elm-street' },
      { MediaCategory: 'Video', MediaURL: 'https://x.example/1-elm-street.mp4' },
      { MediaCategory: 'Other', MediaHTML: '<iframe src="https://x.example/1-elm-street">' },
    ];
    const pages = Object.fromEntries(
      ['VirtualTourURLUnbranded', 'VirtualTourURLBranded', 'VirtualTourURLUnbranded2', 'ListingURL'].map((name) => [
        name,
        'https://x.example/1-elm-street',
      ]),
    );
    const { listing, raw } = read({ Media, ...pages, InternetAddressDisplayYN: false });
    expect(listing.photos).toHaveLength(1);
    expect(raw['Media']).toHaveLength(1);
    expect(JSON.stringify([listing, raw])).not.toContain('elm-street');
    expect(JSON.stringify(read({ Media, ...pages }))).toContain('elm-street');
  });

  it('cause a warning when they continue on another page', () => {
    const fields = { Media: [], 'Media@odata.nextLink': 'https://api.example/more' };
    expect(read(fields).warnings).toEqual(['unmapped_field Media@odata.nextLink']);
  });
});

describe('RESO record', () => {
  it('may have null in every member except the key', () => {
    const names = Object.keys(HOUSE).filter((name) => name !== 'ListingKey');
    const { listing } = read(Object.fromEntries(names.map((name) => [name, null])));
    expect(listing).toEqual({
      affId: 'R1',
      affNum: 'R1',
      passerelleName: 'reso',
      prixSurDemande: true,
      photos: [],
    });
  });

  it.each<[Fields, string]>([
    [{ ListingKey: 24368 }, '24368'],
    [{ ListingKey: '00012' }, '00012'],
    [{ ListingKey: null, ListingKeyNumeric: 77 }, '77'],
  ])('with %j has the id %s', (fields, affId) => {
    expect(read(fields).listing.affId).toBe(affId);
  });

  it('is rejected when it has no key', () => {
    expect(outcomeOf({ ListingKey: '' })).toMatchObject({ rejected: 'missing_id' });
  });

  it('has a revision, which decides between two records with one key', () => {
    expect(read({ ModificationTimestamp: '2024-03-01T10:00:00.000+01:00' })).toMatchObject({
      revision: '2024-03-01T09:00:00.000Z',
      listing: { dateModification: '2024-03-01T10:00:00+01:00' },
    });
  });

  it.each<[Fields, Partial<Listing>]>([
    [
      { RoomsTotal: '7', BedroomsTotal: 3 },
      { nbrePieces: 7, nbreChambres: 3 },
    ],
    [{ BathroomsTotalInteger: null, BathroomsFull: 2 }, { nbreSallesDeBain: 2 }],
    [{ Stories: 2 }, { nbreEtages: 2 }],
    [{ Furnished: 'Furnished' }, { meuble: true }],
    [{ Furnished: 'Unfurnished' }, { meuble: false }],
    [{ ListingAgreement: 'ExclusiveAgency' }, { exclusivite: true, mandatType: 'ExclusiveAgency' }],
    [{ ListingAgreement: 'Open' }, { exclusivite: false, mandatType: 'Open' }],
    [{ NewConstructionYN: false }, { neuf: false }],
    [{ ExteriorFeatures: ['Balcony'] }, { balcon: true }],
    [{ PatioAndPorchFeatures: 'Patio,Porch' }, { terrasse: true }],
    [{ GarageSpaces: 2 }, { parking: true }],
    [{ GarageYN: false, CarportYN: true }, { parking: true }],
    [{ GarageYN: false }, { parking: false }],
    [{ InteriorFeatures: ['Elevator'] }, { ascenseur: true }],
    [{ PoolPrivateYN: true }, { piscine: true }],
    [{ PoolPrivateYN: false, PoolFeatures: ['Community'] }, { piscine: false }],
    [{ PoolFeatures: ['In Ground'] }, { piscine: true }],
    [{ TaxAnnualAmount: '5200.50' }, { taxeFonciere: 5200.5 }],
    [
      { AssociationYN: true, AssociationFee: 100, AssociationFeeFrequency: 'Monthly' },
      { copropriete: true, coproCharges: 1200 },
    ],
    [{ AssociationFee: 100, AssociationFeeFrequency: 'Annually' }, { coproCharges: 100 }],
    [
      {
        ...{ AssociationFee: 100, AssociationFeeFrequency: 'Monthly' },
        ...{ AssociationFee2: 50, AssociationFee2Frequency: 'Annually' },
      },
      { coproCharges: 1250 },
    ],
    [{ PropertySubType: 'Condominium', EntryLevel: 1 }, { etage: 0 }],
    [{ PropertySubType: 'Condominium', EntryLevel: -1 }, { etage: -1 }],
    [{ ListAgentFirstName: 'Camille', ListAgentLastName: 'Fictive' }, { negoNom: 'Camille Fictive' }],
    [{ AvailabilityDate: '2024-06-01' }, { disponibilite: '2024-06-01' }],
    [
      { OriginalEntryTimestamp: '0001-01-01T00:00:00Z', ListingContractDate: '2024-02-01' },
      { dateCreation: '2024-02-01' },
    ],
  ])('with %j has the values %j', (fields, expected) => {
    expect(read(fields).listing).toMatchObject(expected);
  });

  it('has no yearly fees when the period of one fee is unknown, and no floor for a house', () => {
    const fees = { AssociationFee: 100, AssociationFeeFrequency: 'Monthly', AssociationFee2: 50 };
    expect(read(fees).listing).not.toHaveProperty('coproCharges');
    expect(read({ PropertySubType: 'SingleFamilyResidence', EntryLevel: 2 }).listing).not.toHaveProperty('etage');
  });

  it.each([
    { PoolFeatures: ['None'] },
    { PatioAndPorchFeatures: [] },
    { Furnished: 'Negotiable' },
    { BedroomsTotal: 0 },
  ])('with %j has no additional values', (fields) => {
    expect(read(fields).listing).toEqual(read({}).listing);
  });

  it('has plain text when the server sends markup', () => {
    const { listing } = read({ PublicRemarks: '<p>Bright &amp;amp; quiet</p><script>x()</script>\u0007' });
    expect(listing.commentaires).toBe('Bright & quiet');
  });
});

describe('raw RESO record', () => {
  it('contains the members that the server sent, except private and unknown members', () => {
    const { raw, warnings } = read({
      '@odata.id': "Property('R1')",
      '@odata.etag': 'W/"1"',
      PrivateRemarks: 'PRIVATE',
      BuyerAgentFullName: 'PRIVATE',
      CoBuyerOfficePhone: 'PRIVATE',
      ShowingInstructions: 'PRIVATE',
      LockBoxSerialNumber: 'PRIVATE',
      OccupantName: 'PRIVATE',
      OwnerPhone: 'PRIVATE',
      ESS_Local: 'who knows',
      ListPrice: '350000',
      YearBuilt: null,
    });
    expect(raw).toEqual({ '@odata.id': "Property('R1')", ...HOUSE, ListPrice: '350000', YearBuilt: null });
    expect(warnings).toEqual(['unmapped_field ESS_Local']);
  });
});

it.each<[Fields, true | undefined]>([
  [{ StandardStatus: 'Active' }, undefined],
  [{ StandardStatus: 'Active Under Contract' }, true],
  [{ StandardStatus: 'Pending' }, true],
  [{ StandardStatus: null, MlsStatus: 'Under Contract' }, true],
])('RESO connector reads a listing with the status %j as under offer: %s', (fields, sousOffre) => {
  expect(read(fields).listing.sousOffre).toBe(sousOffre);
});

describe('RESO lease', () => {
  it.each([
    [{ ListPrice: null, LeaseAmount: 500, LeaseAmountFrequency: 'Weekly' }, 2166.67, []],
    [
      {
        PropertyType: 'Commercial Lease',
        ListPrice: 18.5,
        ListPriceUnit: 'Square Feet',
        LeaseAmountFrequency: 'Annually',
      },
      undefined,
      ['implausible_value ListPrice 18.5 per Square Feet'],
    ],
    [{ PropertyType: 'Commercial Lease', ListPrice: 24000, ListPriceUnit: 'Year' }, 2000, []],
  ])('with %j has the monthly rent %s', (fields, loyer, noticed) => {
    const { listing, warnings } = read(fields);
    expect([listing.typeTransaction, listing.loyer, listing.prixSurDemande]).toEqual(['location', loyer, undefined]);
    expect(warnings).toEqual(noticed);
  });
});
