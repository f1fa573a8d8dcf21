import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function result(members: object, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('netty', { settings });
  const product = { product_ref: 1, state: 1, product_type: 1, product_offer_type: 1, price: 200000, ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(product)), context), warnings };
}

function read(members: object, settings?: Record<string, string>): Listing & { warnings: string[] } {
  const outcome = result(members, settings);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return { ...outcome.listing, warnings: outcome.warnings };
}

describe('Netty product', () => {
  it.each<[object, string]>([
    [{ deleted: true }, 'deleted'],
    [{ archived: '1' }, 'archived'],
    [{ state: null }, 'the product has no state'],
    [{ state: 4 }, 'state is 4'],
  ])('is withdrawn when it has %j', (members, message) => {
    expect(result(members)).toMatchObject({ withdrawn: '1', message });
  });

  it('causes a warning when its state is unknown, unless the operator names the state', () => {
    expect(result({ state: 4 }).warnings).toEqual(['unknown_word state 4']);
    expect(read({ state: 4 }, { states: '1, 4' }).warnings).toEqual([]);
  });
});

describe('Netty amount', () => {
  it('is a price for a sale', () => {
    expect(read({})).toMatchObject({ typeTransaction: 'vente', prix: 200000 });
    expect(read({ price: 0 })).toMatchObject({ typeTransaction: 'vente', prixSurDemande: true });
  });

  it.each([1, 2])('of the ambiguous offer type %d is absent, and not on request', (product_offer_type) => {
    const listing = read({ product_offer_type, price: '235.000' }, { 'offres-location': '2' });
    expect(listing).not.toHaveProperty('prix');
    expect(listing).not.toHaveProperty('loyer');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(listing.warnings).toEqual(['implausible_value price 235.000']);
  });

  it('is absent, with a warning, when there is no offer type', () => {
    const listing = read({ product_offer_type: null });
    expect(listing).not.toHaveProperty('prix');
    expect(listing.warnings).toEqual(['implausible_value price 200000 without product_offer_type']);
  });

  it('is neither a price nor a rent for an unknown offer type', () => {
    const listing = read({ product_offer_type: 2, price: 750 });
    expect(listing).toMatchObject({ typeTransaction: 'autre', prixSurDemande: true });
    expect(listing).not.toHaveProperty('prix');
    expect(listing.warnings).toEqual(['unknown_word product_offer_type 2']);
  });

  it('is a rent for an offer type that the operator calls a rental', () => {
    const listing = read({ product_offer_type: 2, price: 750 }, { 'offres-location': '2;3' });
    expect(listing).toMatchObject({ typeTransaction: 'location', loyer: 750, warnings: [] });
  });
});

describe('Netty address and position', () => {
  const PLACE = { address: '3 rue cachée', latitude: 43.51234, longitude: 7.12345 };

  it('are hidden unless the operator shows them', () => {
    const { listing, raw } = result(PLACE) as Extract<RecordResult, { listing: Listing }>;
    expect(JSON.stringify([listing, raw])).not.toMatch(/cachée|43\.|7\.12/);
  });

  it('are shown when the operator allows it', () => {
    const shown = { adresse: '3 rue cachée', latitude: 43.51234, longitude: 7.12345 };
    expect(read(PLACE, { 'publier-adresse': 'oui' })).toMatchObject(shown);
  });
});

describe('Netty images', () => {
  const urls = (images: unknown): string[] => read({ images_public: images }).photos.map(({ url }) => url);
  const [one, two] = ['https://p.example/1.jpg', 'https://p.example/2.jpg'];

  it.each<[string, unknown, string[]]>([
    ['a list of URLs', [one, two], [one, two]],
    ['a list of objects', [{ url: one }, { src: two }], [one, two]],
    ['an object with numbered members', { '0': { public_url: one }, '1': two }, [one, two]],
    ['one object', { url: one }, [one]],
    ['one URL', one, [one]],
    ['a missing value', null, []],
  ])('are read from %s', (_title, images, expected) => {
    expect(urls(images)).toEqual(expected);
  });
});

it('Netty connector builds a title for a product without a title', () => {
  expect(read({ rooms: 3, city: 'Nice' }).intitule).toBe('Appartement 3 pièces à Nice');
});

it('Netty connector accepts an agent that is only a number', () => {
  expect(read({ linked_user_id: 7 })).not.toHaveProperty('negoNom');
});
