import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { type FeedSurroundings, readRecord } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector, holdsAnnonces, named } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Cells = Record<number, string>;

/** Maps one row with the given `cells`, by rank. */
function read(
  cells: Cells,
  surroundings?: FeedSurroundings,
): { listing: Listing; raw: Record<string, unknown>; warnings: string[] } {
  const all: Cells = { 1: 'AG', 2: 'R1', 3: 'vente', 4: 'Appartement', 175: 'T1', ...cells };
  const line = Array.from({ length: 334 }, (_, index) => `"${all[index + 1] ?? ''}"`).join('!#');
  const { context, warnings } = recordingContext('poliris', surroundings);
  const result = readRecord(connector, Buffer.from(line), context);
  if (!('listing' in result)) throw new Error(JSON.stringify(result));
  return { ...result, warnings };
}

describe('identifier of a Poliris listing', () => {
  it.each<[string, Cells, string]>([
    ['the agency and the technical identifier', {}, 'AG-T1'],
    ['the same for an agency with blanks and in another case', { 1: ' ag ' }, 'AG-T1'],
    ['the agency and the reference when there is no technical identifier', { 175: ' ' }, 'AG-R1'],
    ['only the technical identifier when there is no agency', { 1: '' }, 'T1'],
  ])('is %s', (_title, cells, affId) => {
    expect(read(cells).listing.affId).toBe(affId);
  });

  it('differs for two agencies with the same technical identifier', () => {
    expect(read({ 1: 'AG1' }).listing.affId).not.toBe(read({ 1: 'AG2' }).listing.affId);
  });

  it('keeps the zeros of a reference', () => {
    expect(read({ 2: '00012' }).listing.affNum).toBe('00012');
  });
});

describe('ranks 3 and 4 of a Poliris row', () => {
  it.each([
    ['VENTE', 'vente'],
    [' Location ', 'location'],
    ['vente-de-prestige', 'vente'],
    ['location vacances', 'location-saisonniere'],
    ['viager', 'viager'],
    ['vente-fonds-de-commerce', 'fonds-de-commerce'],
    ['cession de bail', 'cession-de-bail'],
    ["produit d'investissement", 'investissement'],
    ['produit catalogue', 'vente'],
    ['Location meublée', 'location'],
    ['Viager occupé', 'viager'],
  ])('with %j give the transaction %j', (word, typeTransaction) => {
    const { listing, warnings } = read({ 3: word, 11: '200000' });
    expect([listing.typeTransaction, listing.typeTransactionSource, warnings]).toEqual([
      typeTransaction,
      word.trim(),
      [],
    ]);
  });

  it.each([
    ['Appartement', 'appartement'],
    ['bâtiment', 'autre'],
    ['boutique', 'boutique'],
    ['bureaux', 'bureau'],
    ['château', 'chateau'],
    ['inconnu', 'autre'],
    ['Hôtel Particulier', 'hotel-particulier'],
    ['immeuble', 'immeuble'],
    ['local', 'local'],
    ['loft/atelier/surface', 'loft'],
    ['maison/villa', 'maison'],
    ['Maison', 'maison'],
    ['parking/box', 'parking'],
    ['entreprises', 'fonds'],
    ['terrain', 'terrain'],
    ['maison avec terrain', 'maison'],
    ['modèle de maison', 'autre'],
    ['Studio', 'appartement'],
    ['garage', 'parking'],
  ])('with %j give the type %j', (word, typeCode) => {
    const { listing, warnings } = read({ 4: word });
    expect([listing.typeCode, listing.typeCodeSource, warnings]).toEqual([typeCode, word, []]);
  });

  it('give "autre" and a warning when their words are unknown', () => {
    const { listing, warnings } = read({ 3: 'troc', 4: 'Programme X' });
    expect(listing).toMatchObject({
      typeTransaction: 'autre',
      typeTransactionSource: 'troc',
      typeCode: 'autre',
      typeCodeSource: 'Programme X',
    });
    expect(warnings).toEqual(expect.arrayContaining(['unknown_word 3 troc', 'unknown_word 4 Programme X']));
  });
});

describe('rank 11 of a Poliris row', () => {
  it.each<[string, Cells, Partial<Listing>]>([
    ['is a price for a sale', { 11: '349000' }, { prix: 349000 }],
    ['is a rent for a rental', { 3: 'location', 11: '1 450,50' }, { loyer: 1450.5 }],
    ['is a rent for a holiday rental', { 3: 'location vacances', 11: '800' }, { loyer: 800 }],
    ['is a price for the transfer of a lease', { 3: 'cession de bail', 11: '30000' }, { prix: 30000 }],
    ['of zero is on request', { 11: '0' }, { prixSurDemande: true }],
    ['that is empty is on request', { 11: '' }, { prixSurDemande: true }],
    ['of words only is on request', { 11: 'nous consulter' }, { prixSurDemande: true }],
    ['is hidden by rank 201', { 11: '349000', 201: 'OUI' }, { prixSurDemande: true }],
    ['of a rental is hidden by rank 201', { 3: 'location', 11: '900', 201: 'O' }, { prixSurDemande: true }],
    [
      'that is empty for a holiday rental is replaced by the weekly rent of the low season',
      { 3: 'location vacances', 49: '300', 52: '900' },
      { loyer: 1300, loyerPeriode: 'semaine' },
    ],
    [
      'that is empty for a holiday rental is replaced by the monthly rent of the low season',
      { 3: 'location vacances', 49: '300', 51: '1100' },
      { loyer: 1100 },
    ],
    [
      'that is empty for a rental is replaced by the yearly rent',
      { 3: 'location', 202: '24000' },
      { loyer: 2000, loyerPeriode: 'an' },
    ],
  ])('%s', (_title, cells, expected) => {
    const { prix, loyer, loyerPeriode, prixSurDemande } = read(cells).listing;
    expect({ prix, loyer, loyerPeriode, prixSurDemande }).toEqual({
      prix: undefined,
      loyer: undefined,
      loyerPeriode: undefined,
      prixSurDemande: undefined,
      ...expected,
    });
  });

  it('causes a warning, and gives no price, when its amount is ambiguous', () => {
    const { listing, warnings } = read({ 11: '349.000' });
    expect([listing.prix, listing.prixSurDemande]).toEqual([undefined, undefined]);
    expect(warnings).toEqual(['implausible_value 11 349.000']);
  });
});

describe('rank 12 of a Poliris row', () => {
  it.each<[string, Cells, Partial<Listing>]>([
    [
      'is the rent beside the price of a business',
      { 3: 'fonds de commerce', 11: '90000' },
      { prix: 90000, loyer: 1350 },
    ],
    ['is a rent beside a price on request', { 3: 'fonds de commerce' }, { prixSurDemande: true, loyer: 1350 }],
    ['is hidden by rank 201', { 3: 'fonds de commerce', 11: '90000', 201: 'OUI' }, { prixSurDemande: true }],
  ])('%s', (_title, cells, expected) => {
    const { prix, loyer, prixSurDemande } = read({ 12: '1350', ...cells }).listing;
    const none = { prix: undefined, loyer: undefined, prixSurDemande: undefined };
    expect({ prix, loyer, prixSurDemande }).toEqual({ ...none, ...expected });
  });
});

describe('Poliris fees', () => {
  it.each<[string, Cells, Partial<Listing>]>([
    ['of a sale are a share', { 15: '4.50' }, { honoraires: 4.5, honorairesUnite: 'pourcentage' }],
    ['of a rental are an amount', { 3: 'location', 15: '750' }, { honoraires: 750, honorairesUnite: 'montant' }],
    [
      'of a sale that are too large for a share are an amount',
      { 15: '12000' },
      { honoraires: 12000, honorairesUnite: 'montant' },
    ],
    ['are paid by the buyer', { 302: '1' }, { honorairesCharge: 'acquereur' }],
    ['are paid by the seller', { 302: '2' }, { honorairesCharge: 'vendeur' }],
    ['are paid by both', { 302: '3' }, { honorairesCharge: 'acquereur-et-vendeur' }],
  ])('%s', (_title, cells, expected) => {
    expect(read(cells).listing).toMatchObject(expected);
  });
});

it('Poliris connector reads bouquet and rente of a life annuity', () => {
  expect(read({ 3: 'viager', 11: '180000', 185: '60000', 186: '850.25' }).listing).toMatchObject({
    prix: 180000,
    bouquet: 60000,
    rente: 850.25,
  });
});

it('Poliris connector reads the area of a plot as its land area, not as a living area', () => {
  expect(read({ 4: 'terrain', 16: '800' }).listing).toMatchObject({ surfaceTerrain: 800 });
  expect(read({ 4: 'terrain', 16: '800' }).listing.surfaceHabitable).toBeUndefined();
  expect(read({ 4: 'maison', 16: '92', 17: '410' }).listing).toMatchObject({
    surfaceHabitable: 92,
    surfaceTerrain: 410,
  });
});

describe('Poliris locations', () => {
  it.each<[string, Cells, string | undefined, string | undefined]>([
    ['a French postcode gets its leading zero back', { 5: '6400', 7: 'France' }, '06400', 'FR'],
    ['a row without a country is in France', { 5: '6400' }, '06400', 'FR'],
    ['a Belgian postcode stays unchanged', { 5: '1000', 7: 'Belgique' }, '1000', 'BE'],
    ['a Swiss postcode stays unchanged', { 5: '1204', 7: 'SUISSE' }, '1204', 'CH'],
    ['a German postcode keeps its leading zero', { 5: '01067', 7: 'Allemagne' }, '01067', 'DE'],
  ])('have the right postcode and country: %s', (_title, cells, codePostal, pays) => {
    const { listing } = read(cells);
    expect([listing.codePostal, listing.pays]).toEqual([codePostal, pays]);
  });

  it('show the address and the position only if the operator allows it', () => {
    const cells = { 8: '1 rue X', 298: '43.5', 299: '7.1', 300: '1' };
    const shown = read(cells, { settings: { 'publier-adresse': 'oui' } });
    expect(shown.listing).toMatchObject({ adresse: '1 rue X', latitude: 43.5, longitude: 7.1 });
    expect(shown.raw).toMatchObject(cells);
    for (const hidden of [read(cells), read(cells, { settings: { 'publier-adresse': 'non' } })]) {
      for (const field of ['adresse', 'latitude', 'longitude']) expect(hidden.listing).not.toHaveProperty(field);
      for (const rank of Object.keys(cells)) expect(hidden.raw).not.toHaveProperty(rank);
    }
  });

  it('show only the position, with two decimals, if the operator allows the district', () => {
    const cells = { 8: '1 rue X', 298: '43.512345', 299: '7.198765', 300: '1' };
    const { listing, raw } = read(cells, { settings: { 'publier-adresse': 'Quartier' } });
    expect([listing.adresse, listing.latitude, listing.longitude]).toEqual([undefined, 43.51, 7.2]);
    for (const rank of Object.keys(cells)) expect(raw).not.toHaveProperty(rank);
  });

  it('ignore the position 0;0', () => {
    expect(read({ 298: '0', 299: '0' }, { settings: { 'publier-adresse': 'oui' } }).listing.latitude).toBeUndefined();
  });
});

describe('Poliris photos', () => {
  it.each([
    ['Plan', true],
    ['PLANS 1', true],
    ["Plan du 1er étage de l'appartement", true],
    ['Plan R+1', true],
    ['Plan 2D RDC', true],
    ["Plan d'eau", false],
    ['Plan de travail', false],
    ['Cuisine avec plan', false],
    ['', false],
  ])('with the title %j are floor plans: %s', (title, isPlan) => {
    const { photos, plans } = read({ 85: 'https://x.example/1.jpg', 94: title }).listing;
    expect([photos.length, plans?.length ?? 0]).toEqual(isPlan ? [0, 1] : [1, 0]);
  });

  it('are in rank order with their titles: 1 to 9, 10 to 20, 21 to 30', () => {
    const url = (n: number): string => `https://x.example/${n}.jpg`;
    const cells: Cells = { 85: url(1), 93: url(9), 164: url(10), 174: url(20), 264: url(21), 273: url(30) };
    Object.assign(cells, { 94: 't1', 102: 't9', 274: 't10', 284: 't20', 285: 't21', 294: 't30' });
    expect(read(cells).listing.photos.map((photo) => [photo.url, photo.legende])).toEqual(
      [1, 9, 10, 20, 21, 30].map((n) => [url(n), `t${n}`]),
    );
  });

  it('may be URLs and files of the archive in the same row', () => {
    const { listing, warnings } = read({ 85: 'https://x.example/1.jpg', 86: 'IMG2.JPG' });
    expect([listing.photos.length, warnings]).toEqual([1, ['photo_missing 85 IMG2.JPG']]);
  });
});

describe('Poliris currency', () => {
  it.each<[string, FeedSurroundings, string]>([
    ['from Config.txt', { feed: { config: 'Version=4.12\r\nDevise = Franc suisse\r\n' } }, 'CHF'],
    [
      'the euro from Config.txt, ahead of the settings',
      { feed: { config: 'Devise=Euro' }, settings: { devise: 'CHF' } },
      'EUR',
    ],
    ['from the settings', { settings: { devise: 'CHF' } }, 'CHF'],
    ['the euro when neither the archive nor the settings name a currency', {}, 'EUR'],
  ])('comes from the first source that names one: %s', (_title, surroundings, currency) => {
    expect(read({}, surroundings).listing.prixCurrency).toBe(currency);
  });
});

it('Poliris connector reads dates with the day first, and omits placeholder dates', () => {
  expect(read({ 22: '05/06/2024' }).listing.disponibilite).toBe('2024-06-05');
  expect(read({ 22: '00/00/0000' }).listing.disponibilite).toBeUndefined();
  expect(read({ 328: '2021' }).listing.dpeAnneeReference).toBe('2021');
  expect(read({ 328: '01/01/2021' }).listing.dpeAnneeReference).toBe('2021-01-01');
});

it('Poliris connector omits the owner, the true address and private comments', () => {
  const cells = Object.fromEntries(
    [108, 109, 110, 111, 114, 115, 116, 117, 118, 119, 120, 121, 122, 136, 148, 160, 263].map((rank) => [
      rank,
      'PRIVATE',
    ]),
  );
  const { listing, raw, warnings } = read(cells);
  expect(JSON.stringify([listing, raw, warnings])).not.toContain('PRIVATE');
});

describe('Poliris archive', () => {
  it.each([
    ['annonces.csv', ['annonces.csv', 'config.txt'], true],
    ['export/annonces.csv', ['export/annonces.csv'], true],
    ['export/demo_annonces.csv', ['export/demo_annonces.csv'], true],
    ['listings.csv', ['listings.csv', 'photos.cfg'], true],
    ['listings.csv', ['listings.csv', 'annonces.csv'], false],
    ['a.csv', ['a.csv', 'b.csv'], true],
    ['b.csv', ['a.csv', 'b.csv'], true],
    ['photos.csv', ['a.csv', 'photos.csv'], false],
    ['photos.csv', ['photos.csv'], true],
    ['__macosx/._annonces.csv', ['__macosx/._annonces.csv', 'annonces.csv'], false],
    ['config.txt', ['config.txt'], false],
  ])('with the file %s among %j reads listings from this file: %s', (name, names, expected) => {
    expect(holdsAnnonces(name, names)).toBe(expected);
  });

  it('may have its settings in any folder', () => {
    expect(named('config.txt')('export/config.txt')).toBe(true);
    expect(named('config.txt')('export/myconfig.txt')).toBe(false);
    expect(named('config.txt')('__macosx/._config.txt')).toBe(false);
  });
});
