import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function result(members: object, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('whise', { settings });
  const estate = { id: 1, category: { id: 1 }, purpose: { id: 1 }, price: 300000, ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(estate)), context), warnings };
}

function read(members: object, settings?: Record<string, string>): Listing {
  const outcome = result(members, settings);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

describe('Whise estate', () => {
  it.each<[object, string]>([
    [{ status: { id: 6 } }, 'status: deleted'],
    [{ status: 5 }, 'status: archived'],
    [{ statusId: '6' }, 'status: deleted'],
    [{ displayStatusId: 1 }, 'displayStatus: offline'],
    [{ displayStatusId: 4 }, 'displayStatus: a realisation: sold or let, shown as a reference'],
    [{ purposeStatus: { id: 3 } }, 'purposeStatus: sold'],
    [{ purposeStatus: { id: '24' } }, 'purposeStatus: an estimate or a prospect'],
  ])('is not shown when it has %j', (members, message) => {
    expect(result(members)).toMatchObject({ withdrawn: '1', message });
  });

  it.each([
    [5, true],
    [14, true],
    [22, true],
    [1, undefined],
  ])('with the purpose status %d is under offer: %s', (id, sousOffre) => {
    expect(read({ purposeStatus: { id } }).sousOffre).toBe(sousOffre);
  });

  it('is published with a warning when its status is unknown', () => {
    expect(result({ purposeStatus: { id: 99 } })).toMatchObject({
      listing: { affId: '1' },
      warnings: ['unknown_word purposeStatus 99'],
    });
  });
});

it.each<[object, string, string]>([
  [{ category: { id: 2 }, subCategory: { id: 23 } }, 'loft', 'Loft'],
  [{ category: { id: 1 }, subCategory: { id: 3 } }, 'immeuble', 'Immeuble à appartements'],
  [{ category: { id: 5 }, subCategory: { id: 138 } }, 'local', 'Local commercial'],
  [{ category: { id: 7 } }, 'parking', 'Parking'],
])('Whise connector reads %j as %s', (members, typeCode, intitule) => {
  expect(read(members)).toMatchObject({ typeCode, intitule });
});

describe('values that a Whise agency hides', () => {
  it.each([{ displayAddress: false }, {}, { displayAddress: null }])('include the address with %j', (members) => {
    const { listing, raw } = result({ address: 'Secret', number: '7', ...members }) as {
      listing: Listing;
      raw: object;
    };
    expect(listing).not.toHaveProperty('adresse');
    expect(JSON.stringify(raw)).not.toContain('Secret');
  });

  it('include the price when displayPrice is false', () => {
    const { listing, raw } = result({ displayPrice: false }) as { listing: Listing; raw: object };
    expect(listing).toMatchObject({ prixSurDemande: true });
    expect(raw).not.toHaveProperty('price');
  });
});

describe('Whise texts', () => {
  const texts = (...pairs: [string, string][]): object[] =>
    pairs.map(([languageId, content]) => ({ languageId, content }));

  it('are in the wanted language, with the other languages beside it', () => {
    const estate = {
      name: texts(['nl-BE', 'Huis'], ['en-GB', 'House']),
      shortDescription: texts(['fr-BE', 'court'], ['nl-BE', 'kort']),
    };
    expect(read(estate)).toMatchObject({
      // Dutch is the only language with both texts.
      ...{ intitule: 'Huis', commentaires: 'kort', langue: 'nl' },
      textes: { en: { intitule: 'House' }, fr: { commentaires: 'court' } },
    });
    expect(read(estate, { langue: 'nl' })).toMatchObject({ intitule: 'Huis', commentaires: 'kort' });
  });

  it('are the long descriptions when the estate has any', () => {
    const estate = { description: texts(['fr-BE', 'long']), shortDescription: texts(['fr-BE', 'court']) };
    expect(read(estate).commentaires).toBe('long');
    expect(read({ ...estate, description: [] }).commentaires).toBe('court');
  });
});

it('Whise connector reads details by their number, whatever their type', () => {
  const details = [{ id: '14', value: 1990 }, { id: 372, value: true }, { id: 80, value: 9 }, null, 'x'];
  expect(read({ details })).toMatchObject({ anneeConstruction: 1990, ascenseur: true });
  expect(read({ details, bedrooms: undefined })).not.toHaveProperty('nbreChambres');
});

it('Whise connector accepts members that are null, and lists that are not lists', () => {
  const names = [
    'pictures',
    'details',
    'representatives',
    'country',
    'subCategory',
    'name',
    'shortDescription',
    'status',
  ];
  const listing = read(Object.fromEntries(names.map((name) => [name, null])));
  expect(listing).toMatchObject({ affId: '1', pays: 'BE', photos: [] });
});
