import iconv from 'iconv-lite';

import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

function feed(properties: string, declared = 'utf-8'): string {
  return `<?xml version="1.0" encoding="${declared}"?><export><properties>${properties}</properties></export>`;
}

function property(inside: string, id = '1'): string {
  return `<property id="${id}"><referenceId>R${id}</referenceId>${inside}</property>`;
}

async function read(inside: string, settings: Readonly<Record<string, string>> = {}) {
  const dropped = await readDropped(connector, feed(property(inside)), settings);
  return { ...dropped, listing: dropped.listings[0] };
}

const ODD = `<s:property xmlns:s="urn:s" id=" 0012 "><type> RENT </type><referenceId>00012</referenceId><visualReferenceId>1e5</visualReferenceId>
  <availability start="2024-06-01T12:00:00.0000000+02:00" expiration="2020-01-01T00:00:00">Active</availability>
  <categories><category> Penthouse </category><category>apartment</category></categories><tomorrow>x</tomorrow>
  <address><countryCode>Schweiz</countryCode><locality>Ficti&amp;egrave;res</locality><postalCode>1000</postalCode>
    <street>Rue de l’Exemple</street><streetNumber>5</streetNumber><geo><latitude>0</latitude><longitude>0</longitude></geo></address>
  <characteristics><areaBwf>92,5</areaBwf><areaPropertyLand>1'200</areaPropertyLand><numberOfRooms>4½</numberOfRooms><floor>EG</floor>
    <hasElevator>APPLIES</hasElevator><hasBalcony>true</hasBalcony><hasParking>false</hasParking><yearBuilt>0</yearBuilt></characteristics>
  <prices currency="Fr."><rent interval="MONTH" referring="All"><gross>CHF 2'450.-</gross><net>2 200</net><extra>250.00</extra></rent>
    <deposit type="bank-guarantee">7.350</deposit></prices>
  <localizations><localization lang="DE_ch"><name>Titel</name></localization><localization xml:lang="fr">
    <name><![CDATA[ <b>Cœur</b> &amp;amp; vue ]]></name><description><![CDATA[<p>Un</p><script>x()</script>]]>&#13;</description>
    <attachments><image><url>https://p.example/10.jpg</url></image><image>https://p.example/3.jpg</image>
      <image><url> http://p.example//a b.jpg?1&amp;2 </url><title/><description>Vue</description></image><image><url/></image>
      <image><url>file:///dir/4.JPG</url></image><image><url>pics/5.jpg</url></image><image><url>https://p.example/10.jpg</url></image>
      <image><url>https://p.example/6</url><mimeType>application/pdf</mimeType></image>
      <plan><url>https://p.example/plan.jpg</url></plan><logo><url>https://p.example/logo.jpg</url></logo></attachments>
    <visitInformation>PRIVATE</visitInformation></localization></localizations>
  <seller><organization><brand> </brand><legalName>Régie &amp; Söhne</legalName><email>agence@regie.example</email><emailRem>PRIVATE</emailRem></organization>
    <contactPerson><givenName>Anne</givenName><familyName>Démo</familyName><note>PRIVATE</note></contactPerson>
    <inquiryPerson><email>PRIVATE</email></inquiryPerson><visitPerson><phone>PRIVATE</phone></visitPerson><owner>PRIVATE</owner></seller>
  <author>PRIVATE</author><created>2024-03-01T10:00:00</created><modified>0000-00-00T00:00:00</modified></s:property>`;

it('SwissRETS connector reads a property with unusual values field by field', async () => {
  // The feed declares UTF-8, but it is written in windows-1252.
  const { listings, warnings } = await readDropped(connector, iconv.encode(feed(ODD), 'windows-1252'));
  expect(listings).toEqual([
    {
      affId: '0012',
      loyerChargesComprises: 2450,
      loyerHorsCharges: 2200,
      plans: [{ url: 'https://p.example/plan.jpg', empreinte: '4d097bec81713d6e' }],
      affNum: '1e5',
      passerelleName: 'swissrets',
      intitule: 'Cœur & vue',
      commentaires: 'Un',
      langue: 'fr',
      textes: { de: { intitule: 'Titel' } },
      typeTransaction: 'location',
      typeTransactionSource: 'RENT',
      typeCode: 'appartement',
      typeCodeSource: 'Penthouse',
      prixCurrency: 'CHF',
      loyer: 2450,
      surfaceHabitable: 92.5,
      nbrePieces: 4.5,
      ville: 'Fictières',
      codePostal: '1000',
      pays: 'CH',
      adresse: 'Rue de l’Exemple 5',
      photos: [
        { url: 'https://p.example/10.jpg', empreinte: expect.any(String) as string },
        { url: 'https://p.example/3.jpg', empreinte: expect.any(String) as string },
        { url: 'http://p.example//a%20b.jpg?1&2', legende: 'Vue', empreinte: expect.any(String) as string },
      ],
      agenceNom: 'Régie & Söhne',
      negoNom: 'Anne Démo',
      negoEmail: 'agence@regie.example',
      surfaceTerrain: 1200,
      etage: 0,
      balcon: true,
      parking: false,
      ascenseur: true,
      charges: 250,
      loyerBase: 2200,
      disponibilite: '2024-06-01',
      dateCreation: '2024-03-01T10:00:00',
    },
  ]);
  expect(warnings).toEqual([
    'wrong_encoding utf-8 ×1',
    'unmapped_field tomorrow ×1',
    'unmapped_field seller.owner ×1',
    'photo_invalid localizations.localization.attachments.image https://p.example/6 ×1',
    'implausible_value prices.deposit 7.350 ×1',
    'photo_missing localizations.localization.attachments.image dir/4.JPG, pics/5.jpg ×2',
  ]);
});

it('SwissRETS connector keeps the values of the CRM unchanged in the raw record, and omits private and unknown elements', async () => {
  const { raws } = await readDropped(connector, feed(ODD));
  expect(raws[0]).toMatchObject({
    affId: '0012',
    referenceId: '00012',
    visualReferenceId: '1e5',
    prices: { '@currency': 'Fr.', rent: { gross: "CHF 2'450.-" } },
    categories: { category: ['Penthouse', 'apartment'] },
  });
  expect(JSON.stringify(raws)).not.toMatch(/PRIVATE|tomorrow|owner/);
});

it.each([
  ['characteristics', 'characteristics', 'bar'],
  ['a price', 'prices.rent', 'tenant'],
  ['an offer', 'prices.additionalOffers.offer', 'tenant'],
  ['an image', 'localizations.localization.attachments.image', 'photographer'],
  ['an event', 'localizations.localization.events.event', 'host'],
])(
  'SwissRETS connector omits an unknown element of %s from the raw record, and warns about it',
  async (_title, path, name) => {
    const elements = path.split('.');
    const inside =
      elements.map((element) => `<${element}>`).join('') +
      `<${name}><email>PRIVATE</email></${name}><${name}2>PRIVATE</${name}2>` +
      elements
        .map((element) => `</${element}>`)
        .reverse()
        .join('');
    const { raws, warnings } = await read(inside);
    expect(JSON.stringify(raws)).not.toContain('PRIVATE');
    expect(warnings.slice(0, 2)).toEqual([`unmapped_field ${path}.${name} ×1`, `unmapped_field ${path}.${name}2 ×1`]);
  },
);

it.each(['inactive', 'Deleted', 'SOLD', 'rented'])(
  'SwissRETS connector also withdraws a property with the availability "%s"',
  async (word) => {
    expect((await read(`<availability>${word}</availability>`)).rejections).toEqual([
      `withdrawn 1: availability is "${word.toLowerCase()}"`,
    ]);
  },
);

describe('SwissRETS price with an unusual value', () => {
  const buy = (inside: string): string => `<type>buy</type><prices currency="EUR">${inside}</prices>`;
  const rent = (inside: string): string => buy(inside).replace('buy', 'rent');

  it.each<[string, string, object, string[]]>([
    ['only words', buy('<buy><price>sur demande</price></buy>'), { prixSurDemande: true }, []],
    [
      'words around digits',
      buy('<buy><price>ab 450000</price></buy>'),
      { prixSurDemande: true },
      ['implausible_value prices.buy ab 450000 ×1'],
    ],
    [
      'an implausibly low amount',
      buy('<buy><price>450</price></buy>'),
      { prix: 450 },
      ['implausible_value prices.buy 450 ×1'],
    ],
    ['an amount with decimals', buy('<buy><price>450000.00</price></buy>'), { prix: 450000 }, []],
    ['an amount with thousands separators', buy('<buy><price>1.450.000</price></buy>'), { prix: 1450000 }, []],
    ['a price directly in the buy element', buy('<buy>450000</buy>'), { prix: 450000 }, []],
    ['a rent directly in the rent element', rent('<rent interval="year">12000</rent>'), { loyer: 1000 }, []],
    ['a rent with charges of zero', rent('<rent><net>1000</net><extra>0</extra></rent>'), { loyer: 1000 }, []],
    [
      'a price per square metre',
      `${buy('<buy referring="m2"><price>5</price></buy>')}<characteristics><areaNwf>100</areaNwf></characteristics>`,
      { prix: 500 },
      [],
    ],
  ])('causes a warning when another amount may be meant: %s', async (_title, inside, expected, noticed) => {
    const { listing, warnings } = await read(inside);
    const { prix, loyer, prixSurDemande } = listing ?? {};
    expect(JSON.parse(JSON.stringify({ prix, loyer, prixSurDemande }))).toEqual(expected);
    expect(warnings).toEqual(noticed);
  });

  it.each<[string, string | undefined, string[]]>([
    ['', 'CHF', []],
    ['eur', 'EUR', []],
    ['SFr.', 'CHF', []],
    ['couronnes', undefined, ['unknown_word prices.@currency couronnes ×1']],
  ])('in "%s" has the currency %s', async (word, currency, noticed) => {
    const { listing, warnings } = await read(`<prices currency="${word}"/>`);
    expect([listing?.prixCurrency, warnings]).toEqual([currency, noticed]);
  });
});

it('SwissRETS connector omits an unknown country, and warns about it', async () => {
  const { listing, warnings } = await read(
    '<address><countryCode>Narnia</countryCode><locality>X</locality></address>',
  );
  expect([listing?.pays, warnings]).toEqual([undefined, ['unknown_word address.countryCode Narnia ×1']]);
});

it.each<[string, string, string | undefined, string, string[]]>([
  ['a use names the type', 'residential,parking', 'parking', 'parking', []],
  ['an ambiguous use gives no type', 'vacation', undefined, 'vacation', []],
  [
    'an unknown use gives no type, with a warning',
    'yoga',
    undefined,
    'yoga',
    ['unknown_word utilizations.utilization yoga ×1'],
  ],
])(
  'SwissRETS connector reads the type of a property without a category: %s',
  async (_title, words, typeCode, typeCodeSource, noticed) => {
    const uses = words.split(',').map((word) => `<utilization>${word}</utilization>`);
    const { listing, warnings } = await read(`<utilizations>${uses.join('')}</utilizations>`);
    expect([listing?.typeCode, listing?.typeCodeSource, warnings]).toEqual([typeCode, typeCodeSource, noticed]);
  },
);

it('SwissRETS connector ignores the case of the category Furnished-Flat', async () => {
  const { listing } = await read('<categories><category>Furnished-Flat</category></categories>');
  expect(listing).toMatchObject({ typeCode: 'appartement', meuble: true });
});

it.each([
  ['4½', 4.5],
  ['4 1/2', 4.5],
  ['4,5', 4.5],
  ['0', undefined],
])('SwissRETS connector reads %s rooms as %s', async (written, nbrePieces) => {
  const { listing } = await read(`<characteristics><numberOfRooms>${written}</numberOfRooms></characteristics>`);
  expect(listing?.nbrePieces).toBe(nbrePieces);
});

describe('SwissRETS connector with two languages', () => {
  const texts = (lang: string, inside: string): string => `<localization lang="${lang}">${inside}</localization>`;

  it('prefers the language of the settings, whatever its country is', async () => {
    const both = `${texts('fr', '<name>Un</name>')}${texts('de-CH', '<name>Eins</name>')}`;
    const { listing } = await read(`<localizations>${both}</localizations>`, { langue: 'de-AT' });
    expect(listing?.intitule).toBe('Eins');
  });

  it('uses the pictures of the second language when the pictures of the first language have no URL', async () => {
    const image = (url: string): string => `<attachments><image><url>${url}</url></image></attachments>`;
    const both = `${texts('fr', image(' '))}${texts('de', image('https://p.example/1.jpg'))}`;
    const { listing, warnings } = await read(`<localizations>${both}</localizations>`);
    expect([listing?.photos.map(({ url }) => url), warnings]).toEqual([['https://p.example/1.jpg'], []]);
  });
});

it.each<[string, Buffer]>([
  [
    'ISO-8859-1 with characters of Windows-1252',
    iconv.encode(feed(property('<type>€</type>'), 'ISO-8859-1'), 'windows-1252'),
  ],
  ['UTF-16', iconv.encode(feed(property('<type>€</type>'), 'UTF-16'), 'utf-16le', { addBOM: true })],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${feed(property('<type>€</type>'))}`)],
])('SwissRETS connector reads a feed in %s', async (_title, bytes) => {
  expect((await readDropped(connector, bytes)).listings).toMatchObject([{ affId: '1', typeTransactionSource: '€' }]);
});

it('SwissRETS connector accepts an archive with several feed files and files of other systems', async () => {
  const archive = archiveOf({
    'EXPORT/A.XML': feed(property('')),
    'b.xml': feed(property('', '2')),
    '__MACOSX/EXPORT/._A.XML': 'x',
    'dir/4.JPG': 'x',
  });
  const { listings, rejections } = await readDropped(connector, archive);
  expect([listings.map(({ affId }) => affId).sort(), rejections]).toEqual([['1', '2'], []]);
});

it.each(['<export/>', '<export><properties/></export>', feed('')])(
  'SwissRETS connector reads %s as a feed without listings',
  async (xml) => {
    const { listings, summary } = await readDropped(connector, xml);
    expect([listings, summary.incomplete]).toEqual([[], null]);
  },
);

it('SwissRETS connector rejects a property without an id, and reports a cut feed as incomplete', async () => {
  const two = feed(`${property('')}<property><referenceId>R</referenceId></property>`);
  const { listings, rejections, summary } = await readDropped(connector, two.slice(0, -20));
  expect([listings.length, rejections]).toEqual([1, ['missing_id 2: the record has no identifier']]);
  expect(summary.incomplete).toMatch(/the document ends at line 1/);
});

it.each<[string, string | Buffer, RegExp]>([
  ['an empty file', '', /empty/],
  ['an HTML page', '<html><body>Login</body></html>', /html/i],
  ['an entity declaration', '<!DOCTYPE export [<!ENTITY a "b">]><export/>', /DOCTYPE/],
  ['an archive without a SwissRETS file', archiveOf({ 'a.txt': 'x' }), /does not hold/],
])('SwissRETS connector rejects %s', async (_title, content, message) => {
  await expect(readDropped(connector, content)).rejects.toThrow(message);
});
