import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

const SALE = { marketingMode: 'selling', selling: { price: 450000, status: 'forSale' } };
const LET = { marketingMode: 'letting', letting: { rent: 1200, rentFrequency: 'monthly', status: 'toLet' } };

function result(members: object, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('reapit', { settings });
  const record = { id: 'OXF1', type: ['house'], ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(record)), context), warnings };
}

function read(members: object, settings?: Record<string, string>): Listing {
  const outcome = result(members, settings);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

describe('Reapit property', () => {
  it.each([
    [{ ...SALE, selling: { status: 'completed' } }, 'selling: sold'],
    [{ ...SALE, selling: { status: 'forSaleUnavailable' } }, 'selling: not available'],
    [{ ...LET, letting: { status: 'tenancyCurrent' } }, 'letting: let'],
    [{ ...SALE, internetAdvertising: false }, 'internetAdvertising: not for the internet'],
    [{ ...SALE, fromArchive: true }, 'fromArchive: archived'],
    [
      {
        ...SALE,
        ...LET,
        selling: { status: 'exchanged' },
        letting: { status: 'withdrawn' },
        marketingMode: 'sellingAndLetting',
      },
      'selling: sold, letting: withdrawn',
    ],
  ])('is not shown when it has %j', (members, message) => {
    expect(result(members)).toMatchObject({ withdrawn: 'OXF1', message });
  });

  it('has no offer, and causes a warning, when its marketing mode is unknown', () => {
    const { listing, warnings } = result({ ...SALE, marketingMode: 'gift' }) as {
      listing: Listing;
      warnings: string[];
    };
    expect([listing.typeTransaction, listing.prix, listing.prixSurDemande]).toEqual([undefined, undefined, undefined]);
    expect(warnings).toEqual(['unknown_word marketingMode gift']);
  });

  it('is a sale without the rent for the first copy of a property for sale and to let', () => {
    const listing = read({ ...LET, ...SALE, marketingMode: 'sellingAndLetting' });
    expect(listing).toMatchObject({ typeTransaction: 'vente', prix: 450000 });
    expect(listing).not.toHaveProperty('loyer');
  });

  it('has only the amount of the open side (sale or letting) when the other side is completed', () => {
    const listing = read({
      ...LET,
      marketingMode: 'sellingAndLetting',
      selling: { price: 450000, status: 'completed' },
    });
    expect(listing).toMatchObject({ typeTransaction: 'location', loyer: 1200 });
    expect(listing).not.toHaveProperty('prix');
  });

  it('is under offer when the side of its listing is under offer', () => {
    const both = { ...LET, marketingMode: 'sellingAndLetting', selling: { price: 1000, status: 'underOffer' } };
    expect(read({ ...SALE, selling: { price: 450000, status: 'reserved' } }).sousOffre).toBe(true);
    expect(read(both)).toMatchObject({ typeTransaction: 'vente', sousOffre: true, statut: 'sous-offre' });
  });

  it('is published with a warning when its status is unknown', () => {
    expect(result({ ...SALE, selling: { price: 450000, status: 'bespoke' } })).toMatchObject({
      listing: { affId: 'OXF1', prix: 450000 },
      warnings: ['unknown_word selling.status bespoke'],
    });
  });
});

it.each([
  ['weekly', 350, { loyer: 1516.67, loyerPeriode: 'semaine', loyerSource: { montant: 350, periode: 'semaine' } }],
  ['monthly', 1250, { loyer: 1250 }],
  ['yearly', 24000, { loyer: 2000, loyerPeriode: 'an' }],
  ['annually', 24000, { loyer: 2000, loyerPeriode: 'an' }],
])('Reapit connector converts a %s rent of %d to a monthly rent', (rentFrequency, rent, expected) => {
  expect(read({ ...LET, letting: { status: 'toLet', rent, rentFrequency } })).toMatchObject(expected);
});

it('Reapit connector omits a rent with an unknown period, and does not show it as on request', () => {
  const { listing, warnings } = result({ ...LET, letting: { status: 'toLet', rent: 900, rentFrequency: 'lunar' } }) as {
    listing: Listing;
    warnings: string[];
  };
  expect(listing).not.toHaveProperty('loyer');
  expect(listing).not.toHaveProperty('prixSurDemande');
  expect(warnings).toEqual(['implausible_value letting.rentFrequency lunar']);
});

it.each([
  { ...SALE, selling: { price: 995000, status: 'forSale', qualifier: 'priceOnApplication' } },
  {
    ...LET,
    letting: {
      ...{ rent: 995000, status: 'toLet', qualifier: 'rentOnApplication', rentFrequency: 'monthly' },
      deposit: { type: 'months', amount: 1 },
    },
  },
  {
    ...LET,
    letting: { rent: 1, status: 'toLet', qualifier: 'rentOnApplication', deposit: { type: 'fixed', amount: 995000 } },
  },
])('Reapit connector omits an amount on application, whatever the record says: %j', (members) => {
  const { listing, raw } = result(members) as { listing: Listing; raw: object };
  expect(listing.prixSurDemande).toBe(true);
  expect(JSON.stringify([listing, raw])).not.toContain('995000');
});

describe('Reapit address', () => {
  const address = {
    ...{ buildingNumber: '12', line1: 'Example Street', line2: 'Headington', line3: 'Oxford', line4: 'Oxfordshire' },
    ...{ postcode: 'OX3 7DD', countryId: 'GB', geolocation: { latitude: 51.75912, longitude: -1.21345 } },
  };

  it('is hidden unless the operator shows it', () => {
    const { listing, raw } = result({ ...SALE, address }) as { listing: Listing; raw: object };
    expect(listing).toMatchObject({ ville: 'Oxford', quartier: 'Headington', latitude: 51.76, longitude: -1.21 });
    expect(listing).not.toHaveProperty('adresse');
    expect(JSON.stringify(raw)).not.toMatch(/Example Street|51\.759/);
  });

  it('is shown when the operator allows it', () => {
    const shown = read({ ...SALE, address }, { 'publier-adresse': 'oui' });
    expect(shown).toMatchObject({ adresse: '12 Example Street', latitude: 51.75912 });
  });
});

describe('Reapit energy certificate', () => {
  const epc = { eer: 62, eerPotential: 81 };
  it('has points, and no band that is derived from the points', () => {
    expect(read({ ...SALE, epc }).energie).toEqual([
      expect.objectContaining({ pays: 'GB', echelle: 'UK-EPC', grandeur: 'note', valeur: 62 }),
      expect.objectContaining({ grandeur: 'note-potentielle', valeur: 81 }),
    ]);
  });

  it('is marked as not required for an exempt property', () => {
    expect(read({ ...SALE, epc: { exempt: true } }).energie?.[0]).toMatchObject({ statut: 'non-soumis' });
  });

  it.each([{ eer: 0 }, { eer: 140 }, { eer: 'x' }])('is omitted when it has %j', (points) => {
    expect(read({ ...SALE, epc: points })).not.toHaveProperty('energie');
  });

  it('from Ireland is not on the British scale', () => {
    expect(read({ ...SALE, epc, address: { countryId: 'IE' } })).not.toHaveProperty('energie');
  });
});

it.each([
  [['furnished'], true],
  [['unfurnished'], false],
  [['furnished', 'unfurnished'], undefined],
  [['partFurnished'], undefined],
])('Reapit connector reads the furnishing %j as %s', (furnishing, meuble) => {
  expect(read({ ...LET, letting: { ...LET.letting, furnishing } }).meuble).toBe(meuble);
});

it.each([
  [{ type: 'squareFeet', min: 1000, max: 1000 }, 92.9, undefined],
  [{ type: 'squareMetres', min: 90, max: 110 }, 90, { min: 90, max: 110 }],
  [{ type: 'squareMetres', min: 0, max: 110 }, 110, undefined],
])('Reapit connector reads an area of %j as %d m²', (internalArea, surfaceHabitable, surfacePlage) => {
  const listing = read({ ...SALE, internalArea });
  expect([listing.surfaceHabitable, listing.surfacePlage]).toEqual([surfaceHabitable, surfacePlage]);
});

it.each([null, 7, 'x', [], { x: 1 }])(
  'Reapit connector maps a record in which a member is %j instead of an object',
  (value) => {
    const names = [
      'address',
      'type',
      'style',
      'selling',
      'letting',
      'images',
      'epc',
      'internalArea',
      'officeIds',
      'rooms',
    ];
    const outcome = result(Object.fromEntries(names.map((name) => [name, value])));
    expect(outcome).toMatchObject({ listing: { affId: 'OXF1', photos: [] } });
  },
);

it.each(['priceOnApplication', 'PriceOnApplication', 'priceonapplication'])(
  'Reapit connector omits a price with the qualifier %s',
  (qualifier) => {
    const outcome = result({ ...SALE, selling: { ...SALE.selling, qualifier } });
    expect(outcome).toMatchObject({ listing: { prixSurDemande: true } });
    expect(JSON.stringify(outcome)).not.toContain('450000');
  },
);

it('Reapit connector omits the amount of a hidden side, such as an appraisal or the rent of a tenant', () => {
  const appraised = result({ ...LET, selling: { price: 777777, status: 'valuation' } });
  const letting = { ...LET.letting, rent: 888888, status: 'tenancyCurrent' };
  const isLet = result({ ...SALE, letting, marketingMode: 'sellingAndLetting' });
  expect(JSON.stringify([appraised, isLet])).not.toMatch(/777777|888888/);
  expect([appraised, isLet]).toMatchObject([
    { raw: { letting: { rent: 1200 } } },
    { raw: { selling: { price: 450000 } } },
  ]);
});

it('Reapit connector ignores the letter case of the type of an image', () => {
  const images = [
    { type: 'Photograph', url: 'https://img.example/1.jpg' },
    { type: 'FloorPlan', url: 'https://img.example/2.jpg' },
  ];
  const { photos, plans } = read({ ...SALE, images });
  expect([photos.map(({ url }) => url), plans]).toEqual([
    ['https://img.example/1.jpg'],
    [{ url: 'https://img.example/2.jpg', empreinte: '1897be9b90c93acb' }],
  ]);
});
