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

describe('a product', () => {
  it.each<[object, string]>([
    [{ deleted: true }, 'deleted'],
    [{ archived: '1' }, 'archived'],
    [{ state: null }, 'the product has no state'],
    [{ state: 4 }, 'state is 4'],
  ])('with %j is withdrawn', (members, message) => {
    expect(result(members)).toMatchObject({ withdrawn: '1', message });
  });

  it('with an unknown state is noticed, unless the operator names the state', () => {
    expect(result({ state: 4 }).warnings).toEqual(['unknown_word state 4']);
    expect(read({ state: 4 }, { states: '1, 4' }).warnings).toEqual([]);
  });
});

describe('the amount', () => {
  it('of a sale is a price', () => {
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

  it('without an offer type is absent and noticed', () => {
    const listing = read({ product_offer_type: null });
    expect(listing).not.toHaveProperty('prix');
    expect(listing.warnings).toEqual(['implausible_value price 200000 without product_offer_type']);
  });

  it('of an unknown offer is neither a price nor a rent', () => {
    const listing = read({ product_offer_type: 2, price: 750 });
    expect(listing).toMatchObject({ typeTransaction: 'autre', prixSurDemande: true });
    expect(listing).not.toHaveProperty('prix');
    expect(listing.warnings).toEqual(['unknown_word product_offer_type 2']);
  });

  it('of an offer that the operator calls a rental is a rent', () => {
    const listing = read({ product_offer_type: 2, price: 750 }, { 'offres-location': '2;3' });
    expect(listing).toMatchObject({ typeTransaction: 'location', loyer: 750, warnings: [] });
  });
});

describe('the place', () => {
  const PLACE = { address: '3 rue cachée', latitude: 43.51234, longitude: 7.12345 };

  it('is hidden, unless the operator shows it', () => {
    const { listing, raw } = result(PLACE) as Extract<RecordResult, { listing: Listing }>;
    expect(JSON.stringify([listing, raw])).not.toMatch(/cachée|43\.|7\.12/);
  });

  it('is shown when the operator says so', () => {
    const shown = { adresse: '3 rue cachée', latitude: 43.51234, longitude: 7.12345 };
    expect(read(PLACE, { 'publier-adresse': 'oui' })).toMatchObject(shown);
  });
});

describe('images', () => {
  const urls = (images: unknown): string[] => read({ images_public: images }).photos.map(({ url }) => url);
  const [one, two] = ['https://p.example/1.jpg', 'https://p.example/2.jpg'];

  it.each<[string, unknown, string[]]>([
    ['a list of addresses', [one, two], [one, two]],
    ['a list of objects', [{ url: one }, { src: two }], [one, two]],
    ['objects under numbers', { '0': { public_url: one }, '1': two }, [one, two]],
    ['one object', { url: one }, [one]],
    ['one address', one, [one]],
    ['nothing', null, []],
  ])('are %s', (_title, images, expected) => {
    expect(urls(images)).toEqual(expected);
  });
});

it('a product without a title has a built title', () => {
  expect(read({ rooms: 3, city: 'Nice' }).intitule).toBe('Appartement 3 pièces à Nice');
});

it('the agent may be only a number', () => {
  expect(read({ linked_user_id: 7 })).not.toHaveProperty('negoNom');
});
