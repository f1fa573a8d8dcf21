import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { type FeedSurroundings, recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

const FIXTURES = join(__dirname, '__fixtures__');
const { feed = {} } = JSON.parse(
  readFileSync(join(FIXTURES, 'listings.json.context.json'), 'utf8'),
) as FeedSurroundings;

describeConnector(connector, { fixturesDir: FIXTURES });

function result(
  members: object,
  labels: Readonly<Record<string, unknown>> = feed,
): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('realforce', { feed: labels });
  const record = { id: 'a', transaction_type_id: '2', price: '1900000', currency_id: '49', ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(record)), context), warnings };
}

function read(members: object): Listing {
  const outcome = result(members);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

describe('published Realforce property', () => {
  it.each([
    ['10', 'status: sold'],
    ['12', 'status: suspended'],
  ])('is not shown when it has the status %s', (status_id, message) => {
    expect(result({ status_id })).toMatchObject({ withdrawn: 'a', message });
  });

  it('is under offer when it is reserved', () => {
    expect(read({ status_id: '11' }).sousOffre).toBe(true);
  });

  it.each([
    ['13', 'unknown_word status_id Inconnu'],
    ['99', 'unknown_word status_id 99'],
  ])('is shown, with a warning, when its status is unknown (%s)', (status_id, warning) => {
    expect(result({ status_id })).toMatchObject({ listing: { affId: 'a' }, warnings: [warning] });
  });
});

describe('Realforce offer', () => {
  it.each([
    [{}, { typeTransaction: 'vente', prix: 1_900_000 }],
    [{ price: '1234.5' }, { prix: 1_234.5 }],
    [{ price: null }, { prixSurDemande: true }],
    [{ price: '0' }, { prixSurDemande: true }],
    [
      { transaction_type_id: '1', price: '2450' },
      { typeTransaction: 'location', loyer: 2_450 },
    ],
    [{ transaction_type_id: '1', price: '2450', frequency_id: '60' }, { loyer: 2_450 }],
    [
      { transaction_type_id: '1', price: '30000', frequency_id: '61' },
      { loyer: 2_500, loyerPeriode: 'an' },
    ],
    [{ transaction_type_id: '3' }, { typeTransaction: 'autre' }],
  ])('is read from %j', (members, expected) => {
    expect(read(members)).toMatchObject(expected);
  });

  it.each(['62', '999'])('has no rent, and is not on request, when its period is unknown (%s)', (frequency_id) => {
    const { listing, warnings } = result({ transaction_type_id: '1', price: '9000', frequency_id }) as {
      listing: Listing;
      warnings: string[];
    };
    expect(listing).not.toHaveProperty('loyer');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(warnings).toEqual([expect.stringMatching(/^implausible_value frequency_id/)]);
  });

  it('has no price, is not on request, and causes a warning when the price is -1', () => {
    const { listing, warnings } = result({ price: '-1' }) as { listing: Listing; warnings: string[] };
    expect(listing).not.toHaveProperty('prix');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(warnings).toEqual(['implausible_value price -1']);
  });

  it.each([
    ['49', 'CHF'],
    ['50', 'EUR'],
    [null, 'CHF'],
    ['777', undefined],
  ])('with the currency %s is in %s', (currency_id, currency) => {
    expect(read({ currency_id }).prixCurrency).toBe(currency);
  });
});

it('Realforce connector reads a postcode with the prefix of a country: CH-1006', () => {
  expect(read({ zip: 'CH-1006' }).codePostal).toBe('1006');
});

describe('Realforce code', () => {
  it('becomes its label, in the first language that has one', () => {
    expect(read({ city_id: '300', canton_id: '22', view_ids: [76, 80] })).toMatchObject({
      ...{ ville: 'Annecy', region: 'Vaud', vue: 'Lac, Montagnes' },
    });
  });

  it('causes a warning when it is used and has no label', () => {
    const { warnings } = result({ city_id: '888', main_category_id: '77', amenities: ['400'] });
    expect(warnings.sort()).toEqual([
      'unknown_word amenities 400',
      'unknown_word city_id 888',
      'unknown_word main_category_id 77',
    ]);
  });

  it('is omitted when no labels were read', () => {
    const { listing } = result({ city_id: '199', main_category_id: '2' }, {}) as { listing: Listing };
    expect(listing).toMatchObject({ affId: 'a', typeCode: 'autre', prix: 1_900_000 });
    expect(listing).not.toHaveProperty('ville');
  });

  it.each([
    ['2', '149', 'chateau'],
    ['1', '100', 'appartement'],
    ['1', '150', 'loft'],
    ['5', null, 'autre'],
    [null, null, undefined],
  ])('for the categories %s and %s gives the type %s', (main_category_id, sub_category_id, typeCode) => {
    expect(read({ main_category_id, sub_category_id }).typeCode).toBe(typeCode);
  });
});

it('Realforce connector does not read an amenity of the surroundings as an amenity of the property', () => {
  const listing = read({ amenities: ['1', '2'] });
  expect(listing).toMatchObject({ ascenseur: true, caracteristiques: ['Aire de jeu', 'Ascenseur'] });
  expect(listing).not.toHaveProperty('piscine');
});

it('Realforce connector does not conclude from a price for parking that there is a parking space', () => {
  expect(read({ parking: '45000', garage: '150' })).not.toHaveProperty('parking');
});

it('Realforce connector does not list plans as photos, and accepts bare URLs', () => {
  const photosObject = [
    { url: 'https://images.example.org/1.jpg', isPlan: false, titles: { de: 'Stube' } },
    { url: 'https://images.example.org/2.jpg', isPlan: true },
  ];
  expect(read({ photosObject })).toMatchObject({
    photos: [{ url: 'https://images.example.org/1.jpg', legende: 'Stube' }],
    plans: [{ url: 'https://images.example.org/2.jpg', empreinte: 'ee6a2c552e118ccf' }],
  });
  expect(read({ photos: ['https://images.example.org/3.jpg'] }).photos).toHaveLength(1);
});

it.each([true, '1', 'true', 1])(
  'Realforce connector does not list a picture that is marked as a plan by %j as a photo',
  (isPlan) => {
    const { photos, plans } = read({ photosObject: [{ url: 'https://images.example.org/2.jpg', isPlan }] });
    expect({ photos, plans }).toEqual({
      photos: [],
      plans: [{ url: 'https://images.example.org/2.jpg', empreinte: 'ee6a2c552e118ccf' }],
    });
  },
);

it('Realforce connector ignores a currency of 0', () => {
  expect(result({ currency_id: '0' })).toMatchObject({ listing: { prixCurrency: 'CHF' }, warnings: [] });
});

it('Realforce connector omits the buyer from the raw record', () => {
  const { raw } = result({ buyers: { '1': { firstname: 'Alice' } }, property_sell: { deposit_amount: '1' } }) as {
    raw: object;
  };
  expect(JSON.stringify(raw)).not.toMatch(/Alice|deposit_amount/);
});

it('Realforce connector marks an occupied property for sale as let, but not an occupied rental', () => {
  expect(read({ availability_id: '5' }).loue).toBe(true);
  expect(read({ availability_id: '5', transaction_type_id: '1' })).not.toHaveProperty('loue');
});

it.each([null, 7, 'x', [], { x: 1 }])(
  'Realforce connector maps a record in which a member is %j instead of an object',
  (value) => {
    const names = ['description', 'photos', 'photosObject', 'videosObject', 'amenities', 'view_ids', 'buyers'];
    expect(result(Object.fromEntries(names.map((name) => [name, value])))).toMatchObject({ listing: { affId: 'a' } });
  },
);
