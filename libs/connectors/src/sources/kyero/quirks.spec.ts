import iconv from 'iconv-lite';

import type { Listing } from '@passerelle/domain';
import { readRecords } from '../../../../../test/support/connectors/read-records';
import { readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const AGENT =
  '<agent><name>Costa &amp; Söhne</name><email>agence@costa.example</email><tel>+34 910 000 000</tel></agent>';

function feed(properties: string, { head = AGENT, declared = 'utf-8' } = {}): string {
  return `<?xml version="1.0" encoding="${declared}"?><root><kyero><feed_version>3</feed_version></kyero>${head}${properties}</root>`;
}

function property(inside: string): string {
  return `<property><id>1</id>${inside}</property>`;
}

const ODD = `<k:property xmlns:k="urn:k">
  <images><image id="10"><url> https://p.example/10.jpg </url></image><image id="9"><url>http://p.example//a b.jpg?20240301&amp;x=1</url></image>
    <image id="1"><url>https://p.example/plan.jpg</url><tags><tag>Floorplan</tag></tags></image><image id="11"><url></url></image>
    <image id="12"><url>PLAN.JPG</url></image><image id="13"><url>https://p.example/9.pdf</url></image><image id="14"><url>https://p.example/10.jpg</url></image></images>
  <desc><fr/><en><![CDATA[ <p>C&oelig;ur &amp;eacute;t&#233;</p><script>x()</script>&#13; ]]></en><en>second</en><de>Deutsch</de></desc>
  <ref>00012</ref><k:id> K1 </k:id><date>2024-03-01T10:00:00.1234567+02:00</date>
  <price>1,350,000</price><currency>eur</currency><price_freq> SALE </price_freq><type>Town House</type><town>L’Haÿ</town>
  <country>Francia</country><postcode>6400</postcode><beds>3</beds><baths>2.5</baths><pool>true</pool><new_build>N</new_build>
  <surface_area><built>92,5</built><plot>1.200</plot></surface_area><energy_rating><consumption>b</consumption><emissions>X</emissions></energy_rating>
  <location><latitude>43,5</latitude><longitude>7.1</longitude></location>
  <notes>PRIVATE</notes><contact_number>PRIVATE</contact_number><whatsapp_number>PRIVATE</whatsapp_number><demain>x</demain>
</k:property>`;

it('Kyero connector reads a property with unusual values field by field', async () => {
  // The feed declares UTF-8, but it is written in windows-1252.
  const { listings, warnings } = await readDropped(connector, iconv.encode(feed(ODD), 'windows-1252'));
  expect(listings).toEqual([
    {
      affId: 'K1',
      plans: [{ url: 'https://p.example/plan.jpg', empreinte: '4d097bec81713d6e' }],
      affNum: '00012',
      passerelleName: 'kyero',
      intitule: 'Town house in L’Haÿ, 3 bedrooms, 93 m²',
      commentaires: 'Cœur été',
      textes: { de: { intitule: 'Stadthaus in L’Haÿ, 3 Schlafzimmer, 93 m²', commentaires: 'Deutsch' } },
      typeTransaction: 'vente',
      typeTransactionSource: 'SALE',
      typeCode: 'maison',
      typeCodeSource: 'Town House',
      prix: 1350000,
      prixCurrency: 'EUR',
      surfaceHabitable: 92.5,
      nbreChambres: 3,
      ville: 'L’Haÿ',
      codePostal: '06400',
      pays: 'FR',
      latitude: 43.5,
      longitude: 7.1,
      photos: [
        { url: 'http://p.example//a%20b.jpg?20240301&x=1', empreinte: expect.any(String) as string },
        { url: 'https://p.example/10.jpg', empreinte: expect.any(String) as string },
      ],
      agenceNom: 'Costa & Söhne',
      agenceTel: '+34 910 000 000',
      negoEmail: 'agence@costa.example',
      surfaceTerrain: 1200,
      nbreSallesDeBain: 2.5,
      neuf: false,
      piscine: true,
      energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'B' }],
      dpeClasse: 'B',
      langue: 'en',
      dateModification: '2024-03-01T10:00:00.123+02:00',
    },
  ]);
  expect(warnings).toEqual([
    'wrong_encoding utf-8 ×1',
    'unmapped_field demain ×1',
    'photo_invalid images.image https://p.example/9.pdf ×1',
    'photo_missing images.image PLAN.JPG ×1',
  ]);
});

it('Kyero connector keeps the values of the CRM unchanged in the raw record, and omits private and unknown elements', async () => {
  const { raws } = await readDropped(
    connector,
    feed(ODD + property('<images><image>https://p.example/1.jpg</image></images>')),
  );
  expect(raws[0]).toMatchObject({
    affId: 'K1',
    affNum: '00012',
    passerelleName: 'kyero',
    ref: '00012',
    price: '1,350,000',
    baths: '2.5',
    surface_area: { built: '92,5', plot: '1.200' },
    energy_rating: { consumption: 'b', emissions: 'X' },
  });
  expect(raws[1]).toMatchObject({ images: { image: ['https://p.example/1.jpg'] } });
  expect(JSON.stringify(raws)).not.toMatch(/PRIVATE|demain/);
});

it.each<[string, string, string[]]>([
  ['one URL', '<images>http://p.example/1.jpg</images>', ['http://p.example/1.jpg']],
  ['one URL in CDATA', '<images><![CDATA[ http://p.example/1.jpg ]]></images>', ['http://p.example/1.jpg']],
  [
    'repeated',
    '<images>http://p.example/1.jpg</images><images><image id="2"><url>http://p.example/2.jpg</url></image></images>',
    ['http://p.example/1.jpg', 'http://p.example/2.jpg'],
  ],
])(
  'Kyero connector reads a list of images that is %s, and keeps it in the raw record',
  async (_title, images, urls) => {
    const { listings, raws, warnings } = await readDropped(connector, feed(property(images)));
    expect(listings[0]?.photos.map(({ url }) => url)).toEqual(urls);
    expect(JSON.stringify(raws[0])).toContain('http://p.example/1.jpg');
    expect(warnings).toEqual([]);
  },
);

it("Kyero connector omits an agency's custom elements, and unknown elements among the languages, from the raw record", async () => {
  const custom = '<custom id="1">PRIVATE</custom><custom id="2"><owner>PRIVATE</owner></custom>';
  const { raws, warnings } = await readDropped(
    connector,
    feed(property(`${custom}<desc><en>Flat</en><owner>PRIVATE</owner></desc><url><sv>https://p.example/sv</sv></url>`)),
  );
  expect(raws).toEqual([
    { affId: '1', passerelleName: 'kyero', id: '1', desc: { en: 'Flat' }, url: { sv: 'https://p.example/sv' } },
  ]);
  expect(warnings).toEqual(['unmapped_field desc.owner ×1']);
});

it('Kyero connector does not use a private child of a text as the text, even when there is no other', async () => {
  const record = property('<desc><owner>PRIVATE</owner></desc><title><internal>PRIVATE</internal></title>');
  const { listings, raws } = await readDropped(connector, feed(record));
  expect(JSON.stringify([listings, raws])).not.toContain('PRIVATE');
});

it('Kyero connector omits a size in another unit, and warns about it', async () => {
  const { listings, warnings } = await readDropped(
    connector,
    feed(property('<surface_area><plot>12,5 ha</plot></surface_area>')),
  );
  expect(listings[0]).not.toHaveProperty('surfaceTerrain');
  expect(warnings).toEqual(['implausible_value surface_area.plot 12,5 ha ×1']);
});

it.each([
  ['Venta', 'vente'],
  ['Alquiler', 'location'],
])('Kyero connector reads the price_freq %s as %s', async (word, typeTransaction) => {
  const { listings, warnings } = await readDropped(connector, feed(property(`<price_freq>${word}</price_freq>`)));
  expect([listings[0]?.typeTransaction, warnings]).toEqual([typeTransaction, []]);
});

it('Kyero connector accepts a feed with the root element kyero', async () => {
  const { listings, rejections } = await readDropped(connector, feed(property('')).replaceAll('root>', 'kyero>'));
  expect([listings.map(({ affId }) => affId), rejections]).toEqual([['1'], []]);
});

it.each<[string, object]>([
  ['<feature>Ascensor</feature><feature>sin amueblar</feature>', { ascenseur: true, meuble: false }],
  ['<feature>Balkon, Terrasse</feature>', { balcon: true, terrasse: true }],
  ['<feature>Communal pool</feature><feature>Street parking</feature>', {}],
  ['<feature/>', {}],
  ['Lift', { ascenseur: true }],
])('Kyero connector reads the features %s as %j', async (features, expected) => {
  const { listings, warnings } = await readDropped(
    connector,
    feed(property(`<town>Lyon</town><features>${features}</features>`)),
  );
  const { ascenseur, balcon, meuble, parking, piscine, terrasse } = listings[0]!;
  expect(JSON.parse(JSON.stringify({ ascenseur, balcon, meuble, parking, piscine, terrasse }))).toEqual(expected);
  expect(warnings).toEqual([]);
});

it('Kyero connector reports a terrace when the feed has the area of a terrace', async () => {
  const { listings } = await readDropped(
    connector,
    feed(property('<surface_area><terrace>12</terrace></surface_area>')),
  );
  expect(listings[0]?.terrasse).toBe(true);
});

it.each<[string, string, string]>([
  ['Villas', 'maison', 'Villa'],
  ['Ground Floor Apartments', 'appartement', 'Piso'],
  ['Rustic_Land', 'terrain', 'Terreno'],
  ['Terreno rústico', 'terrain', 'Terreno'],
  ['Bouwgrond', 'terrain', 'Terreno'],
  ['Finca rústica', 'maison', 'Finca'],
  ['Ático en venta', 'appartement', 'Ático'],
  ['Pisos en planta baja', 'appartement', 'Piso'],
  ['Doppelhaushälfte', 'maison', 'Casa'],
  ['rijwoning', 'maison', 'Casa adosada'],
  ['Office Building', 'immeuble', 'Edificio'],
  ['Villa Programme', 'autre', 'Inmueble'],
])('Kyero connector reads the type %s as %s, by its last or its first word', async (word, typeCode, intitule) => {
  const { listings, warnings } = await readDropped(connector, feed(property(`<type>${word}</type>`)));
  expect(listings[0]).toMatchObject({ typeCode, typeCodeSource: word, intitule });
  expect(warnings).toEqual(typeCode === 'autre' ? [`unknown_word type ${word} ×1`] : []);
});

it.each<[string, string, object, string[]]>([
  ['x', '<price>x</price><price_freq>sale</price_freq>', { prixSurDemande: true }, []],
  ['POA', '<price>POA</price><price_freq>sale</price_freq>', { prixSurDemande: true }, []],
  [
    'words around digits',
    '<price>from 250000</price><price_freq>sale</price_freq>',
    { prixSurDemande: true },
    ['implausible_value price from 250000 ×1'],
  ],
  [
    'an implausibly low amount',
    '<price>350</price><price_freq>sale</price_freq>',
    { prix: 350 },
    ['implausible_value price 350 ×1'],
  ],
  [
    'an amount for an unknown period',
    '<price>750</price><price_freq>long term</price_freq>',
    { prix: 750 },
    ['unknown_word price_freq long term ×1'],
  ],
])(
  'Kyero connector warns about a price of %s when it may mean an amount',
  async (_title, inside, expected, noticed) => {
    const { listings, warnings } = await readDropped(connector, feed(property(inside)));
    const { prix, loyer, prixSurDemande } = listings[0] ?? {};
    expect(JSON.parse(JSON.stringify({ prix, loyer, prixSurDemande }))).toEqual(expected);
    expect(warnings).toEqual(noticed);
  },
);

it.each<[string, string, number | undefined, number | undefined, string[]]>([
  ['120.125', '850', 120.13, 850, []],
  ['120,125', '850', 120.13, 850, []],
  ['92,5', '1 200', 92.5, 1200, []],
  ['1.250', '', 1250, undefined, ['implausible_value surface_area.built 1.250 ×1']],
  ['', '1.250', undefined, 1250, ['implausible_value surface_area.plot 1.250 ×1']],
  ['', '1,250 m²', undefined, 1250, ['implausible_value surface_area.plot 1,250 m² ×1']],
  ['', '12.500', undefined, undefined, ['implausible_value surface_area.plot 12.500 ×1']],
  ['1.250,5', '12.500', 1250.5, 12500, []],
  ['', '120.125', undefined, undefined, ['implausible_value surface_area.plot 120.125 ×1']],
  ['1.250,5', '1.250.000', 1250.5, 1250000, []],
  ['0.000', '0', undefined, undefined, []],
])(
  'Kyero connector keeps the decimals of a built area of "%s" and a plot of "%s", and warns about ambiguous ones',
  async (built, plot, ...expected) => {
    const areas = `<type>villa</type><surface_area><built>${built}</built><plot>${plot}</plot></surface_area>`;
    const { listings, warnings } = await readDropped(connector, feed(property(areas)));
    expect([listings[0]?.surfaceHabitable, listings[0]?.surfaceTerrain, warnings]).toEqual(expected);
  },
);

it('Kyero connector omits an unknown currency, and warns about it', async () => {
  const { listings, warnings } = await readDropped(connector, feed(property('<currency>pesetas</currency>')));
  expect([listings[0]?.prixCurrency, warnings]).toEqual([undefined, ['unknown_word currency pesetas ×1']]);
});

it('Kyero connector reads a feed without an agency, and rejects only the property without an id', async () => {
  const { listings, rejections, summary } = await readDropped(
    connector,
    feed(`${property('<date>0000-00-00 00:00:00</date>')}<property><ref>R</ref></property>`, { head: '' }),
  );
  expect(listings.map(({ affId, dateModification }) => [affId, dateModification])).toEqual([['1', undefined]]);
  expect([rejections, summary.incomplete]).toEqual([['missing_id 2: the record has no identifier'], null]);
});

it.each<[string, string]>([
  ['between properties', feed(property('')).slice(0, -'</root>'.length)],
  ['inside a property', feed(property('')).slice(0, -20)],
])('Kyero connector reports a feed that is cut %s as incomplete', async (_title, content) => {
  expect((await readDropped(connector, content)).summary.incomplete).toMatch(/the document ends at line 1/);
});

it.each<[string, string, RegExp]>([
  ['an entity declaration', '<!DOCTYPE root [<!ENTITY a "b">]><root/>', /DOCTYPE/],
  ['an HTML page', '<html><body>Login</body></html>', /html/i],
])('Kyero connector refuses %s', async (_title, content, message) => {
  await expect(readDropped(connector, content)).rejects.toThrow(message);
});

it('Kyero connector keeps the hashes when only the time before the properties changes', async () => {
  const clock = (time: string): string =>
    feed(property(''), { head: `<kyero><feed_generated>${time}</feed_generated></kyero>` });
  const first = await readDropped(connector, clock('10:00'));
  const second = await readDropped(connector, clock('11:00'));
  expect(second.hashes).toEqual(first.hashes);
});

it.each([
  ['1.250.000', 235_000],
  ['1.250,50', 235_000],
  ['235.5', undefined],
  ['x', undefined],
])('Kyero connector reads a price of 235.000 next to a price of %s as %s', async (other, prix) => {
  const priced = (id: number, price: string): string =>
    `<property><id>${id}</id><price>${price}</price><price_freq>sale</price_freq><type>villa</type><town>Fictiva</town></property>`;
  const { records } = await readRecords(connector, Buffer.from(feed(priced(1, '235.000') + priced(2, other))));
  expect(records[0]).toMatchObject({ listing: { affId: '1' } });
  expect((records[0] as { listing: Listing }).listing.prix).toBe(prix);
});
