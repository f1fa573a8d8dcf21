import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { type FeedSurroundings, readRecord } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

/** Maps one property. */
function read(
  inside: string,
  surroundings?: FeedSurroundings,
): { listing: Listing; revision?: string; warnings: string[] } {
  const { context, warnings } = recordingContext('kyero', surroundings);
  const result = readRecord(connector, Buffer.from(`<property><id>1</id>${inside}</property>`), context);
  if (!('listing' in result)) throw new Error(JSON.stringify(result));
  return { ...result, warnings };
}

describe('Kyero price and price_freq', () => {
  it.each<[string, string, Partial<Listing>]>([
    ['a sale', '<price>250000</price><price_freq>sale</price_freq>', { typeTransaction: 'vente', prix: 250000 }],
    ['a month’s rent', '<price>900</price><price_freq>month</price_freq>', { typeTransaction: 'location', loyer: 900 }],
    [
      'a week’s rent (2.1)',
      '<price>300</price><price_freq>week</price_freq>',
      { typeTransaction: 'location', loyer: 1300, loyerPeriode: 'semaine' },
    ],
    [
      'a new building (2.1)',
      '<price>300000</price><price_freq>new_build</price_freq>',
      { typeTransaction: 'vente', prix: 300000, neuf: true },
    ],
    [
      'rent, which is not in the specification',
      '<price>900</price><price_freq>rent</price_freq>',
      { typeTransaction: 'location', loyer: 900 },
    ],
    [
      'a rental without a period, which is not on request either',
      '<price>900</price><price_freq>rental</price_freq>',
      { typeTransaction: 'location' },
    ],
    [
      'a price of "x"',
      '<price>x</price><price_freq>sale</price_freq>',
      { typeTransaction: 'vente', prixSurDemande: true },
    ],
    [
      'a price of zero',
      '<price>0</price><price_freq>month</price_freq>',
      { typeTransaction: 'location', prixSurDemande: true },
    ],
    ['no price', '<price_freq>sale</price_freq>', { typeTransaction: 'vente', prixSurDemande: true }],
    [
      'thousands with commas',
      '<price>1,250,000</price><price_freq>sale</price_freq>',
      { typeTransaction: 'vente', prix: 1250000 },
    ],
    [
      'an ambiguous point before three digits',
      '<price>250.000</price><price_freq>sale</price_freq>',
      { typeTransaction: 'vente' },
    ],
  ])('are read together: %s', (_title, xml, expected) => {
    const { typeTransaction, prix, loyer, loyerPeriode, prixSurDemande, neuf } = read(xml).listing;
    const nothing = {
      prix: undefined,
      loyer: undefined,
      loyerPeriode: undefined,
      prixSurDemande: undefined,
      neuf: undefined,
    };
    expect({ typeTransaction, prix, loyer, loyerPeriode, prixSurDemande, neuf }).toEqual({ ...nothing, ...expected });
  });
});

describe('Kyero type', () => {
  it.each([
    ['villa', 'maison'],
    [' Villa ', 'maison'],
    ['town_house', 'maison'],
    ['Town House', 'maison'],
    ['country_house', 'maison'],
    ['bungalow', 'maison'],
    ['finca', 'maison'],
    ['apartment', 'appartement'],
    ['flat', 'appartement'],
    ['penthouse', 'appartement'],
    ['duplex', 'appartement'],
    ['studio', 'appartement'],
    ['plot', 'terrain'],
    ['land', 'terrain'],
    ['commercial', 'local'],
    ['hotel', 'local'],
    ['garage', 'parking'],
    ['building', 'immeuble'],
    ['igloo', 'autre'],
  ])('is read from %j as %j', (word, typeCode) => {
    expect(read(`<type>${word}</type>`).listing).toMatchObject({ typeCode, typeCodeSource: word.trim() });
  });

  it('has one word per language in version 2.1', () => {
    expect(read('<type><de>haus</de><es>casa</es></type>').listing).toMatchObject({
      typeCode: 'maison',
      typeCodeSource: 'casa',
    });
  });
});

describe('Kyero texts', () => {
  it.each([
    ['French first', '<desc><en>b</en><fr>a</fr></desc>', 'a'],
    ['English when there is no French', '<desc><es>c</es><en>b</en></desc>', 'b'],
    ['Spanish when there is neither French nor English', '<desc><de>d</de><es>c</es></desc>', 'c'],
    ['the first available language', '<desc><nl>e</nl><de>d</de></desc>', 'e'],
    ['the first non-empty text of a repeated language', '<desc><fr/><fr>a</fr></desc>', 'a'],
    [
      'a text without its markup',
      '<desc><fr><![CDATA[ <p>Un &eacute;t&eacute;</p><script>x</script> ]]></fr></desc>',
      'Un été',
    ],
    ['line breaks as LF', '<desc><fr>Un&#13;&#10;Deux</fr></desc>', 'Un\nDeux'],
    ['no text when all are missing', '<desc/>', undefined],
  ])('are chosen and cleaned: %s', (_title, xml, expected) => {
    expect(read(xml).listing.commentaires).toBe(expected);
  });

  it('include a built title, because the format has no title', () => {
    expect(read('<type>villa</type><town>almunecar</town><beds>3</beds>').listing.intitule).toBe(
      'Villa en Almunecar, 3 dormitorios',
    );
    expect(read('<type>studio</type><beds>0</beds>').listing.intitule).toBe('Estudio');
    expect(read('').listing.intitule).toBeUndefined();
  });
});

describe('Kyero images', () => {
  it('are ordered by their numbers, ten after nine, without plans and duplicates', () => {
    const image = (id: number, name: string, more = ''): string =>
      `<image id="${id}"><url>https://x.example/${name}.jpg</url>${more}</image>`;
    const xml = `<images>${image(10, 'ten')}${image(9, 'nine')}${image(1, 'plan', '<tags><tag>floorplan</tag></tags>')}${image(11, 'nine')}</images>`;
    expect(read(xml).listing.photos.map((photo) => photo.url)).toEqual([
      'https://x.example/nine.jpg',
      'https://x.example/ten.jpg',
    ]);
  });

  it('may be one or none', () => {
    expect(
      read('<images><image id="1"><url>https://x.example/1.jpg</url></image></images>').listing.photos,
    ).toHaveLength(1);
    expect(read('<images/>').listing.photos).toEqual([]);
  });
});

it('Kyero connector keeps the texts of all languages, and the page of the preferred language', () => {
  const several =
    '<title><en>House</en><fr>Maison</fr></title><desc><en>Nice</en><nl>Mooi</nl></desc>' +
    '<url><en>https://a.example/en</en><fr>https://a.example/fr</fr></url>';
  expect(read(several).listing).toMatchObject({
    ...{ intitule: 'House', commentaires: 'Nice', langue: 'en' },
    textes: { fr: { intitule: 'Maison' }, nl: { commentaires: 'Mooi' } },
    url: 'https://a.example/fr',
  });
  expect(read('<url><sv>https://a.example/sv</sv></url>').listing.url).toBe('https://a.example/sv');
  expect(read('<url>https://a.example/1</url>').listing.url).toBe('https://a.example/1');
});

it('Kyero connector omits bedrooms and baths without a plain number, and warns about each', () => {
  const { listing, warnings } = read('<beds>3+1</beds><baths>2 baths</baths>');
  expect([listing.nbreChambres, listing.nbreSallesDeBain]).toEqual([undefined, undefined]);
  expect(warnings).toEqual(['implausible_value beds 3+1', 'implausible_value baths 2 baths']);
});

describe('a zero or an empty element in a Kyero record', () => {
  it('means unknown for bedrooms, baths, pool, areas, coordinates and energy', () => {
    const xml =
      '<beds>0</beds><baths>0</baths><pool/><surface_area><built>0</built><plot/></surface_area>' +
      '<location><latitude>0</latitude><longitude>0</longitude></location><energy_rating><consumption>X</consumption></energy_rating>';
    expect(read(xml).listing).toEqual({
      affId: '1',
      passerelleName: 'kyero',
      prixSurDemande: true,
      prixCurrency: 'EUR',
      pays: 'ES',
      photos: [],
    });
  });

  it('means unknown, not no, for a pool', () => {
    expect(read('<pool>0</pool>').listing.piscine).toBeUndefined();
    expect(read('<pool>1</pool>').listing.piscine).toBe(true);
  });
});

it('Kyero connector finds the agency before the properties, and uses its e-mail when a property has none', () => {
  const feed = { agent: { name: 'Costa', email: 'info@costa.example', tel: '+34 910' } };
  expect(read('', { feed }).listing).toMatchObject({
    agenceNom: 'Costa',
    agenceTel: '+34 910',
    negoEmail: 'info@costa.example',
  });
  expect(read('<email>a@costa.example</email>', { feed }).listing.negoEmail).toBe('a@costa.example');
  expect(read('', { settings: { 'agence-nom': 'Autre' } }).listing.agenceNom).toBe('Autre');
});

it('Kyero connector recognises a country in any language, and uses Spain when there is no country', () => {
  expect(read('<country>Francia</country><postcode>6400</postcode>').listing).toMatchObject({
    pays: 'FR',
    codePostal: '06400',
  });
  expect(read('<postcode>4600</postcode>').listing).toMatchObject({ pays: 'ES', codePostal: '04600' });
  expect(read('', { settings: { pays: 'PT' } }).listing.pays).toBe('PT');
  expect(read('<country>Atlantis</country>').warnings).toEqual(['unknown_word country Atlantis']);
  expect(read('<country>Atlantis</country>').listing.pays).toBeUndefined();
});

it('Kyero connector compares the dates of two records with one id across time zones', () => {
  const first = read('<date>2024-03-01 10:30:00</date>').revision ?? '';
  const second = read('<date>2024-03-01T10:45:00+01:00</date>').revision ?? '';
  expect(second < first).toBe(true);
});

it('Kyero connector rejects a record that has a reference but no id', () => {
  const { context } = recordingContext('kyero');
  expect(readRecord(connector, Buffer.from('<property><ref>R</ref></property>'), context)).toEqual({
    rejected: 'missing_id',
    field: 'id',
  });
});
