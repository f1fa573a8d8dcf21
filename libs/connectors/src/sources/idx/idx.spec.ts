import { join } from 'node:path';
import { BadFeed, type Listing } from '@passerelle/domain';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecords, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { connector, holdsIdx } from './connector';
import { toSwissRooms } from './mapping';

import iconv from 'iconv-lite';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Cells = Readonly<Record<number, string>>;

const FLAT: Cells = {
  0: 'IDX3.01',
  2: 'APPT',
  3: '1',
  4: 'SALE',
  5: 'R1',
  10: 'Vevey',
  16: 'Titre',
  18: '500000',
  21: 'SELL',
  22: 'CHF',
};

/** A line of 183 cells for a flat for sale, with the given cells. */
function line(cells: Cells = {}, length = 183): string {
  const values: Cells = { ...FLAT, ...cells };
  return Array.from({ length }, (_, cell) => values[cell] ?? '').join('#');
}

async function readText(
  text: string | Buffer,
  settings: Record<string, string> = {},
): Promise<{ records: RecordResult[]; warnings: string[]; notes: string[] }> {
  return readRecords(connector, Buffer.isBuffer(text) ? text : iconv.encode(text, 'windows-1252'), { settings });
}

async function readOne(
  cells: Cells,
  settings?: Record<string, string>,
): Promise<{ listing: Listing; raw: Record<string, unknown>; warnings: string[] }> {
  const { records, warnings } = await readText(`${line(cells)}\r\n`, settings);
  const [record] = records;
  if (record === undefined || !('listing' in record)) throw new Error(JSON.stringify(record));
  return { listing: record.listing, raw: record.raw, warnings };
}

function outcomes(records: readonly RecordResult[]): string[] {
  return records.map((record) =>
    'listing' in record ? record.listing.affId : 'withdrawn' in record ? 'withdrawn' : record.rejected,
  );
}

describe('IDX line with shifted columns', () => {
  it.each([
    ['the title', { 16: 'Lot #3' }],
    ['the description', { 17: 'Lot #3 au # premier' }],
    ['a line without values after the agency', { 16: 'Lot #3', 177: '', 21: '', 22: '' }],
    ['the caption of the last picture', { 149: 'photo #13' }],
    ['the visit notes, which are private', { 84: 'clé #PRIVATE' }],
  ])('is rejected when there is a "#" in %s, and the other lines are kept', async (_title, cells) => {
    const { records } = await readText(
      [
        line({ 5: 'A', 177: '01.02.2024 10:00:00' }),
        line({ 5: 'B', 177: '01.02.2024 10:00:00', ...cells }),
        line({ 5: 'C' }),
      ].join('\r\n'),
    );
    expect(outcomes(records)).toEqual(['A', 'malformed', 'C']);
  });

  it.each([
    ['an invalid offer type', line({ 4: '5' })],
    ['an invalid version cell', line({ 0: 'OpenEstate' })],
    [
      'a price unit in the currency column, in a line that lost its last cell',
      line({ 16: 'Lot #3' }).split('#').slice(0, 183).join('#'),
    ],
    [
      'a date beside its column, in a line that lost its last cell',
      line({ 91: 'n# 6', 177: '01.02.2024' }).split('#').slice(0, 183).join('#'),
    ],
    [
      'an e-mail address beside its column, in a line that lost its last cell',
      line({ 55: 'n# 5', 79: 'a@b.example' }).split('#').slice(0, 183).join('#'),
    ],
    ['too few cells', line({}, 60)],
  ])('is recognised by %s', async (_title, text) => {
    const { records } = await readText(`${text}\r\n${line({ 5: 'C' })}\r\n`);
    expect(outcomes(records)).toEqual(['malformed', 'C']);
  });

  it('is not suspected when a word is only unknown, empty cells were omitted or a separator follows the last cell', async () => {
    const { records } = await readText(
      [line({ 21: 'BIENNIAL' }), line({ 5: 'R2' }, 120), `${line({ 5: 'R3', 177: '01.02.2024' })}#`].join('\n') + '\n',
    );
    expect(outcomes(records)).toEqual(['R1', 'R2', 'R3']);
  });
});

describe('IDX lines', () => {
  it.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
    ['CR', '\r'],
  ])('may end in %s', async (_title, end) => {
    expect(outcomes((await readText([line({ 5: 'A' }), '', line({ 5: 'B' })].join(end))).records)).toEqual(['A', 'B']);
  });

  it('continue after a line break inside a text', async () => {
    const { records } = await readText(`${line({ 5: 'A', 17: 'un\ndeux' })}\r\n${line({ 5: 'B' })}\r\n`);
    expect(records).toMatchObject([{ listing: { affId: 'A', commentaires: 'un\ndeux' } }, { listing: { affId: 'B' } }]);
  });

  it('are rejected when the file ends inside them, and the feed is incomplete', async () => {
    const { records, notes } = await readText(`${line({ 5: 'A' })}\r\n${line({ 5: 'B' }).slice(0, 100)}`);
    expect(outcomes(records)).toEqual(['A']);
    expect(notes).toEqual(['broken: the file ends inside a line', 'incomplete: the file ends inside a line']);
  });

  it.each<[string, readonly number[], readonly string[]]>([
    ['shorter than the longest, and longer than the shortest', [90, 183, 120], ['R0', 'R1']],
    ['the only line, and short', [120], []],
    ['as long as the others, which are short', [120, 120, 120], ['R0', 'R1', 'R2']],
    ['longer than the others', [100, 120], ['R0', 'R1']],
  ])('are read or reported when the last line has no line end and is %s', async (_title, lengths, read) => {
    const lines = lengths.map((length, index) => line({ 5: `R${index}` }, length));
    const { records, notes } = await readText(lines.join('\r\n'));
    expect(outcomes(records)).toEqual(read);
    expect(notes.length > 0).toBe(read.length < lengths.length);
  });

  it.each<[string, readonly number[], number, boolean]>([
    ['too short for any listing', [183, 183, 120], 18, true],
    ['the only line, and too short for any listing', [], 18, true],
    ['short among full lines', [183, 183, 183, 183, 183], 100, true],
    ['short among too few full lines', [183, 183, 183, 183], 100, false],
    ['too short for any listing, like an earlier line', [183, 183, 183, 183, 183, 40], 60, false],
    ['short in a file that omits empty cells', [183, 150], 120, false],
    ['the only line, which may omit empty cells', [], 120, false],
  ])(
    'count as complete or incomplete when the last line has a line end and is %s',
    async (_title, lengths, last, isCut) => {
      const lines = [...lengths, last].map((length, index) => `${line({ 5: `R${index}` }, length)}\r\n`);
      const { notes } = await readText(lines.join(''));
      expect(notes.includes('incomplete: the file ends inside a line')).toBe(isCut);
    },
  );

  it('may end with a shorter IDX 1.02 line or other text without making the feed incomplete', async () => {
    const lines = Array.from({ length: 5 }, () => line());
    for (const end of [line({ 0: 'IDX1.02' }, 126), 'End of file'])
      expect((await readText([...lines, end, ''].join('\r\n'))).notes).toEqual([]);
  });

  it('may lack the last line end', async () => {
    expect(await readText(line())).toMatchObject({ records: [{ listing: { affId: 'R1' } }], notes: [] });
  });

  it('in another format are refused', async () => {
    await expect(readText('Service temporarily unavailable\n')).rejects.toThrow(BadFeed);
    await expect(readText('<html><body>Login</body></html>')).rejects.toThrow(BadFeed);
  });
});

describe('bytes of an IDX file', () => {
  const text = line({ 10: 'Genève', 17: 'L’œuvre à 3 €' });
  it.each([
    ['windows-1252', iconv.encode(text, 'windows-1252')],
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', iconv.encode(text, 'utf-16le', { addBOM: true })],
  ])('yield the same listing in %s', async (_title, bytes) => {
    const { records } = await readText(bytes);
    expect(records).toMatchObject([{ listing: { affId: 'R1', ville: 'Genève', commentaires: 'L’œuvre à 3 €' } }]);
  });

  it('are removed from texts when they are control characters', async () => {
    expect((await readOne({ 16: 'Bel\u0007 app\u0001artement', 17: 'a\u001fb' })).listing).toMatchObject({
      intitule: 'Bel appartement',
      commentaires: 'ab',
    });
  });
});

describe('identifier of an IDX listing', () => {
  it.each<[string, Cells, string, string]>([
    ['three references', { 5: '4711', 6: '01', 7: '0003', 178: 'P1' }, '4711.01.0003', '4711.01.0003'],
    ['one reference with leading zeros', { 5: '', 7: '00012' }, '00012', '00012'],
    ['an empty reference between two', { 5: '1', 7: '2' }, '1..2', '1..2'],
    ['the advertisement id when there is no reference', { 5: '', 178: 'P1' }, 'P1', 'P1'],
    ['the agency and a reference', { 68: ' ag01 ' }, 'AG01-R1', 'R1'],
  ])('is built from %s', async (_title, cells, affId, affNum) => {
    expect((await readOne(cells)).listing).toMatchObject({ affId, affNum });
  });

  it('stays the same when a portal gives the listing an advertisement id', async () => {
    const [before, after] = [await readOne({}), await readOne({ 178: 'P1' })];
    expect(after.listing.affId).toBe(before.listing.affId);
  });

  it('differs per agency, and ignores the spelling of the agency', async () => {
    const { records } = await readText([line({ 68: 'A' }), line({ 68: 'B' }), line({ 68: ' a' })].join('\r\n'));
    expect(records).toMatchObject([{ scope: 'A' }, { scope: 'B' }, { scope: 'A' }]);
    expect(outcomes(records)).toEqual(['A-R1', 'B-R1', 'A-R1']);
  });

  it('is required: the record is rejected when it is missing', async () => {
    const { records } = await readText(line({ 5: '' }));
    expect(records).toEqual([{ rejected: 'missing_id' }]);
  });

  it('comes with the date of change, which decides between two lines', async () => {
    expect((await readText(line({ 177: '25.02.2015 01:58:05' }))).records).toMatchObject([
      { revision: '2015-02-25T01:58:05.000Z' },
    ]);
  });
});

describe('IDX price', () => {
  it.each<[string, Cells, Partial<Listing>]>([
    ['of a sale', { 18: '500000' }, { typeTransaction: 'vente', prix: 500000 }],
    [
      'of a sale with a unit that only rents have',
      { 18: '500000', 19: '804', 20: '206', 21: 'MONTHLY' },
      { typeTransaction: 'vente', prix: 500000 },
    ],
    ['with apostrophes', { 18: "1'250'000.-" }, { typeTransaction: 'vente', prix: 1250000 }],
    [
      'of a plot per square metre',
      { 2: 'PROP', 18: '450', 21: 'SELLM2', 28: '800' },
      { typeTransaction: 'vente', prix: 360000 },
    ],
    [
      'that is the gross rent',
      { 4: 'RENT', 18: '2450', 19: '2200', 20: '250', 21: 'MONTHLY' },
      { typeTransaction: 'location', loyer: 2450, loyerBase: 2200, charges: 250 },
    ],
    [
      'that consists of net rent and extra costs',
      { 4: 'RENT', 18: '', 19: '2200', 20: '250', 21: 'MONTHLY' },
      { typeTransaction: 'location', loyer: 2450, loyerBase: 2200, charges: 250 },
    ],
    [
      'that is only a net rent',
      { 4: 'RENT', 18: '0', 19: '2200', 21: '' },
      { typeTransaction: 'location', loyer: 2200, loyerBase: 2200 },
    ],
    [
      'per year',
      { 4: 'RENT', 18: '24000', 20: '1200', 21: 'YEARLY' },
      { typeTransaction: 'location', loyer: 2000, loyerPeriode: 'an', charges: 100 },
    ],
    [
      'per week',
      { 4: 'RENT', 18: '300', 21: 'WEEKLY' },
      { typeTransaction: 'location', loyer: 1300, loyerPeriode: 'semaine' },
    ],
    [
      'per day',
      { 4: 'RENT', 18: '12', 21: 'DAILY' },
      { typeTransaction: 'location', loyer: 365, loyerPeriode: 'jour' },
    ],
    [
      'per square metre and year',
      { 4: 'RENT', 18: '240', 21: 'M2YEARLY', 29: '150' },
      { typeTransaction: 'location', loyer: 3000, loyerPeriode: 'an' },
    ],
    ['with an ambiguous point before three digits', { 18: '349.000' }, { typeTransaction: 'vente' }],
    ['that is missing', { 18: '' }, { typeTransaction: 'vente', prixSurDemande: true }],
    ['that is zero', { 4: 'RENT', 18: '0', 19: '0', 20: '0' }, { typeTransaction: 'location', prixSurDemande: true }],
    ['that is only words', { 18: 'sur demande' }, { typeTransaction: 'vente', prixSurDemande: true }],
    [
      'whose unit is the only sign of a rental',
      { 4: '', 18: '900', 21: 'MONTHLY' },
      { typeTransaction: 'location', loyer: 900 },
    ],
  ])('is read from a price %s', async (_title, cells, expected) => {
    const { typeTransaction, prix, prixSurDemande, loyer, loyerPeriode, loyerBase, charges } = (await readOne(cells))
      .listing;
    const nothing = {
      typeTransaction: undefined,
      prix: undefined,
      prixSurDemande: undefined,
      loyer: undefined,
      loyerPeriode: undefined,
      loyerBase: undefined,
      charges: undefined,
    };
    expect({ typeTransaction, prix, prixSurDemande, loyer, loyerPeriode, loyerBase, charges }).toEqual({
      ...nothing,
      ...expected,
    });
  });

  it('is absent, with a warning, when it is per square metre and there is no area', async () => {
    const { listing, warnings } = await readOne({ 18: '450', 21: 'SELLM2' });
    expect(listing).not.toHaveProperty('prix');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(warnings).toEqual(['implausible_value 21 SELLM2 without an area']);
  });

  it.each([
    [{ 18: '650000', 21: 'SELLM2', 27: '100' }, '18 650000 SELLM2'],
    [{ 4: 'RENT', 18: '1450', 21: 'M2YEARLY', 27: '100' }, undefined],
    [{ 4: 'RENT', 18: '17400', 21: 'M2YEARLY', 27: '100' }, '18 17400 M2YEARLY'],
  ])('is absent, with a warning, only when it is too high per square metre: %j', async (cells, noticed) => {
    const { listing, warnings } = await readOne({ ...cells, 2: 'INDUS' });
    expect(warnings).toEqual(noticed === undefined ? [] : [`implausible_value ${noticed}`]);
    expect([listing.prix, listing.prixSurDemande]).toEqual([undefined, undefined]);
    expect(listing.loyer).toBe(noticed === undefined ? 12_083.33 : undefined);
  });

  it.each([
    [{}, {}, 'CHF'],
    [{ 22: 'EUR' }, {}, 'EUR'],
    [{ 22: 'SFr.' }, {}, 'CHF'],
    [{ 22: '' }, {}, 'CHF'],
    [{ 22: '' }, { devise: 'EUR' }, 'EUR'],
  ])('from %j with the settings %j is in %s', async (cells, settings, expected) => {
    expect((await readOne(cells, settings)).listing.prixCurrency).toBe(expected);
  });
});

describe('IDX property type', () => {
  it.each([
    ['APPT', '1', 'appartement'],
    ['appt', '5', 'appartement'],
    ['APPT', '10', 'loft'],
    ['HOUSE', '1', 'maison'],
    ['HOUSE', '05', 'maison'],
    ['HOUSE', '7', 'immeuble'],
    ['HOUSE', '10', 'chateau'],
    ['PROP', '2', 'terrain'],
    ['PARK', '5', 'parking'],
    ['INDUS', '1', 'bureau'],
    ['INDUS', '2', 'boutique'],
    ['INDUS', '5', 'local'],
    ['INDUS', '37', 'parking'],
    ['GASTRO', '2', 'local'],
    ['GARDEN', '1', 'terrain'],
    ['AGRI', '3', 'autre'],
    ['SECONDARY', '0', 'autre'],
    ['HOUSE', '', 'maison'],
    ['HOUSE', '99', 'maison'],
  ])('for %s %s is %s', async (category, type, expected) => {
    const { listing, warnings } = await readOne({ 2: category, 3: type });
    expect(listing).toMatchObject({ typeCode: expected, typeCodeSource: category });
    expect(warnings).toEqual([]);
  });

  it('is "autre" for an unknown word, which is kept and counted in a warning', async () => {
    const { listing, warnings } = await readOne({ 2: 'YACHT' });
    expect(listing).toMatchObject({ typeCode: 'autre', typeCodeSource: 'YACHT' });
    expect(warnings).toEqual(['unknown_word 2 YACHT']);
  });

  it('makes a title when the feed has none', async () => {
    expect((await readOne({ 2: 'HOUSE', 3: '12', 16: '', 25: '4.5' })).listing.intitule).toBe(
      'Chalet 4,5 pièces à Vevey',
    );
  });

  it('says whether a flat is furnished', async () => {
    expect((await readOne({ 3: '7' })).listing.meuble).toBe(true);
    expect((await readOne({ 3: '1' })).listing.meuble).toBeUndefined();
  });
});

describe('IDX rooms', () => {
  it.each([
    ['4', 4],
    ['4.5', 4.5],
    ['4,5', 4.5],
    ['4-5', 4.5],
    ['4 - 5', 4.5],
    ['4½', 4.5],
    ['4 1/2', 4.5],
    ['0', undefined],
    ['', undefined],
    ['5-4', undefined],
    ['viele', undefined],
  ])('are read from %j as %j', (text, expected) => {
    expect(toSwissRooms(text)).toBe(expected);
  });

  it('cause a warning when they are a range', async () => {
    expect((await readOne({ 25: '4-5' })).warnings).toEqual(['implausible_value 25 4-5']);
  });
});

describe('IDX areas', () => {
  it.each<[string, Cells, Partial<Listing>]>([
    [
      'the living area and the plot area',
      { 27: '98', 28: '500', 29: '110' },
      { surfaceHabitable: 98, surfaceTerrain: 500 },
    ],
    ['the usable area where there is no living area', { 2: 'INDUS', 29: '110' }, { surfaceHabitable: 110 }],
    ['only the plot area for a plot', { 2: 'PROP', 27: '800' }, { surfaceTerrain: 800 }],
    ['absent when they are zero', { 27: '0', 28: '0', 29: '0' }, {}],
  ])('are %s', async (_title, cells, expected) => {
    const { surfaceHabitable, surfaceTerrain } = (await readOne(cells)).listing;
    expect({ surfaceHabitable, surfaceTerrain }).toEqual({
      surfaceHabitable: undefined,
      surfaceTerrain: undefined,
      ...expected,
    });
  });
});

describe('IDX pictures', () => {
  it('use URLs rather than file names, in order and with their captions, and contain no duplicates', async () => {
    const { listing, warnings } = await readOne({
      46: '1.jpg',
      47: 'two words.jpg',
      48: 'KUECHE.jpg',
      87: 'www.x.example/6.jpg',
      142: 'http://x.example/10.jpg?20240301',
      51: 'Salon',
      57: 'Cuisine<br>ouverte',
      99: 'https://x.example/1.jpg',
      100: 'https://x.example/p/',
      103: 'https://x.example/1.jpg',
    });
    expect(listing.photos).toEqual([
      { url: 'https://x.example/1.jpg', legende: 'Salon', empreinte: expect.any(String) },
      { url: 'https://x.example/p/two%20words.jpg', legende: 'Cuisine ouverte', empreinte: expect.any(String) },
      { url: 'https://www.x.example/6.jpg', empreinte: expect.any(String) },
      { url: 'http://x.example/10.jpg?20240301', empreinte: expect.any(String) },
    ]);
    expect(warnings).toEqual(['photo_missing 46 KUECHE.jpg']);
  });

  it('may be thirteen in number', async () => {
    const cells = Object.fromEntries(
      [...range(99, 107), ...range(154, 157)].map((cell) => [cell, `https://x.example/${cell}.jpg`]),
    );
    expect((await readOne(cells)).listing.photos).toHaveLength(13);
  });

  it('do not include the document, the film or a logo', async () => {
    const { listing } = await readOne({
      61: 'https://x.example/f.mp4',
      64: 'https://x.example/d.pdf',
      80: 'https://x.example/logo.jpg',
    });
    expect(listing).toMatchObject({ photos: [], video: 'https://x.example/f.mp4' });
  });
});

describe('IDX dates, places and details', () => {
  it.each([
    ['01.06.2024', '2024-06-01'],
    ['05.06.2024', '2024-06-05'],
    ['00.00.0000', undefined],
    ['01.01.1970', undefined],
    ['31.02.2024', undefined],
    ['sofort', undefined],
  ])('read the availability %j as %j', async (text, expected) => {
    expect((await readOne({ 15: text })).listing.disponibilite).toBe(expected);
  });

  it.each<[string, Cells, Partial<Listing>]>([
    ['a Swiss postcode of four digits', { 9: '1003', 12: 'CH' }, { codePostal: '1003', pays: 'CH' }],
    ['a German postcode with its leading zero', { 9: '01067', 12: 'DE' }, { codePostal: '01067', pays: 'DE' }],
    ['a French postcode that lost its leading zero', { 9: '1500', 12: 'FR' }, { codePostal: '01500', pays: 'FR' }],
    ['the name of a country', { 9: '1003', 12: 'Schweiz' }, { codePostal: '1003', pays: 'CH' }],
    ['a line without a country', { 9: '1003', 12: '' }, { codePostal: '1003', pays: 'CH' }],
  ])('read the place from %s', async (_title, cells, expected) => {
    expect((await readOne(cells)).listing).toMatchObject(expected);
  });

  it('read the flags of the equipment', async () => {
    expect((await readOne({ 35: '1', 37: '0', 38: '1', 39: '0', 170: '1', 174: '0' })).listing).toMatchObject({
      ascenseur: true,
      parking: true,
      balcon: false,
      neuf: true,
      piscine: false,
    });
  });

  it('convert titles and descriptions to plain text', async () => {
    const { listing } = await readOne({
      16: 'Vue &amp;eacute;tendue<br>!',
      17: '<b>Calme</b><BR>Lumi&egrave;re<script>x()</script>',
    });
    expect(listing).toMatchObject({ intitule: 'Vue étendue !', commentaires: 'Calme\nLumière' });
  });

  it('show the street unless the operator hides it, also in the raw record', async () => {
    const shown = await readOne({ 8: 'Rue Fictive 1' });
    const hidden = await readOne({ 8: 'Rue Fictive 1' }, { 'publier-adresse': 'non' });
    expect([shown.listing.adresse, shown.raw[8]]).toEqual(['Rue Fictive 1', 'Rue Fictive 1']);
    expect([hidden.listing.adresse, hidden.raw[8]]).toEqual([undefined, undefined]);
  });

  it('omit the visit contact, the billing address and commissions, also in the raw record', async () => {
    const { raw, listing } = await readOne(
      Object.fromEntries([...range(81, 84), ...range(127, 139), ...range(158, 160)].map((cell) => [cell, 'PRIVATE'])),
    );
    expect(JSON.stringify([raw, listing])).not.toContain('PRIVATE');
  });
});

describe('IDX file of an archive', () => {
  it.each([
    [['data/unload.txt', 'images/a.jpg', 'readme.txt'], ['data/unload.txt']],
    [['IDX301.csv', 'other.csv'], ['IDX301.csv']],
    [['agence.idx', '__macosx/._agence.idx', 'thumbs.db'], ['agence.idx']],
    [['idx', 'liesmich.txt'], ['idx']],
    [['listings.txt'], ['listings.txt']],
    [['readme.txt', 'a.jpg'], []],
    [
      ['a.txt', 'b.csv'],
      ['a.txt', 'b.csv'],
    ],
  ])('is chosen among %j: %j', (entries, expected) => {
    const names = entries.map((name) => name.toLowerCase());
    expect(names.filter((name) => holdsIdx(name, names))).toEqual(expected.map((name) => name.toLowerCase()));
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
