import iconv from 'iconv-lite';

import { archiveOf, type DroppedFeed, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

type Row = Readonly<Record<string, string>>;

interface Shape {
  eof?: string;
  eor?: string;
  header?: string;
  end?: string;
  lineBreak?: string;
}

const USUAL: Row = { AGENT_REF: '100_1', BRANCH_ID: '100', TRANS_TYPE_ID: '1', PRICE: '250000' };

function file(rows: readonly Row[], { eof = '^', eor = '~', header, end = '#END#', lineBreak = '\r\n' }: Shape = {}) {
  const names = [...new Set([USUAL, ...rows].flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]): string => `${cells.join(eof)}${eof}${eor}`;
  return [
    '#HEADER#',
    header ?? `Version : 3${lineBreak}EOF : '${eof}'${lineBreak}EOR : '${eor}'`,
    `Property Count : ${rows.length}`,
    '',
    '#DEFINITION#',
    line(names),
    '#DATA#',
    ...rows.map((row) => line(names.map((name) => row[name] ?? USUAL[name] ?? ''))),
    end,
  ].join(lineBreak);
}

async function readRow(row: Row, settings: Readonly<Record<string, string>> = {}) {
  const feed = await readDropped(connector, file([row]), settings);
  return { ...feed, listing: feed.listings[0] };
}

function idsOf({ listings }: DroppedFeed): string[] {
  return listings.map(({ affId }) => affId);
}

const ODD: Row = {
  TOMORROW: 'x',
  PRICE: '£1,350 pcm',
  TRANS_TYPE_ID: '02',
  BRANCH_ID: ' ab1 ',
  AGENT_REF: ' AB1_00012 ',
  DISPLAY_ADDRESS: 'L’Œuf &amp; Co, <b>Fictown</b>',
  ADDRESS_1: 'Secret House',
  TOWN: 'Fictown',
  POSTCODE1: 'ZZ1 1ZZ',
  POSTCODE2: '1ZZ',
  SUMMARY: 'null',
  DESCRIPTION: 'Caf&eacute; &amp;pound;5\u0001<script>x()</script><p>One</p>\r\nTwo~three',
  PROP_SUB_ID: '08',
  BEDROOMS: '2',
  LIVING_ROOMS: '1',
  BATHROOMS: '1',
  LET_FURN_ID: '00',
  LET_BOND: '1,500',
  LET_DATE_AVAILABLE: '01/05/2024',
  CREATE_DATE: '0000-00-00 00:00:00',
  UPDATE_DATE: '2024-03-02 10:00:00',
  NEW_HOME_FLAG: 'N',
  EXACT_LATITUDE: '0',
  EXACT_LONGITUDE: '0',
  LATITUDE: '51.5',
  LONGITUDE: '-0.1',
  AREA_SIZE_UNIT_ID: '01',
  MIN_SIZE_ENTERED: '1,000',
  MEDIA_IMAGE_00: 'AB1_00012_IMG_00.JPG',
  MEDIA_IMAGE_TEXT_00: 'Front',
  MEDIA_IMAGE_01: 'http://p.example//a b.jpg?1&amp;2',
  MEDIA_IMAGE_TEXT_01: 'null',
  MEDIA_IMAGE_02: 'https://p.example/2.jpg',
  MEDIA_IMAGE_TEXT_02: 'EPC Rating',
  MEDIA_IMAGE_03: 'https://p.example/3.jpg',
  MEDIA_IMAGE_TEXT_03: 'Floor Plan 1',
  MEDIA_IMAGE_4: 'www.p.example/4.jpg',
  MEDIA_IMAGE_TEXT_4: 'Kitchen',
  MEDIA_IMAGE_05: 'https://p.example/brochure.pdf',
  MEDIA_IMAGE_60: 'https://p.example/60.jpg',
};

it('BLM connector reads a row with unusual values field by field', async () => {
  const { listings, warnings } = await readDropped(connector, iconv.encode(file([ODD]), 'windows-1252'));
  expect(listings).toEqual([
    {
      affId: 'AB1_00012',
      documents: [
        { url: 'https://p.example/60.jpg', empreinte: '753fac212b28cf1d' },
        { url: 'https://p.example/2.jpg', titre: 'EPC Rating', empreinte: 'ab69244e3c35a5d1' },
      ],
      plans: [{ url: 'https://p.example/3.jpg', titre: 'Floor Plan 1', empreinte: '2ac08b8cf141c034' }],
      mentions: [
        {
          code: 'gb-deposit',
          pays: 'GB',
          langue: 'en',
          texte: 'Deposit: £1,500',
          source:
            'Material information, part A (National Trading Standards); Digital Markets, Competition and Consumers Act 2024, s. 227',
        },
      ],
      affNum: 'AB1_00012',
      passerelleName: 'blm',
      intitule: 'L’Œuf & Co, Fictown',
      commentaires: 'Café £5\n\nOne\n\nTwo~three',
      typeTransaction: 'location',
      typeTransactionSource: '02',
      typeCode: 'appartement',
      typeCodeSource: '08',
      prixCurrency: 'GBP',
      loyer: 1350,
      surfaceHabitable: 92.9,
      nbrePieces: 3,
      nbreChambres: 2,
      ville: 'Fictown',
      codePostal: 'ZZ1 1ZZ',
      pays: 'GB',
      adresse: 'L’Œuf & Co, Fictown',
      latitude: 51.5,
      longitude: -0.1,
      photos: [
        { url: 'http://p.example//a%20b.jpg?1&2', empreinte: expect.any(String) as string },
        { url: 'https://www.p.example/4.jpg', legende: 'Kitchen', empreinte: expect.any(String) as string },
      ],
      nbreSallesDeBain: 1,
      meuble: true,
      neuf: false,
      depotGarantie: 1500,
      disponibilite: '2024-05-01',
      dateModification: '2024-03-02T10:00:00',
    },
  ]);
  expect(warnings).toEqual([
    'unmapped_field TOMORROW ×1',
    'photo_invalid MEDIA_IMAGE https://p.example/brochure.pdf ×1',
    'photo_missing MEDIA_IMAGE AB1_00012_IMG_00.JPG ×1',
  ]);
});

it('BLM connector keeps the values of the CRM unchanged in the raw record, and omits private and unknown columns', async () => {
  const { raws } = await readRow(ODD);
  expect(raws[0]).toMatchObject({
    affId: 'AB1_00012',
    BRANCH_ID: ' ab1 ',
    PRICE: '£1,350 pcm',
    TRANS_TYPE_ID: '02',
    MEDIA_IMAGE_60: 'https://p.example/60.jpg',
  });
  expect(JSON.stringify(raws)).not.toMatch(/Secret|TOMORROW|ADDRESS_1/);
});

describe('BLM cell and row marks', () => {
  it.each([
    ['|', '~'],
    ['\u00ac', '~'],
    ['||', '~~'],
    ['\t', '|'],
    ['^', '@#'],
  ])('are %j and %j when the header declares them', async (eof, eor) => {
    const rows = [{ DISPLAY_ADDRESS: 'Café' }, { AGENT_REF: '100_2' }];
    for (const encoding of ['utf-8', 'windows-1252']) {
      const feed = await readDropped(connector, iconv.encode(file(rows, { eof, eor }), encoding));
      expect([idsOf(feed), feed.listings[0]?.intitule, feed.rejections]).toEqual([['100_1', '100_2'], 'Café', []]);
    }
  });

  it.each<[string, Shape]>([
    ['empty marks', { header: "Version : 3\nEOF : ''\nEOR : ''" }],
    ['no marks', { header: 'Version : 3' }],
    ['no marks, in version 3i', { header: 'version=3I', eof: '|' }],
    ['no header keys', { header: '' }],
    ['a line break as row mark', { header: "EOF : '^'\nEOR : '\\n'", eor: '', lineBreak: '\n' }],
    ['CR line breaks', { lineBreak: '\r' }],
    ['an end mark in small letters', { end: '#end#' }],
    ['no end mark', { end: '' }],
  ])('are recognised in a file with %s', async (_title, shape) => {
    const feed = await readDropped(connector, `\ufeff${file([{}, { AGENT_REF: '100_2' }], shape)}`);
    expect([idsOf(feed), feed.rejections, feed.warnings, feed.summary.incomplete]).toEqual([
      ['100_1', '100_2'],
      [],
      [],
      null,
    ]);
  });

  it('are distinguished inside a text, or cause the rejection of only that row', async () => {
    const texts = ['a ~ b', 'a~\r\nb\r\n#DATA# c', '#END#', 'a ^ b', ''];
    const feed = await readDropped(
      connector,
      file(texts.map((SUMMARY, index) => ({ AGENT_REF: `100_${index}`, SUMMARY }))),
    );
    expect(feed.listings.map(({ affId, commentaires }) => [affId, commentaires])).toEqual([
      ['100_0', 'a ~ b'],
      ['100_1', 'a~\nb\n#DATA# c'],
      ['100_2', '#END#'],
      ['100_4', undefined],
    ]);
    expect(feed.rejections).toEqual(['malformed 4: the row has 7 cells, the definition 5 columns']);
  });
});

describe('BLM price with an unusual value', () => {
  it.each<[string, Row, object, string[]]>([
    ['POA', { PRICE: 'POA' }, { prixSurDemande: true }, []],
    ['a qualifier in words', { PRICE_QUALIFIER: 'Price on Application' }, { prixSurDemande: true }, []],
    ['a guide price', { PRICE_QUALIFIER: '2' }, { prix: 250000 }, []],
    ['an amount with two meanings', { PRICE: '1.350' }, {}, ['implausible_value PRICE 1.350 ×1']],
    [
      'words around digits',
      { PRICE: 'from 250,000' },
      { prixSurDemande: true },
      ['implausible_value PRICE from 250,000 ×1'],
    ],
    ['a letting with its period in the price', { TRANS_TYPE_ID: '2', PRICE: '£300 pw' }, { loyer: 1300 }, []],
    [
      'a letting whose price and period column disagree',
      { TRANS_TYPE_ID: '2', PRICE: '300 pw', LET_RENT_FREQUENCY: '1' },
      { loyer: 300 },
      [],
    ],
    [
      'a letting with words that are not a period',
      { TRANS_TYPE_ID: '2', PRICE: '300 or so' },
      { prixSurDemande: true },
      ['implausible_value PRICE 300 or so ×1'],
    ],
    ['a sale with the period of a letting', { LET_RENT_FREQUENCY: '0' }, { prix: 250000 }, []],
  ])('causes a warning when it may mean an amount: %s', async (_title, row, expected, noticed) => {
    const { listing, warnings } = await readRow(row);
    const { prix, loyer, prixSurDemande } = listing ?? {};
    expect(JSON.parse(JSON.stringify({ prix, loyer, prixSurDemande }))).toEqual(expected);
    expect(warnings).toEqual(noticed);
  });

  it.each([
    ['00', 1300],
    ['pw', 1300],
    ['P/W', 1300],
    ['Per Week', 1300],
    ['01', 300],
    ['p.c.m.', 300],
    ['month', 300],
    ['02', 100],
    ['pa', 25],
    ['per annum', 25],
  ])('with the period "%s" is %d a month', async (LET_RENT_FREQUENCY, loyer) => {
    const { listing, warnings } = await readRow({ TRANS_TYPE_ID: '2', PRICE: '300', LET_RENT_FREQUENCY });
    expect([listing?.loyer, warnings]).toEqual([loyer, []]);
  });
});

it('BLM connector ignores the letter case of a branch, and lets two branches share a reference', async () => {
  const rows = [
    { BRANCH_ID: 'b1', AGENT_REF: 'A' },
    { BRANCH_ID: ' B1 ', AGENT_REF: 'A' },
    { BRANCH_ID: 'B2', AGENT_REF: 'A' },
    { BRANCH_ID: 'b1', AGENT_REF: 'B1_00012' },
  ];
  expect(idsOf(await readDropped(connector, file(rows)))).toEqual(['B1-A', 'B1-A', 'B2-A', 'B1_00012']);
});

it('BLM connector omits an unknown country, and warns about it', async () => {
  const { listing, warnings } = await readRow({ COUNTRY_CODE: 'Narnia', ZIPCODE: '1000' });
  expect([listing?.pays, listing?.codePostal, warnings]).toEqual([
    undefined,
    '1000',
    ['unknown_word COUNTRY_CODE Narnia ×1'],
  ]);
});

it('BLM connector shows the position for display, but never the position of the door, in both forms', async () => {
  const exact = { EXACT_LATITUDE: '51.51234', EXACT_LONGITUDE: '-0.11234', EXACT_LONGDITUDE: '-0.11234' };
  const { listing, raws } = await readRow({ ...exact, LATITUDE: '51.5', LONGITUDE: '-0.1' });
  expect(listing).toMatchObject({ latitude: 51.5, longitude: -0.1 });
  for (const column of Object.keys(exact)) expect(raws[0]).not.toHaveProperty(column);
  const alone = await readRow({ ...exact, LATITUDE: '', LONGITUDE: '' });
  expect(alone.listing).not.toHaveProperty('latitude');
});

it('BLM connector keeps numbers in an unusual notation as texts in the raw record', async () => {
  const { raws } = await readRow({ AGENT_REF: '1e5', BRANCH_ID: '007', ZIPCODE: '01067', COUNTRY_CODE: 'DE' });
  expect(raws[0]).toMatchObject({ affId: '007-1e5', affNum: '1e5', AGENT_REF: '1e5', ZIPCODE: '01067' });
});

it('a BLM archive may contain several files, and is incomplete when one of them is cut', async () => {
  const whole = file([{}]);
  const two = archiveOf({ 'a.blm': whole, 'B.BLM': file([{ AGENT_REF: '100_2' }]), '100_1_IMG_00.jpg': 'x' });
  const both = await readDropped(connector, two);
  expect([idsOf(both).sort(), both.summary.incomplete]).toEqual([['100_1', '100_2'], null]);
  const cut = await readDropped(connector, archiveOf({ 'a.blm': whole, 'b.blm': whole.slice(0, -12) }));
  expect(cut.summary.incomplete).toMatch(/the file ends inside the row/);
});

it('a BLM file without rows is a complete feed without listings', async () => {
  expect((await readDropped(connector, file([]))).summary).toMatchObject({ incomplete: null, warnings: [] });
});

it.each<[string, Buffer | string, RegExp]>([
  ['an empty file', '', /empty/],
  ['an HTML page', '<html><body>Login</body></html>', /HTML/],
  ['an archive without a BLM file', archiveOf({ 'a.txt': file([{}]) }), /does not hold/],
  ['a definition without AGENT_REF', file([{}]).replace('AGENT_REF', 'REF'), /AGENT_REF/],
])('BLM connector refuses %s', async (_title, content, message) => {
  await expect(readDropped(connector, content)).rejects.toThrow(message);
});

describe('position of a BLM property', () => {
  const door = { EXACT_LATITUDE: '51.512345', EXACT_LONGITUDE: '-0.123456' };
  const read = async (row: Row): Promise<[unknown, unknown, string]> => {
    const { listings, raws } = await readDropped(connector, file([row]));
    return [listings[0]?.latitude, listings[0]?.longitude, JSON.stringify(raws[0])];
  };

  it('is the position for display, and never the door', async () => {
    const [latitude, longitude, raw] = await read({ ...door, LATITUDE: '51.51', LONGITUDE: '-0.13' });
    expect([latitude, longitude]).toEqual([51.51, -0.13]);
    expect(raw).not.toContain('51.512345');
  });

  it('is rounded to the district when the position for display is the door', async () => {
    const [latitude, longitude, raw] = await read({ ...door, LATITUDE: '51.51235', LONGITUDE: '-0.12345' });
    expect([latitude, longitude]).toEqual([51.51, -0.12]);
    expect(raw).not.toContain('51.5123');
  });

  it('is absent when only the door is known', async () => {
    expect((await read(door)).slice(0, 2)).toEqual([undefined, undefined]);
  });
});

it.each<[string, Row, string, string]>([
  [
    'the third line of the address',
    { TOWN: '', ADDRESS_3: 'Fictown' },
    'Fictown',
    'Terraced house in Fictown, 3 bedrooms',
  ],
  ['the number of bedrooms', { TOWN: '', PROP_SUB_ID: '' }, '', 'Property, 3 bedrooms'],
])(
  'BLM connector uses %s for the title when there is no town and no address to show',
  async (_title, row, ville, intitule) => {
    const { listings, raws } = await readDropped(
      connector,
      file([{ PROP_SUB_ID: '1', BEDROOMS: '3', DISPLAY_ADDRESS: '', ADDRESS_1: 'PRIVATE', ...row }]),
    );
    expect([listings[0]?.ville ?? '', listings[0]?.intitule]).toEqual([ville, intitule]);
    expect(JSON.stringify(raws)).not.toContain('ADDRESS_3');
  },
);

it.each([
  ['0', undefined, []],
  ['', undefined, []],
  ['1', true, []],
  ['03', true, []],
  ['Under Offer', true, []],
  ['9', undefined, ['unknown_word STATUS_ID 9 ×1']],
])('BLM connector marks a property with status %j as under offer: %j', async (STATUS_ID, sousOffre, noticed) => {
  const { listings, warnings } = await readDropped(connector, file([{ STATUS_ID }]));
  expect([listings[0]?.sousOffre, warnings]).toEqual([sousOffre, noticed]);
});
