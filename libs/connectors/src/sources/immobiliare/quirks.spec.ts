import type { Listing } from '@passerelle/domain';
import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const PLACE = '<location><city>Fintopoli</city></location>';

function feed(properties: string, head = ''): string {
  return `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://feed.immobiliare.it">${head}<properties>${properties}</properties></feed>`;
}

function property(inside: string, id = '7', operation = 'write'): string {
  return `<property operation="${operation}"><unique-id>${id}</unique-id>${PLACE}${inside}</property>`;
}

function transactions(...all: readonly (readonly [string, string])[]): string {
  const each = all.map(([attributes, price]) => `<transaction ${attributes}><price>${price}</price></transaction>`);
  return `<transactions>${each.join('')}</transactions>`;
}

const read = (inside: string): ReturnType<typeof readDropped> => readDropped(connector, feed(property(inside)));
const offersOf = (listings: readonly Listing[]): unknown[] =>
  listings.map(({ affId, typeTransaction, prix, loyer }) => [affId, typeTransaction, prix ?? loyer]);

describe('Immobiliare status of a property', () => {
  const BOTH = transactions(['type="S"', '100000'], ['type="R"', '700']);

  it.each([
    ['Venduto', []],
    ['VENDUTA', []],
    ['Già venduto', []],
    ['archiviato', []],
    // A property with a tenant may be for sale.
    ['Affittato', ['7']],
    ['Locata', ['7']],
    ['ristrutturato', ['7', '7-location']],
    ['da vendere', ['7', '7-location']],
  ])('with the word %s keeps the offers %j', async (word, shown) => {
    for (const status of [
      `<building><status>${word}</status></building>`,
      `<building-status>${word}</building-status>`,
    ]) {
      const { listings, rejections } = await read(`${BOTH}${status}`);
      expect([listings.map(({ affId }) => affId), rejections.length]).toEqual([shown, 2 - shown.length]);
    }
  });
});

describe('Immobiliare transactions', () => {
  it.each<[readonly (readonly [string, string])[], unknown[]]>([
    [[['type="S"', '100000']], [['7', 'vente', 100_000]]],
    [[['type="R"', '700']], [['7-location', 'location', 700]]],
    [
      [
        ['type="R"', '700'],
        ['type="S"', '100000'],
      ],
      [
        ['7', 'vente', 100_000],
        ['7-location', 'location', 700],
      ],
    ],
    [[['type="S" auction="true"', '60000']], [['7-enchere', 'enchere', 60_000]]],
    [
      [
        ['type="S" auction="false"', '100000'],
        ['type="R"', '700'],
        ['type="S" auction="true"', '60000'],
      ],
      [
        ['7', 'vente', 100_000],
        ['7-location', 'location', 700],
        ['7-enchere', 'enchere', 60_000],
      ],
    ],
  ])('become one offer each: %j', async (all, expected) => {
    const { listings, warnings } = await read(transactions(...all));
    expect([offersOf(listings), warnings]).toEqual([expected, []]);
  });

  it('are all withdrawn when the property is deleted, whatever they were', async () => {
    const { rejections, summary } = await readDropped(connector, feed(property('', '7', 'delete')));
    expect(rejections.map((one) => one.split(':')[0])).toEqual([
      ...['withdrawn 7', 'withdrawn 7-location', 'withdrawn 7-enchere'],
    ]);
    expect(summary.coverage).toEqual({ kind: 'delta' });
  });
});

describe('Immobiliare property that the file does not name', () => {
  const page = (current: number, last: number): string =>
    `<metadata><build-date>2024-01-01T00:00:00</build-date><multipage><current>${current}</current><last>${last}</last></multipage></metadata>`;

  it.each([
    ['is removed when the file is a list', feed(property('')), 'whole'],
    ['is removed when the list has only one page', feed(property(''), page(1, 1)), 'whole'],
    ['stays when the list has more pages', feed(property(''), page(1, 3)), 'delta'],
    ['stays when the file deletes another property', feed(property('') + property('', '8', 'delete')), 'delta'],
  ])('%s', async (_title, content, kind) => {
    expect((await readDropped(connector, content)).summary.coverage).toEqual({ kind });
  });

  it('does not change the hashes of a file that is written again an hour later', async () => {
    const head = (hour: number): string => page(1, 1).replace('T00', `T0${hour}`);
    const [first, second] = await Promise.all(
      [1, 2].map((hour) => readDropped(connector, feed(property(''), head(hour)))),
    );
    expect(second?.hashes).toEqual(first?.hashes);
  });
});

describe('Immobiliare energy class', () => {
  it.each<[string, object | undefined, string[]]>([
    ['<energy-class value="A4"/>', { classe: 'A4' }, []],
    ['<energy-class scale="2" value="A1"/>', { classe: 'A1' }, []],
    ['<energy-class>G</energy-class>', { classe: 'G' }, []],
    ['<energy-class scale="1" value="A"/>', undefined, []],
    ['<energy-class scale="2" value="A"/>', undefined, ['unknown_word features.energy-class A ×1']],
    ['<energy-class value="H"/>', undefined, ['unknown_word features.energy-class H ×1']],
    ['<energy-class value="ESENTE"/>', { statut: 'non-soumis' }, []],
    ['<energy-class value="NC"/>', undefined, []],
    ['<energy-class value="B" certified="false"/>', undefined, []],
    [
      '<energy-class value="B"><energy-performance unit="kWh/m2anno" type="ren">9</energy-performance><energy-performance unit="kWh/m2anno" type="nren">51.20</energy-performance></energy-class>',
      { classe: 'B', valeur: 51.2, unite: 'kWh/m²/an' },
      [],
    ],
    [
      '<energy-class value="B"><energy-performance unit="kWh/m3anno" type="nren">12</energy-performance></energy-class>',
      { classe: 'B', valeur: 12, unite: 'kWh/m³/an' },
      [],
    ],
    [
      '<energy-class value="B"><energy-performance unit="kWh/m³" type="nren">12</energy-performance><energy-performance unit="kWh/m²" type="nren">40</energy-performance></energy-class>',
      { classe: 'B', valeur: 40, unite: 'kWh/m²/an' },
      [],
    ],
  ])('is read from %s', async (written, expected, noticed) => {
    const { listings, warnings } = await read(`<features>${written}</features>`);
    const { classe, valeur, unite, statut } = listings[0]?.energie?.[0] ?? {};
    const figure = JSON.parse(JSON.stringify({ classe, valeur, unite, statut })) as object;
    expect([Object.keys(figure).length === 0 ? undefined : figure, warnings]).toEqual([expected, noticed]);
  });

  it('is on the scale of the country', async () => {
    const { listings } = await readDropped(
      connector,
      feed(
        '<property><unique-id>1</unique-id><location><country-code>fr</country-code><city>Nizza</city></location><features><energy-class value="B"/></features></property>',
      ),
    );
    expect(listings[0]?.energie).toMatchObject([{ pays: 'FR', echelle: 'FR-DPE', classe: 'B' }]);
  });
});

it.each<[string, string, unknown[], boolean]>([
  ['exact', 'yes', ['Via Finta 1', 41.8957, 12.4823], true],
  ['near', 'yes', ['Via Finta 1', 41.9, 12.48], false],
  ['exact', 'no', [undefined, 41.9, 12.48], false],
  ['no', 'no', [undefined, undefined, undefined], false],
  ['', '', [undefined, 41.9, 12.48], false],
])(
  'Immobiliare connector decides by the map "%s" and the street display "%s" about address and position',
  async (map, display, expected, isRaw) => {
    const { listings, raws } = await readDropped(
      connector,
      feed(
        `<property><unique-id>1</unique-id><location><city>Fintopoli</city><locality map="${map}"><thoroughfare display="${display}">Via Finta 1</thoroughfare><longitude>12.4823</longitude><latitude>41.8957</latitude></locality></location></property>`,
      ),
    );
    expect([listings[0]?.adresse, listings[0]?.latitude, listings[0]?.longitude]).toEqual(expected);
    expect(JSON.stringify(raws).includes('12.4823')).toBe(isRaw);
    expect(JSON.stringify(raws).includes('Via Finta')).toBe(isRaw);
  },
);

it('Immobiliare connector warns about projects, because it does not read them', async () => {
  const projects = '<projects><project><unique-id>P</unique-id></project></projects>';
  expect((await readDropped(connector, feed(property(''), projects))).warnings).toEqual(['unmapped_field projects ×1']);
  expect((await readDropped(connector, feed(property(''), '<projects/>'))).warnings).toEqual([]);
});

it('Immobiliare connector reads the XML of an archive and the pictures that it names', async () => {
  const pictures = '<pictures><picture position="2" url="b.jpg"/><picture position="1" url="A.JPG"/></pictures>';
  const archive = archiveOf({
    'export/feed.xml': feed(property(pictures)),
    '__MACOSX/._feed.xml': 'x',
    'export/a.jpg': Buffer.from('a'),
    'export/b.jpg': Buffer.from('b'),
  });
  const { listings, summary } = await readDropped(connector, archive);
  expect(listings[0]?.photos).toHaveLength(2);
  expect(summary.incomplete).toBeNull();
});

it.each<[string, string]>([
  ['between properties', feed(property('')).slice(0, -'</properties></feed>'.length)],
  ['inside a property', feed(property('')).slice(0, -50)],
])('Immobiliare connector reports a file that is cut %s as incomplete', async (_title, content) => {
  expect((await readDropped(connector, content)).summary.incomplete).toMatch(/the document ends at line 1/);
});

it('Immobiliare connector omits a reserved price, in the raw record too', async () => {
  const price = '<price currency="EUR" reserved="yes">450000</price>';
  const { listings, raws } = await read(
    `<transactions><transaction type="S">${price}</transaction><transaction type="R"><price>1200</price></transaction></transactions>`,
  );
  expect(listings).toMatchObject([{ prixSurDemande: true }, { loyer: 1_200 }]);
  expect(JSON.stringify(raws)).not.toContain('450000');
  expect(JSON.stringify(raws)).toContain('1200');
});

it('Immobiliare connector reads the unit "mq" as square metres', async () => {
  const { listings, warnings } = await read('<features><size unit="mq">95</size></features>');
  expect([listings[0]?.surfaceHabitable, warnings]).toEqual([95, []]);
});
