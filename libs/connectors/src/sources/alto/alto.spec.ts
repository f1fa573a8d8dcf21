import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';
import { ALTO_WALK } from './walk';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

const USUAL = '<type>Flat</type><web_status>0</web_status><address><town>Leeds</town></address>';

function result(elements: string, { attributes = 'database="1"', settings = {} } = {}): RecordResult {
  const bytes = Buffer.from(`<property id="7" ${attributes}>${elements}${USUAL}</property>`);
  return readRecord(connector, bytes, recordingContext('alto', { settings }).context);
}
function read(elements: string, options?: Parameters<typeof result>[1]): Listing {
  return (result(elements, options) as { listing: Listing }).listing;
}
const LET = { attributes: 'database="2"' };

describe('Alto offer', () => {
  it.each([
    ['pcm', { loyer: 950 }],
    ['pw', { loyerSource: { montant: 950, periode: 'semaine' } }],
    ['PA', { loyer: 79.17, loyerPeriode: 'an' }],
  ])('reads a rent with the period %s, and keeps the written amount', (rent, expected) => {
    expect(read(`<price rent="${rent}">£950</price>`, LET)).toMatchObject({ typeTransaction: 'location', ...expected });
  });

  it('has no rent, and is not on request, when the period of the rent is unknown', () => {
    const listing = read('<price rent="per fortnight">950</price>', LET);
    expect([listing.loyer, listing.prixSurDemande]).toEqual([undefined, undefined]);
  });

  it.each([
    '<price display="no">250000</price>',
    '<price>250000</price><rm_qualifier>1</rm_qualifier>',
    '<price qualifier="PoA">250000</price>',
    '<price qualifier="Price on Application">250000</price>',
    '<price qualifier="P.O.A.">250000</price>',
    '<price>POA</price>',
  ])('is on request, and hides the amount in the raw record too: %s', (price) => {
    const { listing, raw } = result(price) as { listing: Listing; raw: object };
    expect([listing.prixSurDemande, listing.prix]).toEqual([true, undefined]);
    expect(listing).not.toHaveProperty('prixMention');
    expect(JSON.stringify(raw)).not.toContain('250000');
  });

  it.each([
    ['<price qualifier="pw" rent="">300</price>', { loyer: 1300, loyerPeriode: 'semaine' }],
    ['<price qualifier="Per Week">300</price>', { loyer: 1300, loyerPeriode: 'semaine' }],
    ['<price qualifier="PCM" rent="">950</price>', { loyer: 950 }],
    ['<price qualifier="PCM" rent="pw">300</price>', { loyer: 1300, loyerPeriode: 'semaine' }],
  ])('takes the period of its rent from %s, and does not show the period as a price note', (price, expected) => {
    const listing = read(price, { attributes: 'database="2"' });
    expect(listing).toMatchObject(expected);
    expect(listing).not.toHaveProperty('prixMention');
  });

  it.each(['database="3"', ''])(
    'is a rental in an unknown database (%s) when its price has the period of a rent',
    (attributes) => {
      expect(read('<price rent="pcm">950</price>', { attributes })).toMatchObject({
        typeTransaction: 'location',
        loyer: 950,
      });
      expect(read('<price rent="">95000</price>', { attributes })).toMatchObject({
        typeTransaction: 'vente',
        prix: 95_000,
      });
    },
  );

  it('shows its qualifier as plain text', () => {
    const listing = read('<price qualifier="Offers over &amp;pound;90,000">95000</price>');
    expect(listing.prixMention).toBe('Offers over £90,000');
  });

  it('reads commas in its price as thousands separators', () => {
    expect(read('<price qualifier="Offers over">1,250,000</price>')).toMatchObject({
      prix: 1_250_000,
      prixMention: 'Offers over',
    });
  });

  it.each([
    ['sale', 'vente'],
    ['rental', 'location'],
    ['To Let', 'location'],
    ['For Rent', 'location'],
    ['For Sale', 'vente'],
  ])('has the transaction that a commercial property names: %s', (transaction, typeTransaction) => {
    const commercial = `<commercial><transaction>${transaction}</transaction></commercial><price>100000</price>`;
    expect(read(commercial, { attributes: 'database="5"' })).toMatchObject({ typeTransaction });
  });
});

describe('Alto status', () => {
  it.each([
    ['1', '2', 'web_status: sold'],
    ['2', '1', 'web_status: let'],
    ['2', '101', 'web_status: let'],
  ])('withdraws a listing of database %s when it is %s', (database, status, message) => {
    const bytes = Buffer.from(`<property id="7" database="${database}"><web_status>${status}</web_status></property>`);
    expect(readRecord(connector, bytes, recordingContext('alto').context)).toEqual({ withdrawn: '7', message });
  });

  it.each([
    ['1', '3', true],
    ['2', '104', true],
    ['1', '9', undefined],
  ])('marks a listing of database %s as under offer when it is %s: %s', (database, status, sousOffre) => {
    const bytes = Buffer.from(
      `<property id="7" database="${database}"><web_status>${status}</web_status><type>Flat</type><bedrooms>2</bedrooms></property>`,
    );
    const { listing } = readRecord(connector, bytes, recordingContext('alto').context) as { listing: Listing };
    expect(listing.sousOffre).toBe(sousOffre);
  });

  it('of 4 means an auction for a sale, and let agreed for a letting', () => {
    const auction = USUAL.replace('<web_status>0', '<web_status>4');
    const one = (database: string): RecordResult =>
      readRecord(
        connector,
        Buffer.from(`<property id="7" database="${database}">${auction}</property>`),
        recordingContext('alto').context,
      );
    expect(one('1')).toMatchObject({ listing: { typeTransaction: 'enchere' } });
    expect(one('2')).toMatchObject({ listing: { typeTransaction: 'location', sousOffre: true } });
  });
});

describe('Alto area', () => {
  it.each([
    ['<area unit="sqft"><min>1000</min><max>1000</max></area>', { surfaceHabitable: 92.9 }],
    ['<area unit="sqm"><min>0</min><max>90</max></area>', { surfaceHabitable: 90 }],
    ['<area unit="acre"><min>2</min><max>0</max></area>', { surfaceTerrain: 8093.71 }],
    ['<area measure="land" unit="sqm"><min>500</min></area>', { surfaceTerrain: 500 }],
    ['<area unit="sqm"><min>90</min><max>120</max></area>', { surfacePlage: { min: 90, max: 120 } }],
  ])('is read from %s', (area, expected) => {
    expect(read(area)).toMatchObject(expected);
  });

  it('is absent when it has an unknown unit or is zero', () => {
    const listing = read('<area unit="perch"><min>90</min></area><area unit="sqft"><min>0</min><max>0</max></area>');
    expect([listing.surfaceHabitable, listing.surfaceTerrain]).toEqual([undefined, undefined]);
  });
});

it.each([
  ['0', true],
  ['2', false],
  ['1', undefined],
  ['4', undefined],
])('Alto connector reads furnished %s as %s', (furnished, meuble) => {
  expect(read(`<furnished>${furnished}</furnished>`).meuble).toBe(meuble);
});

it('Alto connector reads the points of an energy certificate as a value, not as a class', () => {
  const points =
    '<hip><energy_performance><energy_efficiency><current>64</current><potential>0</potential></energy_efficiency></energy_performance></hip>';
  const listing = read(points);
  expect(listing.energie).toMatchObject([{ grandeur: 'note', valeur: 64 }]);
  expect(listing.energie).toHaveLength(1);
  expect(listing).not.toHaveProperty('dpeClasse');
  expect(read(points, { settings: { pays: 'IE' } })).not.toHaveProperty('energie');
});

it('Alto connector shows the house number and the exact position only if the operator allows it', () => {
  const place =
    '<address><name>12</name><street>Mill Lane</street></address><latitude>51.67123</latitude><longitude>-1.28456</longitude>';
  const [hidden, shown] = [result(place), result(place, { settings: { 'publier-adresse': 'oui' } })] as {
    listing: Listing;
    raw: object;
  }[];
  expect(hidden?.listing).toMatchObject({ latitude: 51.67, longitude: -1.28 });
  expect(hidden?.listing).not.toHaveProperty('adresse');
  expect(JSON.stringify(hidden?.raw)).not.toMatch(/51\.67|"12"/);
  expect(shown?.listing).toMatchObject({ adresse: '12 Mill Lane', latitude: 51.67123 });
});

it('Alto connector adds the sizes of the rooms to the text', () => {
  const paragraphs =
    '<description>A flat.</description><paragraphs><paragraph id="1" type="0"><name>Kitchen</name><dimensions><metric>3m x 4m</metric></dimensions><text>Fitted.</text></paragraph>' +
    '<paragraph id="2" type="1"><text>not a room</text></paragraph></paragraphs>';
  expect(read(paragraphs).commentaires).toBe('A flat.\n\nKitchen (3m x 4m)\nFitted.');
});

it('Alto connector does not list a tour or a link to a page as a photo', () => {
  const file = (type: string): string =>
    `<file id="${type}" type="${type}"><url>https://media.example.org/${type}.jpg</url></file>`;
  const listing = read(`<files>${['9', '8', '3', '2', '0'].map(file).join('')}</files>`);
  expect(listing.photos.map(({ url }) => url)).toEqual(['https://media.example.org/0.jpg']);
  expect(listing).toMatchObject({ visiteVirtuelle: 'https://media.example.org/3.jpg', plans: [{}], documents: [{}] });
});

describe('Alto listing and its summary', () => {
  const { record, request, idOf } = ALTO_WALK.details!;
  const SUMMARY = Buffer.from(
    '<property><prop_id>7</prop_id><lastchanged>2026-11-01T10:00:00</lastchanged></property>',
  );
  const answer = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(text, encoding);

  it.each([
    ['<?xml version="1.0"?><property id="7"><town>Ystrad – é</town></property>', 'utf8'],
    ['<?xml version="1.0" encoding="iso-8859-1"?>\n<!-- x --><property id="7"><town>\xe9</town></property>', 'latin1'],
  ] as const)('form one record, in any encoding: %s', (text, encoding) => {
    const both = record(SUMMARY, answer(text, encoding)).toString('latin1');
    expect(both).toMatch(/^<property id="7">.*&#233;<\/town><summary><prop_id>7<\/prop_id>.*<\/summary><\/property>$/);
  });

  it.each([
    '<html><body>x</body></html>',
    '<property id="7"><town>',
    '<propertyx/>',
    '',
    '<!DOCTYPE x><property/>',
    '<property/>',
  ])('cause an error when the answer is %j', (text) => {
    expect(() => record(SUMMARY, answer(text))).toThrow();
  });

  it("are requested from the gateway's host, whatever host and scheme a link names", () => {
    const page = { url: 'https://own.example/export/F/v12/branch/1/property', headers: { a: 'b' } };
    const url = 'http://other.example/export/F/v12/branch/1/property/7/';
    expect(request({ url }, page)).toEqual({ ...page, url: 'https://own.example/export/F/v12/branch/1/property/7' });
    expect(() => request({ url: 'http://other.example/admin' }, page)).toThrow('leads out of the export');
    expect(() => request({}, page)).toThrow('has no address');
    expect(idOf({ prop_id: '7' })).toBe('7');
  });
});

it.each([
  ['<web_status>100</web_status><price rent="pa">18000</price>', 'location', 1500],
  ['<web_status>0</web_status><price rent="pa">18000</price>', 'location', 1500],
  ['<web_status>0</web_status><price>180000</price>', 'vente', undefined],
])('Alto connector reads commercial property with %s as %s', (elements, typeTransaction, loyer) => {
  const listing = read(elements, { attributes: 'database="5"' });
  expect([listing.typeTransaction, listing.loyer]).toEqual([typeTransaction, loyer]);
});
