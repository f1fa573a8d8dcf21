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

describe('a published property', () => {
  it.each([
    ['10', 'status: sold'],
    ['12', 'status: suspended'],
  ])('with the status %s is not shown', (status_id, message) => {
    expect(result({ status_id })).toMatchObject({ withdrawn: 'a', message });
  });

  it('is under offer when it is reserved', () => {
    expect(read({ status_id: '11' }).sousOffre).toBe(true);
  });

  it.each([
    ['13', 'unknown_word status_id Inconnu'],
    ['99', 'unknown_word status_id 99'],
  ])('with an unknown status (%s) is shown, and noticed', (status_id, warning) => {
    expect(result({ status_id })).toMatchObject({ listing: { affId: 'a' }, warnings: [warning] });
  });
});

describe('the offer', () => {
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
  ])('of %j', (members, expected) => {
    expect(read(members)).toMatchObject(expected);
  });

  it.each(['62', '999'])('with an unknown period (%s) has no rent, and is not on request', (frequency_id) => {
    const { listing, warnings } = result({ transaction_type_id: '1', price: '9000', frequency_id }) as {
      listing: Listing;
      warnings: string[];
    };
    expect(listing).not.toHaveProperty('loyer');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(warnings).toEqual([expect.stringMatching(/^implausible_value frequency_id/)]);
  });

  it('with the price -1 has no price, is not on request, and is noticed', () => {
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
  ])('in the currency %s is in %s', (currency_id, currency) => {
    expect(read({ currency_id }).prixCurrency).toBe(currency);
  });
});

it('a postcode with the prefix of a country is read: CH-1006', () => {
  expect(read({ zip: 'CH-1006' }).codePostal).toBe('1006');
});

describe('a code', () => {
  it('becomes the label of its list, in the first language that has one', () => {
    expect(read({ city_id: '300', canton_id: '22', view_ids: [76, 80] })).toMatchObject({
      ...{ ville: 'Annecy', region: 'Vaud', vue: 'Lac, Montagnes' },
    });
  });

  it('without a label is noticed once it is used', () => {
    const { warnings } = result({ city_id: '888', main_category_id: '77', amenities: ['400'] });
    expect(warnings.sort()).toEqual([
      'unknown_word amenities 400',
      'unknown_word city_id 888',
      'unknown_word main_category_id 77',
    ]);
  });

  it('is left out when no labels were read', () => {
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
  ])('of the categories %s and %s is %s', (main_category_id, sub_category_id, typeCode) => {
    expect(read({ main_category_id, sub_category_id }).typeCode).toBe(typeCode);
  });
});

it('an amenity of the surroundings is none of the property', () => {
  const listing = read({ amenities: ['1', '2'] });
  expect(listing).toMatchObject({ ascenseur: true, caracteristiques: ['Aire de jeu', 'Ascenseur'] });
  expect(listing).not.toHaveProperty('piscine');
});

it('the price of a parking space does not imply one', () => {
  expect(read({ parking: '45000', garage: '150' })).not.toHaveProperty('parking');
});

it('plans are no photos, and bare addresses are accepted', () => {
  const photosObject = [
    { url: 'https://images.example.org/1.jpg', isPlan: false, titles: { de: 'Stube' } },
    { url: 'https://images.example.org/2.jpg', isPlan: true },
  ];
  expect(read({ photosObject })).toMatchObject({
    photos: [{ url: 'https://images.example.org/1.jpg', legende: 'Stube' }],
    plans: [{ url: 'https://images.example.org/2.jpg' }],
  });
  expect(read({ photos: ['https://images.example.org/3.jpg'] }).photos).toHaveLength(1);
});

it.each([true, '1', 'true', 1])('a picture that is a plan by %j is no photo', (isPlan) => {
  const { photos, plans } = read({ photosObject: [{ url: 'https://images.example.org/2.jpg', isPlan }] });
  expect({ photos, plans }).toEqual({ photos: [], plans: [{ url: 'https://images.example.org/2.jpg' }] });
});

it('a currency of 0 is left out', () => {
  expect(result({ currency_id: '0' })).toMatchObject({ listing: { prixCurrency: 'CHF' }, warnings: [] });
});

it('the buyer is left out of the raw record', () => {
  const { raw } = result({ buyers: { '1': { firstname: 'Alice' } }, property_sell: { deposit_amount: '1' } }) as {
    raw: object;
  };
  expect(JSON.stringify(raw)).not.toMatch(/Alice|deposit_amount/);
});

it('an occupied property for sale is sold with its tenant, a rental is not', () => {
  expect(read({ availability_id: '5' }).loue).toBe(true);
  expect(read({ availability_id: '5', transaction_type_id: '1' })).not.toHaveProperty('loue');
});

it.each([null, 7, 'x', [], { x: 1 }])('a record is mapped when a member is %j instead of an object', (value) => {
  const names = ['description', 'photos', 'photosObject', 'videosObject', 'amenities', 'view_ids', 'buyers'];
  expect(result(Object.fromEntries(names.map((name) => [name, value])))).toMatchObject({ listing: { affId: 'a' } });
});
