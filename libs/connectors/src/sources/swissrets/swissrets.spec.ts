import { join } from 'node:path';
import { BadFeed, type Listing } from '@passerelle/domain';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { type ReadFeed, readRecords } from '../../../../../test/support/connectors/read-records';
import { connector } from './connector';
import { CATEGORIES } from '../../formats/swissrets/lookups';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function read(property: string, settings: Readonly<Record<string, string>> = {}): Promise<ReadFeed> {
  const xml = `<?xml version="1.0" encoding="utf-8"?><export><properties>${property}</properties></export>`;
  return readRecords(connector, Buffer.from(xml), { settings });
}

const aProperty = (inner: string): string => `<property id="1"><referenceId>R1</referenceId>${inner}</property>`;

async function listingOf(inner: string, settings: Readonly<Record<string, string>> = {}): Promise<Listing> {
  const record = (await read(aProperty(inner), settings)).records[0];
  if (record === undefined || !('listing' in record)) throw new Error(JSON.stringify(record));
  return record.listing;
}

function characteristics(inner: string): string {
  return `<type>buy</type><characteristics>${inner}</characteristics>`;
}

it('SwissRETS connector omits ambiguous areas, rooms without a number and unreadable prices, and warns about each', async () => {
  const inner = '<areaBwf>1.250</areaBwf><areaPropertyLand>1.250</areaPropertyLand><numberOfRooms>3+1</numberOfRooms>';
  const { records, warnings } = await read(
    aProperty(`${characteristics(inner)}<prices><buy><price>12/03/23</price></buy></prices>`),
  );
  const { listing } = records[0] as { listing: Listing };
  for (const field of ['surfaceHabitable', 'surfaceTerrain', 'nbrePieces', 'prix', 'prixSurDemande'])
    expect(listing).not.toHaveProperty(field);
  expect(warnings).toEqual([
    'implausible_value prices.buy 12/03/23',
    'implausible_value characteristics.areaBwf 1.250',
    'implausible_value characteristics.numberOfRooms 3+1',
    'implausible_value characteristics.areaPropertyLand 1.250',
  ]);
});

describe('a SwissRETS price', () => {
  const rent = (inner: string, attributes = 'interval="month" referring="all"'): string =>
    `<type>rent</type><prices currency="CHF"><rent ${attributes}>${inner}</rent></prices>`;

  it.each([
    [
      'the gross rent',
      '<gross>2000</gross><net>1800</net><extra>200</extra>',
      { loyer: 2000, loyerBase: 1800, charges: 200 },
    ],
    [
      'the gross rent when its element is the last one',
      '<net>1800</net><extra>150</extra><gross>2000</gross>',
      { loyer: 2000, loyerBase: 1800, charges: 150 },
    ],
    ['the net rent plus charges', '<net>1800</net><extra>200</extra>', { loyer: 2000, loyerBase: 1800, charges: 200 }],
    ['the net rent when it is the only amount', '<net>1800</net>', { loyer: 1800, loyerBase: 1800 }],
    ['on request when there are only charges', '<extra>200</extra>', { prixSurDemande: true, charges: 200 }],
    ['on request when there is no amount', '', { prixSurDemande: true }],
    ['on request when the rent is zero', '<gross>0</gross>', { prixSurDemande: true }],
  ])('is %s', async (_title, inner, expected) => {
    const { prix, loyer, loyerBase, charges, prixSurDemande } = await listingOf(rent(inner));
    expect({ prix, loyer, loyerBase, charges, prixSurDemande }).toEqual({
      prix: undefined,
      loyer: undefined,
      loyerBase: undefined,
      charges: undefined,
      prixSurDemande: undefined,
      ...expected,
    });
  });

  it.each([
    ['day', 3041.67, 'jour'],
    ['week', 433.33, 'semaine'],
    ['month', 100, undefined],
    ['year', 8.33, 'an'],
  ])('per %s becomes a monthly rent', async (interval, loyer, loyerPeriode) => {
    const listing = await listingOf(rent('<gross>100</gross>', `interval="${interval}"`));
    expect([listing.loyer, listing.loyerPeriode]).toEqual([loyer, loyerPeriode]);
  });

  it('is monthly when it has no interval', async () => {
    expect(await listingOf(rent('<gross>100</gross>', ''))).toMatchObject({ loyer: 100 });
  });

  it.each([
    ['onetime', 'implausible_value prices.rent.@interval onetime'],
    ['decade', 'unknown_word prices.rent.@interval decade'],
  ])('per "%s" does not become a monthly rent, and causes a warning', async (interval, warning) => {
    const { records, warnings } = await read(aProperty(rent('<gross>100</gross>', `interval="${interval}"`)));
    expect(warnings).toEqual([warning]);
    expect(records).toMatchObject([{ listing: { typeTransaction: 'location' } }]);
    expect(JSON.stringify(records)).not.toMatch(/"(?:loyer|prixSurDemande)"/);
  });

  it.each([
    ['m2', '<price>5000</price>', '<areaBwf>80</areaBwf>', 400_000],
    ['km2', '<price>1000000</price>', '<areaPropertyLand>2000</areaPropertyLand>', 2000],
    ['all', '<price>5000</price>', '<areaBwf>80</areaBwf>', 5000],
  ])('per %s becomes the total price of the property', async (referring, price, area, prix) => {
    expect(
      await listingOf(`${characteristics(area)}<prices><buy referring="${referring}">${price}</buy></prices>`),
    ).toMatchObject({ prix });
  });

  it('per square metre of a plot is multiplied by the area of the land', async () => {
    const plot =
      '<categories><category>building-lot</category></categories><prices><buy referring="m2"><price>300</price></buy></prices>';
    expect(
      await listingOf(`${characteristics('<areaBwf>80</areaBwf><areaPropertyLand>1000</areaPropertyLand>')}${plot}`),
    ).toMatchObject({ prix: 300_000 });
  });

  it('per square metre is omitted, with a warning, when no area is known', async () => {
    const { records, warnings } = await read(
      aProperty('<type>buy</type><prices><buy referring="m2"><price>300</price></buy></prices>'),
    );
    expect(warnings).toEqual(['implausible_value prices.buy.@referring m2 without an area']);
    expect(JSON.stringify(records)).not.toMatch(/"(?:prix|prixSurDemande)"/);
  });

  it.each([
    ['a monthly rent', '<rent interval="month" referring="m2"><gross>1450</gross></rent>', 'rent 1450'],
    ['a yearly rent', '<rent interval="year" referring="m2"><gross>17400</gross></rent>', 'rent 17400'],
    ['a net rent', '<rent referring="m2"><net>1300</net></rent>', 'rent 1300'],
    ['a price', '<buy referring="m2"><price>650000</price></buy>', 'buy 650000'],
  ])(
    'is omitted, with a warning, when the feed marks a total as a price per square metre: %s',
    async (_what, price, noticed) => {
      const { records, warnings } = await read(
        aProperty(
          `<type>rent</type><prices>${price}</prices><characteristics><areaBwf>104.15</areaBwf></characteristics>`,
        ),
      );
      expect(warnings).toEqual([`implausible_value prices.${noticed} for m2`]);
      expect(JSON.stringify(records)).not.toMatch(/"(?:prix|loyer|loyerBase|loyerHorsCharges|prixSurDemande)"/);
    },
  );

  it.each([
    ['apartment', 'year', 320, 2_666.67],
    ['office', 'month', 150, 15_000],
  ])(
    'is multiplied by the area when it is a rent per square metre: %s, per %s',
    async (category, interval, rentOfOne, loyer) => {
      const listing = await listingOf(
        `<type>rent</type><categories><category>${category}</category></categories><characteristics><areaBwf>100</areaBwf></characteristics>
       <prices><rent interval="${interval}" referring="m2"><gross>${rentOfOne}</gross></rent></prices>`,
      );
      expect(listing.loyer).toBe(loyer);
    },
  );

  it.each([
    '',
    '<prices currency="CHF"/>',
    '<prices><deposit>5</deposit></prices>',
    '<prices><buy><price>0</price></buy></prices>',
  ])('is on request when it is missing (%s)', async (prices) => {
    const listing = await listingOf(`<type>buy</type>${prices}`);
    expect(listing).toMatchObject({ prixSurDemande: true, prixCurrency: 'CHF' });
    expect(listing).not.toHaveProperty('prix');
  });

  it('is kept together with a rent when the property has both', async () => {
    const prices =
      '<prices currency="EUR"><buy><price>500000</price></buy><rent interval="month"><gross>1500</gross></rent></prices>';
    expect(await listingOf(`<type>buy</type>${prices}`)).toMatchObject({
      prix: 500_000,
      loyer: 1500,
      prixCurrency: 'EUR',
    });
  });

  it('makes the listing an auction when the feed has no other price than the auction price', async () => {
    const auction = '<prices><auction start="2024-01-01T00:00:00">90000</auction></prices>';
    expect(await listingOf(`<type>buy</type>${auction}`)).toMatchObject({ typeTransaction: 'enchere', prix: 90_000 });
    expect(
      await listingOf(`<type>buy</type>${auction.replace('<auction', '<buy><price>95000</price></buy><auction')}`),
    ).toMatchObject({
      typeTransaction: 'vente',
      prix: 95_000,
    });
  });
});

describe('a SwissRETS property', () => {
  it.each(['taken', 'reference', 'private', ' Taken '])('is withdrawn when it is %s', async (availability) => {
    expect((await read(aProperty(`<availability>${availability}</availability>`))).records).toMatchObject([
      { withdrawn: '1' },
    ]);
  });

  it.each(['active', 'reserved', 'someday'])('is shown when it is %s', async (availability) => {
    expect(await listingOf(`<availability start="2024-06-01T12:00:00">${availability}</availability>`)).toMatchObject({
      affId: '1',
      disponibilite: '2024-06-01',
    });
  });

  it.each([
    ['applies', true],
    ['does-not-apply', false],
    ['unknown', undefined],
    ['', undefined],
  ])('with the lift word "%s" has a lift: %s', async (word, expected) => {
    expect((await listingOf(characteristics(`<hasElevator>${word}</hasElevator>`))).ascenseur).toBe(expected);
  });

  it.each([
    ['<hasBalcony>unknown</hasBalcony><areaBalcony>8</areaBalcony>', undefined],
    ['<areaBalcony>8</areaBalcony>', true],
    ['', undefined],
  ])('with the balcony fields %s has a balcony: %s', async (inner, expected) => {
    expect((await listingOf(characteristics(inner))).balcon).toBe(expected);
  });

  it.each([
    ['<hasParking>does-not-apply</hasParking><hasCarPort>applies</hasCarPort>', true],
    ['<hasParking>does-not-apply</hasParking>', false],
    ['<hasGarage>does-not-apply</hasGarage>', undefined],
    ['<hasGarageUnderground>applies</hasGarageUnderground>', true],
  ])('with %s has parking: %s', async (inner, expected) => {
    expect((await listingOf(characteristics(inner))).parking).toBe(expected);
  });

  it.each([
    ['<floor>0</floor>', 0],
    ['<floor>-2</floor>', -2],
    ['<isGroundFloor>applies</isGroundFloor>', 0],
    ['', undefined],
  ])('with %s is on the floor %s', async (inner, etage) => {
    expect((await listingOf(characteristics(inner))).etage).toBe(etage);
  });

  it.each([
    ['<areaBwf>90</areaBwf><areaNwf>80</areaNwf>', 90],
    ['<areaNwf>80.25</areaNwf>', 80.25],
    ['<areaBwf>0</areaBwf><areaNwf>80</areaNwf>', 80],
    ['<areaPropertyLand>800</areaPropertyLand>', undefined],
  ])('with %s has a living area of %s m²', async (inner, surfaceHabitable) => {
    expect((await listingOf(characteristics(inner))).surfaceHabitable).toBe(surfaceHabitable);
  });

  it('keeps half rooms, numbers as numbers and references as texts', async () => {
    const listing = await listingOf(
      `${characteristics('<numberOfRooms>4.5</numberOfRooms>')}<visualReferenceId>00012</visualReferenceId>`,
    );
    expect(listing).toMatchObject({ nbrePieces: 4.5, affNum: '00012' });
    expect(await listingOf('')).toMatchObject({ affNum: 'R1' });
  });

  it.each([
    ['CH', '1099', '1099', 'CH'],
    ['', '3038', '3038', 'CH'],
    ['FR', '1220', '01220', 'FR'],
    ['DE', '01067', '01067', 'DE'],
    ['LI', '9490', '9490', 'LI'],
  ])('in "%s" with the postcode %s shows the postcode %s', async (country, given, codePostal, pays) => {
    expect(
      await listingOf(`<address><countryCode>${country}</countryCode><postalCode>${given}</postalCode></address>`),
    ).toMatchObject({ codePostal, pays });
  });

  it('has no country when it has no address', async () => {
    expect(await listingOf('')).not.toHaveProperty('pays');
  });

  it.each([
    ['<street>Rue A</street><streetNumber>5</streetNumber><streetAddition>a</streetAddition>', 'Rue A 5a'],
    ['<street>Rue A</street><streetNumber>5</streetNumber><streetAddition>bis</streetAddition>', 'Rue A 5 bis'],
    ['<street>Rue A</street>', 'Rue A'],
    ['<streetNumber>5</streetNumber>', undefined],
  ])('with %s has the address %s', async (inner, adresse) => {
    expect((await listingOf(`<address>${inner}</address>`)).adresse).toBe(adresse);
  });

  it.each([
    ['<category>villa</category>', 'maison', 'villa'],
    ['<category>Attic-Flat</category>', 'appartement', 'Attic-Flat'],
    ['<category>campground</category><category>chalet</category>', 'maison', 'chalet'],
    ['<category>campground</category>', 'autre', 'campground'],
    ['<category>yurt</category><category>plot</category>', 'terrain', 'plot'],
  ])('with the categories %s is a %s', async (categories, typeCode, typeCodeSource) => {
    expect(await listingOf(`<categories>${categories}</categories>`)).toMatchObject({ typeCode, typeCodeSource });
  });

  it('keeps the word of an unknown category', async () => {
    const { records, warnings } = await read(aProperty('<categories><category>yurt</category></categories>'));
    expect(records).toMatchObject([{ listing: { typeCode: 'autre', typeCodeSource: 'yurt' } }]);
    expect(warnings).toEqual(['unknown_word categories.category yurt']);
  });

  it('takes the type from its use when it has no category and the use implies a type', async () => {
    const used = (word: string): string => `<utilizations><utilization>${word}</utilization></utilizations>`;
    expect(await listingOf(used('parking'))).toMatchObject({ typeCode: 'parking' });
    expect(await listingOf(used('residential'))).not.toHaveProperty('typeCode');
  });

  it('may have any of the 98 categories of the schema', () => {
    expect(ALL_CATEGORIES.split(' ')).toHaveLength(98);
    expect(ALL_CATEGORIES.split(' ').filter((word) => CATEGORIES.find(word) === undefined)).toEqual([]);
  });
});

describe('SwissRETS texts and pictures', () => {
  const localization = (lang: string, inner: string): string => `<localization lang="${lang}">${inner}</localization>`;
  const localized = (...localizations: string[]): string => `<localizations>${localizations.join('')}</localizations>`;
  const name = (text: string): string => `<name>${text}</name>`;

  it.each([
    ['French', ['de', 'en', 'fr'], {}, 'fr'],
    ['English when there is no French', ['de', 'en', 'it'], {}, 'en'],
    ['the first language when there is neither French nor English', ['it', 'es', 'de'], {}, 'it'],
    ['the language that the operator chooses', ['fr', 'de'], { langue: 'DE' }, 'de'],
    ['French when the language that the operator chooses is missing', ['en', 'fr'], { langue: 'de' }, 'fr'],
  ])('are in %s', async (_title, languages, settings: Record<string, string>, expected) => {
    const inner = localized(...languages.map((language) => localization(language, name(language))));
    expect(await listingOf(inner, settings)).toMatchObject({ intitule: expected });
  });

  it('fall back to the next text of the same language, then to the next language, when a text is empty', async () => {
    const inner = localized(
      localization('fr', '<name/>'),
      localization('fr', name(' ')),
      localization('fr-CH', name('deux')),
      localization('en', name('one')),
    );
    expect(await listingOf(inner)).toMatchObject({ intitule: 'deux' });
    expect(await listingOf(localized(localization('fr', '<name/>'), localization('en', name('one'))))).toMatchObject({
      intitule: 'one',
    });
  });

  it('get a generated title when the feed has none', async () => {
    const inner = '<categories><category>villa</category></categories><address><locality>Fictigny</locality></address>';
    expect(
      await listingOf(`${inner}<characteristics><numberOfRooms>5.5</numberOfRooms></characteristics>`),
    ).toMatchObject({
      intitule: 'Villa 5,5 pièces à Fictigny',
    });
  });

  it('are plain text, whatever markup the feed contains', async () => {
    const description =
      '<description>\n <![CDATA[ <p>Belle &amp;eacute;tape</p><script>alert(1)</script>&nbsp;<b>ici</b> ]]>\n</description>';
    expect(await listingOf(localized(localization('fr', description)))).toMatchObject({
      commentaires: 'Belle étape\n\nici',
    });
  });

  it('warn about a film of the archive, because only pictures and PDFs are stored', async () => {
    const film = (url: string): string => `<linkYoutube><url>${url}</url></linkYoutube>`;
    const readFilms = (...urls: string[]): ReturnType<typeof read> =>
      read(
        aProperty(localized(localization('fr', `<attachments>${urls.map((url) => film(url)).join('')}</attachments>`))),
      );
    const { records, warnings } = await readFilms('file:///films/1.mp4');
    expect(records[0]).not.toHaveProperty('listing.video');
    expect(warnings).toEqual(['photo_invalid localizations.localization.attachments.linkYoutube file:///films/1.mp4']);
    const both = await readFilms('file:///films/1.mp4', 'https://films.example/2');
    expect(both).toMatchObject({ records: [{ listing: { video: 'https://films.example/2' } }], warnings: [] });
  });

  it('do not include plans or duplicates, and cause a warning for a picture file that is missing', async () => {
    const image = (url: string, more = ''): string => `<image><url>${url}</url>${more}</image>`;
    const attachments = [
      image('https://photos.example.org/10.jpg', '<title>Salon</title>'),
      image('https://photos.example.org/9.jpg', '<description>Vue</description>'),
      image('file:///dir/x.JPG'),
      image('file:///dir/without-extension'),
      image('https://photos.example.org/10.jpg'),
      '<plan><url>https://photos.example.org/plan.jpg</url></plan>',
    ].join('');
    const { records, warnings } = await read(
      aProperty(localized(localization('fr', `<attachments>${attachments}</attachments>`))),
    );
    expect(records).toMatchObject([
      {
        listing: {
          photos: [
            { url: 'https://photos.example.org/10.jpg', legende: 'Salon' },
            { url: 'https://photos.example.org/9.jpg', legende: 'Vue' },
          ],
        },
      },
    ]);
    expect(warnings).toEqual([
      'photo_missing localizations.localization.attachments.image dir/x.JPG',
      'photo_missing localizations.localization.attachments.image dir/without-extension',
    ]);
  });

  it('include pictures of another language when the wanted language has no pictures', async () => {
    const images = '<attachments><image><url>https://photos.example.org/de.jpg</url></image></attachments>';
    const listing = await listingOf(localized(localization('fr', name('Villa')), localization('de', images)));
    expect(listing.photos).toMatchObject([{ url: 'https://photos.example.org/de.jpg' }]);
  });
});

describe('a SwissRETS seller', () => {
  it('shows its brand, but not its private contacts', async () => {
    const seller =
      '<seller><organization><legalName>Régie SA</legalName><brand>Régie</brand></organization>' +
      '<inquiryPerson><email>back@office.example</email></inquiryPerson><visitPerson><email>door@office.example</email></visitPerson></seller>';
    const { records, warnings } = await read(aProperty(seller));
    expect(records).toMatchObject([{ listing: { agenceNom: 'Régie' } }]);
    expect(JSON.stringify(records)).not.toContain('office.example');
    expect(warnings).toEqual([]);
  });

  it('gets its name from the settings when the feed has none', async () => {
    expect(await listingOf('', { 'agence-nom': 'Agence Exemple' })).toMatchObject({ agenceNom: 'Agence Exemple' });
  });
});

describe('a SwissRETS document', () => {
  it('is incomplete when it is cut', async () => {
    const xml = '<export><properties><property id="1"><referenceId>1</referenceId></property><property id="2">';
    expect((await readRecords(connector, Buffer.from(xml))).notes).toEqual([expect.stringContaining('incomplete')]);
  });

  it('has no properties when it contains only projects', async () => {
    const xml = '<export><projects><project id="p"><units><unit id="u"/></units></project></projects></export>';
    expect(await readRecords(connector, Buffer.from(xml))).toEqual({ records: [], warnings: [], notes: [] });
  });

  it("fills gaps in a property from the project of its unit, and never replaces the property's own values", async () => {
    const project = `<project id="P"><address><locality>Neuville</locality><postalCode>2520</postalCode></address>
      <seller><organization><legalName>Projets SA</legalName></organization></seller>
      <localizations><localization lang="fr"><name>Les Terrasses</name><description>Douze logements</description>
        <attachments><image><url>https://p.example/1.jpg</url></image></attachments></localization></localizations>
      <units><unit><referenceId>A</referenceId></unit><unit><referenceId>B</referenceId>
        <localizations><localization lang="fr"><name>Bâtiment B</name></localization></localizations></unit></units></project>`;
    const property = (id: string, unit: string, inside = ''): string =>
      `<property id="${id}"><unitReferenceId>${unit}</unitReferenceId>${inside}</property>`;
    const own = `<address><locality>Fictigny</locality></address><localizations><localization lang="de">
      <name>Wohnung</name></localization></localizations><characteristics><isNewConstruction>unknown</isNewConstruction></characteristics>`;
    const xml = `<export><projects>${project}</projects><properties>${property('1', 'B')}${property('2', 'A', own)}${property('3', 'C')}</properties></export>`;
    const { records } = await readRecords(connector, Buffer.from(xml));
    const listings = records.map((record) => ('listing' in record ? record.listing : undefined));
    expect(listings).toMatchObject([
      {
        ...{
          affId: '1',
          intitule: 'Bâtiment B',
          commentaires: 'Douze logements',
          ville: 'Neuville',
          codePostal: '2520',
        },
        ...{ agenceNom: 'Projets SA', neuf: true, photos: [{ url: 'https://p.example/1.jpg' }] },
      },
      { affId: '2', intitule: 'Wohnung', commentaires: 'Douze logements', ville: 'Fictigny' },
      { affId: '3', photos: [] },
    ]);
    expect(listings[1]).not.toHaveProperty('codePostal');
    expect(listings[1]).not.toHaveProperty('neuf');
    expect(listings[2]).not.toHaveProperty('ville');
    expect(JSON.stringify(records.map((record) => 'raw' in record && record.raw))).not.toContain('Terrasses');
  });

  it.each<[string, string]>([
    ['with a byte order mark', '\ufeff{"properties":[{"id":1}]}'],
    ['after blanks', ' \n\t{"properties":[{"id":"1"}]}'],
    [
      'with an invalid project',
      '{"properties":[{"id":1,"unitReferenceId":"u"}],"projects":[7,{"units":3},{"units":["u"]}]}',
    ],
  ])('is read in JSON, %s', async (_title, json) => {
    const { records, notes } = await readRecords(connector, Buffer.from(json));
    expect([records.map((record) => 'listing' in record && record.listing.affId), notes]).toEqual([['1'], []]);
  });

  it('is incomplete when it is cut in JSON', async () => {
    const { notes } = await readRecords(connector, Buffer.from('{"properties":[{"id":"1"},{"id":'));
    expect(notes).toEqual([expect.stringContaining('incomplete')]);
  });

  it.each(['{"error":"maintenance"}', '{}'])('is rejected when it is JSON of another kind: %s', async (json) => {
    await expect(readRecords(connector, Buffer.from(json))).rejects.toThrow(BadFeed);
  });

  it.each(['<html><body>502</body></html>', '<root/>', '<!DOCTYPE x [<!ENTITY e "e">]><export/>'])(
    'is rejected when it is XML of another kind: %s',
    async (xml) => {
      await expect(readRecords(connector, Buffer.from(xml))).rejects.toThrow(BadFeed);
    },
  );

  it('is also read with namespace prefixes', async () => {
    const xml =
      '<s:export xmlns:s="urn:s"><s:properties><s:property id="1"><s:referenceId>R1</s:referenceId></s:property></s:properties></s:export>';
    expect((await readRecords(connector, Buffer.from(xml))).records).toMatchObject([
      { listing: { affId: '1', affNum: 'R1' } },
    ]);
  });

  it('is found in a ZIP by its name', () => {
    expect(['export/feed.xml', 'photos/1.jpg'].map((name) => connector.open.holdsRecords?.(name, []))).toEqual([
      true,
      false,
    ]);
    expect(connector.open.holdsRecords?.('export.json', ['export.json', '1.jpg'])).toBe(true);
    expect(connector.open.holdsRecords?.('manifest.json', ['manifest.json', 'feed.xml'])).toBe(false);
  });
});

const ALL_CATEGORIES =
  'advertising-area agricultural-lot allotment-garden apartment arcade atelier attic-compartment attic-flat ' +
  'bakery bar boat-dry-dock boat-landing-stage boat-mooring building-lot butcher cafe campground car-park ' +
  'car-repair-shop carpentry-shop casino castle cellar-compartment chalet cheese-factory club-disco ' +
  'commercial-lot commercial-space covered-motorbike-parking-space covered-parking-space department-store ' +
  'detached-house display-window doctors-office double-garage duplex-house earth-sheltered-dwelling factory ' +
  'farm-house fuel-station furnished-flat golf-course granny-flat hairdresser hobby-room hospital hotel ' +
  'horse-box indoor-swimming-pool indoor-tennis-court industrial-lot industrial-object kiosk laboratory library ' +
  'loft maisonette market-garden mini-golf-course motel movie-theater multiplex-house multistorey-car-park ' +
  'nursing-home office one-room-flat open-motorbike-parking-space open-parking-space orphanage ' +
  'outdoor-swimming-pool parking-space party-room plot pub residential-commercial-building restaurant ' +
  'retail-location retirement-home riding-hall roof-flat row-house rustico sanatorium sauna shopping-center ' +
  'single-garage single-room solarium sports-hall squash-badminton stepped-flat stepped-house stoeckli ' +
  'storage-room tennis-court underground-parking-space villa workshop';
