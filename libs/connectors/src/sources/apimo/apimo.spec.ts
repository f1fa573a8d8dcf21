import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import {
  type FeedSurroundings,
  type RecordResult,
  readRecord,
} from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function result(members: object, surroundings?: FeedSurroundings): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('apimo', surroundings);
  const property = { id: 1, agency: 7, step: 1, status: 1, category: 1, type: 1, ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(property)), context), warnings };
}

function read(members: object, surroundings?: FeedSurroundings): Listing {
  const read = result(members, surroundings);
  if (!('listing' in read)) throw new Error(JSON.stringify(read));
  return read.listing;
}

describe('Apimo mapping', () => {
  it.each([
    [1, 'vente'],
    [2, 'location'],
    [3, 'location-saisonniere'],
    [4, 'programme'],
    [5, 'viager'],
    [6, 'enchere'],
    ['2', 'location'],
    [9, 'autre'],
  ])('reads category %j as %j', (category, typeTransaction) => {
    expect(read({ category })).toMatchObject({ typeTransaction, typeTransactionSource: String(category) });
  });

  it.each([
    [1, 5, 'appartement'],
    [1, 12, 'loft'],
    [2, 18, 'maison'],
    [2, 7, 'chateau'],
    [2, 37, 'hotel-particulier'],
    [3, 46, 'terrain'],
    [4, 8, 'local'],
    [4, 34, 'fonds'],
    [4, 62, 'boutique'],
    [5, 43, 'parking'],
    [6, 24, 'immeuble'],
    [7, 36, 'bureau'],
    [8, 51, 'autre'],
    [9, 41, 'local'],
    [10, 40, 'parking'],
    [77, 5, 'autre'],
  ])('reads type %j with subtype %j as %j', (type, subtype, typeCode) => {
    expect(read({ type, subtype })).toMatchObject({ typeCode, typeCodeSource: String(type) });
  });

  it('omits areas, energy values and charges without a readable number, and warns about each', () => {
    const { warnings, ...got } = result({
      country: 'FR',
      areas: [{ type: 51, number: 1, area: '1.250' }],
      regulations: [
        { type: 1, value: 'abc12', date: '2023-31-31' },
        { type: 122, value: '20-21' },
        { type: 2, value: 'C' },
      ],
      price: { value: 100000, commission: '12/03/23' },
      residence: { fees: '1.250' },
    });
    const { surfaceTerrain, dpeValeur, honoraires, coproCharges, gesClasse } = (got as { listing: Listing }).listing;
    expect([surfaceTerrain, dpeValeur, honoraires, coproCharges]).toEqual([undefined, undefined, undefined, undefined]);
    expect(gesClasse).toBe('C');
    expect(warnings).toEqual([
      'implausible_value residence.fees 1.250',
      'implausible_value price.commission 12/03/23',
      'implausible_value areas.area 1.250',
      'implausible_value regulations.date 2023-31-31',
      'implausible_value regulations.value 20-21',
      'implausible_value regulations.value abc12',
    ]);
  });

  it('distinguishes the sale of a business or of a lease from the sale of premises', () => {
    expect(read({ type: 4, subtype: 34 }).typeTransaction).toBe('fonds-de-commerce');
    expect(read({ type: 4, subtype: 35 }).typeTransaction).toBe('cession-de-bail');
    expect(read({ category: 2, type: 4, subtype: 34 }).typeTransaction).toBe('location');
  });

  it('accepts a boat, and warns about unknown numbers of category and type', () => {
    expect(result({ type: 8 }).warnings).toEqual([]);
    expect(result({ type: 77, category: 9 }).warnings).toEqual(['unknown_word category 9', 'unknown_word type 77']);
  });
});

describe('Apimo price', () => {
  it.each<[string, object, Partial<Listing>]>([
    ['as a number', { price: { value: 349000 } }, { prix: 349000 }],
    ['as text', { price: { value: '349000' } }, { prix: 349000 }],
    ['as on request when it is hidden', { price: { value: 349000, hide: true } }, { prixSurDemande: true }],
    ['as on request when it is zero', { price: { value: 0 } }, { prixSurDemande: true }],
    ['as absent when it is negative', { price: { value: -5 } }, {}],
    ['as on request when it is only words', { price: { value: 'sur demande' } }, { prixSurDemande: true }],
    ['as on request when it is missing', {}, { prixSurDemande: true }],
    ['as a monthly rent when a rental has no period', { category: 2, price: { value: 750 } }, { loyer: 750 }],
    ['as a rent per month', { category: 2, price: { value: 750, period: 4 } }, { loyer: 750 }],
    ['as a rent per day', { category: 3, price: { value: 100, period: 1 } }, { loyer: 3041.67, loyerPeriode: 'jour' }],
    ['as a rent per week', { category: 3, price: { value: 300, period: 2 } }, { loyer: 1300, loyerPeriode: 'semaine' }],
    [
      'as a rent per fortnight',
      { category: 3, price: { value: 600, period: 3 } },
      { loyer: 1300, loyerPeriode: 'quinzaine' },
    ],
    [
      'as a rent per quarter',
      { category: 2, price: { value: 3000, period: 5 } },
      { loyer: 1000, loyerPeriode: 'trimestre' },
    ],
    [
      'as a rent per half-year',
      { category: 2, price: { value: 6000, period: 7 } },
      { loyer: 1000, loyerPeriode: 'semestre' },
    ],
    ['as a rent per year', { category: 2, price: { value: 12000, period: '8' } }, { loyer: 1000, loyerPeriode: 'an' }],
    [
      'as on request when its period has two meanings',
      { category: 2, price: { value: 500, period: 6 } },
      { prixSurDemande: true },
    ],
  ])('is read: %s', (_title, members, expected) => {
    const { prix, loyer, loyerPeriode, prixSurDemande } = read(members);
    expect({ prix, loyer, loyerPeriode, prixSurDemande }).toEqual({
      prix: undefined,
      loyer: undefined,
      loyerPeriode: undefined,
      prixSurDemande: undefined,
      ...expected,
    });
  });

  it('is in euros unless the record names another currency', () => {
    expect(read({}).prixCurrency).toBe('EUR');
    expect(read({ price: { currency: 'CHF' } }).prixCurrency).toBe('CHF');
  });
});

describe('Apimo area', () => {
  it.each([
    [1, 52.12, 52.12],
    [2, 1200, 111.48],
    [6, 1, 4046.86],
    [7, 0.5, 5000],
    [null, '92,5', 92.5],
    [11, 3, undefined],
    [1, 0, undefined],
    [1, -4, undefined],
  ])('with unit %j and value %j is %j m²', (unit, value, m2) => {
    expect(read({ area: { unit, value } }).surfaceHabitable).toBe(m2);
  });

  it('is the land area of a plot, not its living area', () => {
    expect(read({ type: 3, area: { unit: 1, value: 800 } })).toMatchObject({ surfaceTerrain: 800 });
    expect(read({ type: 3, area: { unit: 1, value: 800 } }).surfaceHabitable).toBeUndefined();
  });
});

describe('Apimo property', () => {
  it.each([
    [{ step: 4 }, 'deleted'],
    [{ step: 3 }, 'closed'],
    [{ status: 40 }, 'marked to be deleted'],
    ...[30, 31, 32, 33, 34, 35, 39].map((status): [object, unknown] => [{ status }, expect.any(String)]),
  ])('is withdrawn when it has %j', (members, message) => {
    expect(result(members)).toMatchObject({ withdrawn: '1', message });
  });

  it.each([{ status: 22 }, { status: 24 }, { step: 2 }])('is shown when it has %j', (members) => {
    expect(read(members).affId).toBe('1');
  });
});

describe('Apimo address', () => {
  const place = { address: '12 rue X', address_more: null, lot_reference: '4' };

  it.each([false, null, 0, 'non'])('is hidden when publish_address is %j', (publish_address) => {
    const { listing, raw } = result({ ...place, publish_address }) as {
      listing: Listing;
      raw: Record<string, unknown>;
    };
    expect(listing.adresse).toBeUndefined();
    expect(JSON.stringify(raw)).not.toMatch(/12 rue X|lot_reference/);
  });

  it.each([true, 1, '1'])('is published when publish_address is %j', (publish_address) => {
    const { listing, raw } = result({ ...place, publish_address }) as {
      listing: Listing;
      raw: Record<string, unknown>;
    };
    expect([listing.adresse, raw['address'], raw['lot_reference']]).toEqual(['12 rue X', '12 rue X', '4']);
  });
});

describe('Apimo texts', () => {
  const comment = (language: string, title: string | null, text: string | null, full: string | null): object => ({
    language,
    title,
    comment: text,
    comment_full: full,
  });

  it.each<[string, object[], string | undefined, string | undefined]>([
    ['French first', [comment('en', 'E', 'e', null), comment('fr', 'F', 'f', '')], 'F', 'f'],
    ['the long comment when it contains a text', [comment('fr', 'F', 'court', 'très long')], 'F', 'très long'],
    ['the short comment when the long one is a stub', [comment('fr', 'F', 'court', '"')], 'F', 'court'],
    ['another language when French is empty', [comment('fr', '', null, ''), comment('en', 'E', 'e', null)], 'E', 'e'],
    ['the first available language', [comment('nl', 'N', 'n', null)], 'N', 'n'],
    [
      'the first available language, ahead of Spanish',
      [comment('de', 'D', 'd', null), comment('es', 'E', 'e', null)],
      'D',
      'd',
    ],
    ['a built title when there are no comments', [], 'Appartement', undefined],
  ])('are chosen in this way: %s', (_title, comments, intitule, commentaires) => {
    const listing = read({ comments });
    expect([listing.intitule, listing.commentaires]).toEqual([intitule, commentaires]);
  });

  it('use the name when there is no title', () => {
    expect(read({ comments: [], name: 'Villa Rose' }).intitule).toBe('Villa Rose');
  });

  it.each<[object, string | undefined]>([
    [{ subtype: 6, city: { name: 'Nice' } }, 'Studio à Nice'],
    [{ type: 2, subtype: 18, rooms: 5, bedrooms: 3, city: { name: 'Nice' } }, 'Maison 5 pièces à Nice'],
    [{ type: 77 }, undefined],
  ])('have a title built from %j when there is neither a title nor a name', (members, intitule) => {
    expect(read(members).intitule).toBe(intitule);
  });

  it('keep the other languages', () => {
    const comments = [
      comment('en', 'E', 'e', '<p>long e</p>'),
      comment('fr', 'F', 'f', null),
      comment('nl', '', 'n', ''),
    ];
    expect(read({ comments }).textes).toEqual({
      en: { intitule: 'E', commentaires: 'long e' },
      nl: { intitule: 'Appartement', commentaires: 'n' },
    });
  });

  it('are in another language when the operator prefers it', () => {
    const comments = [comment('fr', 'F', 'f', null), comment('de', 'D', 'd', null)];
    expect(read({ comments }, { settings: { langue: 'de' } }).intitule).toBe('D');
  });
});

it.each([
  [
    'the preferred language',
    [
      { language: 'en', comment: 'b' },
      { language: 'FR', comment: 'a' },
    ],
    'a',
  ],
  [
    'the next language when the preferred one is empty',
    [
      { language: 'fr', comment: '' },
      { language: 'en', comment: 'b' },
    ],
    'b',
  ],
  [
    'the first available language, ahead of Spanish',
    [
      { language: 'de', comment: 'd' },
      { language: 'es', comment: 'e' },
    ],
    'd',
  ],
])('Apimo connector chooses a caption in %s', (_title, comments, legende) => {
  expect(read({ pictures: [{ url: 'https://x.example/1.jpg', comments }] }).photos).toMatchObject([{ legende }]);
});

it('Apimo connector orders pictures by rank, and omits those that are not for the internet, in the raw record too', () => {
  const picture = (rank: number, internet: unknown): object => ({
    rank,
    url: `https://x.example/${rank}.jpg`,
    internet,
  });
  const { listing, raw } = result({ pictures: [picture(10, true), picture(9, null), picture(1, false)] }) as {
    listing: Listing;
    raw: Record<string, unknown>;
  };
  expect(listing.photos.map((photo) => photo.url)).toEqual(['https://x.example/9.jpg', 'https://x.example/10.jpg']);
  expect(JSON.stringify(raw)).not.toContain('/1.jpg');
});

it('Apimo connector accepts members that are null, missing or half-filled', () => {
  const nothing = {
    city: null,
    user: null,
    price: null,
    area: null,
    pictures: null,
    comments: null,
    services: null,
    regulations: null,
    residence: null,
    floor: null,
    agreement: null,
  };
  expect(read(nothing)).toEqual({
    affId: '1',
    passerelleName: 'apimo',
    intitule: 'Appartement',
    typeTransaction: 'vente',
    typeTransactionSource: '1',
    typeCode: 'appartement',
    typeCodeSource: '1',
    prixSurDemande: true,
    prixCurrency: 'EUR',
    photos: [],
  });
  expect(
    read({ user: { lastname: 'FICTIF' }, reference: 24368, city: { name: 'Nice', zipcode: 6100 }, country: 'FR' }),
  ).toMatchObject({
    negoNom: 'FICTIF',
    affNum: '24368',
    ville: 'Nice',
    codePostal: '06100',
  });
});

it('Apimo connector finds the agency by its id', () => {
  const feed = { agencies: { '7': { id: '7', name: 'Agence', phone: '+33 1' } } };
  expect(read({}, { feed })).toMatchObject({ agenceNom: 'Agence', agenceTel: '+33 1' });
  expect(read({ agency: 8 }, { feed, settings: { 'agence-nom': 'Autre' } }).agenceNom).toBe('Autre');
});

it('Apimo connector uses the time of the update as the revision of a record', () => {
  const { revision } = result({ updated_at: '2024-03-30 09:12:00' }) as { revision?: string };
  expect(revision).toBe('2024-03-30T09:12:00.000Z');
});

it('Apimo connector shows a listing with an unknown status or step, and warns about it', () => {
  expect(result({ status: 99, step: 7 })).toMatchObject({
    listing: { affId: '1' },
    warnings: ['unknown_word status 99', 'unknown_word step 7'],
  });
});

it.each([
  [1, undefined],
  [22, true],
  ['24', true],
  [25, true],
])('Apimo connector marks a property with status %j as under offer: %j', (status, sousOffre) => {
  expect(read({ status }).sousOffre).toBe(sousOffre);
});

it("Apimo connector declares the vendor's quota, which applies per provider", () => {
  const { quota } = connector;
  expect(quota).toMatchObject({ host: 'api.apimo.pro', requestsPerSecond: 10, requestsPerDay: 1000 });
  const account = (url: string, credentials: Record<string, string>): string | undefined =>
    quota?.account({ url, credentials, settings: {} });
  expect(account('https://api.apimo.pro', { provider: '12', token: 'secret' })).toBe('12');
  expect(account('https://12:secret@api.apimo.pro', {})).toBe('12');
  expect(account('https://api.apimo.pro', {})).toBeUndefined();
});
