import type { Connector } from '../kit/contracts';
import { readRecords } from '../../../../test/support/connectors/read-records';
import { connector as apimo } from '../sources/apimo/connector';
import { connector as blm } from '../sources/blm/connector';
import { connector as idealista } from '../sources/idealista/connector';
import { connector as idx } from '../sources/idx/connector';
import { connector as immobiliare } from '../sources/immobiliare/connector';
import { connector as inmovilla } from '../sources/inmovilla/connector';
import { connector as kyero } from '../sources/kyero/connector';
import { connector as openimmo } from '../sources/openimmo/connector';
import { connector as poliris } from '../sources/poliris/connector';
import { connector as reso } from '../sources/reso/connector';
import { connector as swissrets } from '../sources/swissrets/connector';
import { connector as swissretsjson } from '../sources/swissretsjson/connector';
import { connector as ubiflow } from '../sources/ubiflow/connector';
import { connector as whise } from '../sources/whise/connector';
import { readDropped } from '../../../../test/support/connectors/read-dropped';

/** Cells by their index; the first index is 0. */
function cells(count: number, own: Readonly<Record<number, string>>): string[] {
  return Array.from({ length: count }, (_, index) => own[index] ?? '');
}

const polirisRow = (own: Readonly<Record<number, string>>): string => `"${cells(334, own).join('"!#"')}"\r\n`;
const idxRow = (own: Readonly<Record<number, string>>): string =>
  `${cells(183, { 0: 'IDX3.01', ...own }).join('#')}\r\n`;
const blmFile = (columns: string, row: string): string =>
  `#HEADER#\nVersion : 3\nEOF : '^'\nEOR : '~'\nProperty Count : 1\n#DEFINITION#\n${columns}^~\n#DATA#\n${row}^~\n#END#\n`;
const property = (inside: string): string => `<property><unique-id>1</unique-id>${inside}</property>`;
const immobilie = (inside: string): string =>
  '<openimmo><uebertragung umfang="VOLL"/><anbieter><openimmo_anid>A</openimmo_anid><immobilie>' +
  `${inside}<verwaltung_techn><openimmo_obid>1</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>`;

const PRICED = 'prix 200000: a price without a transaction';

/** A record with a price that has no transaction, negative areas and bedrooms in words, and the expected warnings. */
const ODD: readonly (readonly [Connector, string | object, readonly string[]])[] = [
  [
    ubiflow,
    '<annonces><annonce id="1"><bien><ville>Lyon</ville><surface>-80</surface><surface_terrain>-5</surface_terrain>' +
      '<nb_chambres>three</nb_chambres></bien><prestation><prix>200000</prix></prestation></annonce></annonces>',
    ['bien.surface -80', 'bien.surface_terrain -5', 'bien.nb_chambres three'],
  ],
  [
    kyero,
    '<root><property><id>1</id><price>200000</price><town>Lyon</town><beds>three</beds><surface_area><built>-80</built>' +
      '<plot>-5</plot></surface_area><location><latitude>97</latitude><longitude>2</longitude></location></property></root>',
    ['surface_area.built -80', 'surface_area.plot -5', 'beds three', 'location.latitude 97, 2'],
  ],
  [
    inmovilla,
    '<propiedades><propiedad><id>1</id><ciudad>Lyon</ciudad><precioinmo>200000</precioinmo><m_cons>-80</m_cons>' +
      '<m_parcela>-5</m_parcela><habitaciones>three</habitaciones><latitud>97</latitud><altitud>2</altitud></propiedad></propiedades>',
    ['m_cons -80', 'm_parcela -5', 'habitaciones three', 'latitud 97, 2'],
  ],
  [
    immobiliare,
    `<feed><properties>${property(
      '<location><city>Lyon</city><locality><latitude>97</latitude><longitude>2</longitude></locality></location>' +
        '<transactions><transaction><price>200000</price></transaction></transactions><features><size>-80</size></features>' +
        '<extra-features><bedrooms>three</bedrooms></extra-features>',
    )}</properties></feed>`,
    ['features.size -80', 'extra-features.bedrooms three', 'location.locality.latitude 97, 2'],
  ],
  [
    swissrets,
    '<export><properties><property id="1"><address><locality>Lyon</locality><geo><latitude>97</latitude><longitude>2</longitude>' +
      '</geo></address><prices><buy><price>200000</price></buy></prices><characteristics><areaBwf>-80</areaBwf>' +
      '<areaPropertyLand>-5</areaPropertyLand></characteristics></property></properties></export>',
    ['characteristics.areaBwf -80', 'characteristics.areaPropertyLand -5', 'address.geo.latitude 97, 2'],
  ],
  [
    swissretsjson,
    {
      properties: [
        {
          ...{ id: '1', prices: { buy: { price: 200_000 } }, characteristics: { areaBwf: -80, areaPropertyLand: -5 } },
          address: { locality: 'Lyon', geo: { latitude: 97, longitude: 2 } },
        },
      ],
    },
    ['characteristics.areaBwf -80', 'characteristics.areaPropertyLand -5', 'address.geo.latitude 97, 2'],
  ],
  [
    poliris,
    polirisRow({ 0: 'A', 1: '1', 5: 'Lyon', 10: '200000', 15: '-80', 16: '-5', 18: 'three' }),
    ['16 -80', '17 -5', '19 three'],
  ],
  [idx, idxRow({ 2: 'APPT', 5: '1', 10: 'Lyon', 18: '200000', 27: '-80', 28: '-5' }), ['27 -80', '28 -5']],
  [blm, blmFile('AGENT_REF^TOWN^PRICE^BEDROOMS', '1^Lyon^200000^three'), ['BEDROOMS three']],
  [
    idealista,
    {
      customerProperties: [
        {
          propertyCode: '1',
          propertyAddress: { addressTown: 'Lyon', addressCoordinatesLatitude: 97, addressCoordinatesLongitude: 2 },
          propertyOperation: { operationPrice: 200_000 },
          propertyFeatures: { featuresAreaConstructed: -80, featuresAreaPlot: -5, featuresBedroomNumber: 'three' },
        },
      ],
    },
    [
      ...['propertyFeatures.featuresAreaConstructed -80', 'propertyFeatures.featuresAreaPlot -5'],
      ...['propertyFeatures.featuresBedroomNumber three', 'propertyAddress.addressCoordinatesLatitude 97, 2'],
    ],
  ],
  [
    apimo,
    {
      properties: [
        {
          ...{ id: 1, city: { name: 'Lyon' }, price: { value: 200_000 }, area: { value: -80 }, bedrooms: 'three' },
          ...{ publish_address: true, latitude: 97, longitude: 2 },
        },
      ],
    },
    ['area.value -80', 'bedrooms three', 'latitude 97, 2'],
  ],
  [
    whise,
    { estates: [{ id: 1, city: 'Lyon', price: 200_000, area: -80, groundArea: -5, bedrooms: 'three' }] },
    ['area -80', 'groundArea -5', 'bedrooms three'],
  ],
  [
    reso,
    {
      value: [
        {
          ...{ ListingKey: '1', City: 'Lyon', ListPrice: 200_000, LivingArea: -80, BedroomsTotal: 'three' },
          ...{ InternetAddressDisplayYN: true, Latitude: 97, Longitude: 2 },
        },
      ],
    },
    ['LivingArea -80', 'BedroomsTotal three', 'Latitude 97, 2'],
  ],
];

const written = (file: string | object): string => (typeof file === 'string' ? file : JSON.stringify(file));

it.each(ODD.map(([connector, file, noticed]) => [connector.code, connector, file, noticed] as const))(
  'a %s record with impossible values causes a warning for each value, and the listing keeps only the price',
  async (_code, connector, file, noticed) => {
    const { records, warnings } = await readRecords(connector, Buffer.from(written(file)));
    const words = warnings.map((warning) => warning.replace(/^\w+ /, ''));
    expect(words).toEqual(expect.arrayContaining([PRICED, ...noticed]));
    const [record] = records;
    expect(record).toMatchObject({ listing: { prix: 200_000, ville: 'Lyon' } });
    const { listing } = record as { listing: object };
    for (const field of ['typeTransaction', 'surfaceHabitable', 'surfaceTerrain', 'nbreChambres', 'latitude'])
      expect(listing).not.toHaveProperty(field);
  },
);

/** Records that have only an id. */
const SHELLS: readonly (readonly [Connector, string])[] = [
  [ubiflow, '<annonces><annonce id="1"/></annonces>'],
  [kyero, '<root><property><id>1</id></property></root>'],
  [inmovilla, '<propiedades><propiedad><id>1</id></propiedad></propiedades>'],
  [immobiliare, `<feed><properties>${property('')}</properties></feed>`],
  [swissrets, '<export><properties><property id="1"/></properties></export>'],
  [swissretsjson, '{"properties":[{"id":"1"}]}'],
  [openimmo, immobilie('')],
  [poliris, polirisRow({ 0: 'A', 1: '1' })],
  [idx, idxRow({ 5: '1' })],
  [blm, blmFile('AGENT_REF^BRANCH_ID', '1^7')],
  [idealista, '{"customerProperties":[{"propertyCode":"1"}]}'],
];

it.each(SHELLS.map(([connector, file]) => [connector.code, connector, file] as const))(
  'a %s record with an id and nothing else causes a warning',
  async (_code, connector, file) => {
    const { listings, warnings } = await readDropped(connector, file);
    expect(listings).toHaveLength(1);
    expect(warnings).toContain('implausible_value the record does not describe a property ×1');
  },
);

it('a record that names the town of its property causes no warning', async () => {
  const { warnings } = await readDropped(poliris, polirisRow({ 0: 'A', 1: '1', 5: 'Lyon' }));
  expect(warnings).toEqual([]);
});
