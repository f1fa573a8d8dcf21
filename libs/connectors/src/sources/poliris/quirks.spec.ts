import { countFills, type FillCounts, fillMask, judgeRun, WATCHED_FIELDS } from '@passerelle/domain';
import iconv from 'iconv-lite';

import { archiveOf, type DroppedFeed, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

type Cells = Record<number, string>;

interface Shape {
  cells?: number;
  separator?: string;
  quote?: string;
}

const USUAL: Cells = {
  1: 'AG42',
  2: 'R7',
  3: 'vente',
  4: 'Appartement',
  5: '06400',
  6: 'Cannes',
  11: '349000',
  20: 'Titre',
};

function line(own: Cells, { cells = 334, separator = '!#', quote = '"' }: Shape = {}): string {
  const all = { ...USUAL, ...own };
  return Array.from({ length: cells }, (_, index) => `${quote}${all[index + 1] ?? ''}${quote}`).join(separator);
}

function windows1252(text: string): Buffer {
  return iconv.encode(text, 'windows-1252');
}

function summaryOf({ listings }: DroppedFeed): unknown[] {
  return listings.map(({ affId, intitule, prix, photos }) => [affId, intitule, prix, photos.length]);
}

describe('Poliris file whose lines differ in encoding, separators and length', () => {
  const file = Buffer.concat([
    windows1252(`${line({ 175: '1', 20: 'L’œuvre à 100 €', 85: 'http://p.example//a b.jpg?v=1&amp;w=2' })}\r\n\r\n`),
    Buffer.from(`${line({ 175: '2', 20: 'Été en UTF-8', 11: '1\u202f450\u00a0000,50' }, { separator: ' !# ' })}!#\n`),
    Buffer.from(`${line({ 175: '3', 20: 'Version 4.07', 264: '' }, { cells: 255 })}\r\n`),
    Buffer.from(`${line({ 175: '4', 20: 'Demain', 335: 'nouveau' }, { cells: 340 })}\r\n`),
    Buffer.from(`${line({ 175: '5', 20: 'Super!# prix 19" et "guillemets"' })}\r\n`),
    Buffer.from(`${line({ 175: '6', 20: 'Sans guillemets' }, { quote: '' })}\r\n`),
    Buffer.from(`${line({ 175: '', 1: ' ag42 ', 2: '00012', 20: 'Un\ndeux\n\ntrois' })}\r\n`),
    Buffer.from(`${line({ 175: '8', 20: 'Roues de 19" et\n"jantes" de 17" noires\n' })}\r\n`),
    Buffer.from(line({ 1: 'AG43', 175: '1', 20: 'Autre agence' })),
  ]);

  it('is read line by line, each in its encoding and with its separators', async () => {
    const feed = await readDropped(connector, file);
    expect(summaryOf(feed)).toEqual([
      ['AG42-1', 'L’œuvre à 100 €', 349000, 1],
      ['AG42-2', 'Été en UTF-8', 1450000.5, 0],
      ['AG42-4', 'Demain', 349000, 0],
      ['AG42-5', 'Super!# prix 19" et "guillemets"', 349000, 0],
      ['AG42-6', 'Sans guillemets', 349000, 0],
      ['AG42-00012', 'Un deux trois', 349000, 0],
      ['AG42-8', 'Roues de 19" et "jantes" de 17" noires', 349000, 0],
      ['AG43-1', 'Autre agence', 349000, 0],
    ]);
    expect([feed.rejections, feed.warnings, feed.summary.incomplete]).toEqual([
      ["malformed 3: the line has 255 cells, the file's other lines have 334"],
      ['unmapped_field 335 ×1'],
      null,
    ]);
  });

  it('is read in the same way from an archive with folders, capital letters and files of other systems', async () => {
    const inArchive = await readDropped(
      connector,
      archiveOf({
        'EXPORT/ANNONCES.CSV': file,
        'EXPORT/CONFIG.TXT': 'Version=4.12\r\nDevise=Franc suisse\r\n',
        'EXPORT/Photos.cfg': 'Mode=DIFF',
        '__MACOSX/EXPORT/._annonces.csv': 'x',
        'Thumbs.db': 'x',
      }),
    );
    const plain = await readDropped(connector, file);
    expect(inArchive.listings).toEqual(plain.listings.map((listing) => ({ ...listing, prixCurrency: 'CHF' })));
  });

  it('loses control characters, markup and doubly escaped entities in its texts', async () => {
    const text = 'A\u0001B<BR>&amp;eacute;t&eacute;&nbsp;&#13;<script>alert(1)</script><b>fin</b>';
    const { listings } = await readDropped(connector, line({ 175: '1', 20: text, 21: text }));
    expect([listings[0]?.intitule, listings[0]?.commentaires]).toEqual(['AB été fin', 'AB\nété\nfin']);
  });

  it('is incomplete when it ends inside a line, and that line is rejected', async () => {
    const { listings, rejections, summary } = await readDropped(
      connector,
      `${line({ 175: '1' })}\r\n"AG42"!#"R8"!#"ven`,
    );
    expect([listings.length, rejections, summary.incomplete]).toEqual([
      1,
      ['malformed 2: the line has 3 cells, a listing has at least 20'],
      'the file ends inside a line',
    ]);
  });
});

describe('hidden Poliris price', () => {
  it.each<[string, Cells]>([
    ['of a sale', { 303: '333971', 15: '4.5' }],
    ['of a life annuity', { 3: 'viager', 185: '60000', 186: '850' }],
    ['of a rental', { 3: 'location', 331: '800', 202: '12000' }],
  ])('%s cannot be deduced from the amounts that make it up', async (_title, cells) => {
    const { listings } = await readDropped(connector, line({ 175: '1', 201: 'OUI', ...cells }));
    const { prix, loyer, prixHorsHonoraires, loyerBase, bouquet, rente, prixSurDemande } = listings[0] ?? {};
    expect([prix, loyer, prixHorsHonoraires, loyerBase, bouquet, rente, prixSurDemande]).toEqual([
      ...new Array<undefined>(6).fill(undefined),
      true,
    ]);
  });
});

it.each(['viager', 'cession de bail', 'produit d’investissement'])(
  'Poliris connector omits an ambiguous price for a %s, and warns about it',
  async (word) => {
    const { listings, warnings } = await readDropped(connector, line({ 175: '1', 3: word, 11: '180.000' }));
    expect([listings[0]?.prix, warnings]).toEqual([undefined, ['implausible_value 11 180.000 ×1']]);
  },
);

it('Poliris connector shows a price of words and digits as on request, and warns about it', async () => {
  const { listings, warnings } = await readDropped(connector, line({ 175: '1', 11: 'à partir de 590 000 €' }));
  expect([listings[0]?.prix, listings[0]?.prixSurDemande, warnings]).toEqual([
    undefined,
    true,
    ['implausible_value 11 à partir de 590 000 € ×1'],
  ]);
});

it('Poliris connector reads the fees of files without rank 302 from ranks 256 and 257', async () => {
  const { listings } = await readDropped(connector, line({ 175: '1', 256: 'OUI', 257: '5,5' }, { cells: 294 }));
  expect(listings[0]).toMatchObject({ honoraires: 5.5, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' });
});

it('Poliris connector reads yes and no in every spelling', async () => {
  const words = ['OUI', 'o', '1', 'true', 'NON', 'N', '0', 'false', 'peut-être'];
  const file = words.map((word, index) => line({ 175: String(index), 26: word })).join('\r\n');
  const { listings } = await readDropped(connector, file);
  expect(listings.map(({ meuble }) => meuble)).toEqual([true, true, true, true, false, false, false, false, undefined]);
});

it('Poliris connector gives one warning for all photo files without an archive, and omits placeholders and files that are no photos', async () => {
  const cells: Cells = {
    85: 'IMG_1.JPG',
    86: 'img_2.jpg',
    87: 'https://p.example/plan.pdf',
    88: 'www.p.example/4.jpg',
    89: '',
  };
  const { listings, warnings } = await readDropped(connector, line({ 175: '1', ...cells }));
  expect(listings[0]?.photos.map(({ url }) => url)).toEqual(['https://www.p.example/4.jpg']);
  expect(warnings).toEqual([
    'photo_invalid 85 https://p.example/plan.pdf ×1',
    'photo_missing 85 IMG_1.JPG, img_2.jpg ×2',
  ]);
});

describe('Photos.cfg', () => {
  const cells: Cells = { 175: '1', 85: 'sent.jpg', 86: 'not-sent.jpg', 87: 'https://p.example/3.jpg' };
  const archive = (config: Readonly<Record<string, string>>): Buffer =>
    archiveOf({ 'Annonces.csv': line(cells), 'sent.jpg': 'x', ...config });

  it.each(['DIFF', 'FULL', 'URL', 'diff', 'later'])('does not change any record with Mode=%s', async (mode) => {
    const plain = await readDropped(connector, archive({}));
    const feed = await readDropped(connector, archive({ 'Photos.cfg': `Mode=${mode}\r\n` }));
    expect({ ...feed, summary: plain.summary }).toEqual(plain);
    expect(feed.listings[0]?.photos.map(({ url }) => url)).toEqual(['archive:sent.jpg', 'https://p.example/3.jpg']);
    expect(feed.warnings).toEqual(['photo_missing 85 not-sent.jpg ×1']);
  });

  it.each(['Photos.cfg', 'EXPORT/PHOTOS.CFG'])(
    'is not read as a file of listings when it is called %s, even when the archive has no other file',
    async (name) => {
      await expect(readDropped(connector, archiveOf({ [name]: 'Mode=FULL' }))).rejects.toThrow(
        /does not hold the file that was expected/,
      );
    },
  );

  it('does not make the feed partial with Mode=DIFF', async () => {
    const { summary } = await readDropped(connector, archive({ 'Photos.cfg': 'Mode=DIFF' }));
    expect(summary.coverage).toEqual({ kind: 'whole' });
  });
});

it('Poliris connector keeps numbers in an unusual notation as texts in the raw record', async () => {
  const { listings, raws } = await readDropped(connector, line({ 2: '1e5', 5: '01067', 7: 'Allemagne', 175: '0x10' }));
  expect([listings[0]?.affId, listings[0]?.affNum, listings[0]?.codePostal]).toEqual(['AG42-0x10', '1e5', '01067']);
  expect(raws[0]).toMatchObject({ affId: 'AG42-0x10', affNum: '1e5', passerelleName: 'poliris', 2: '1e5', 5: '01067' });
});

it('Poliris connector omits an unknown currency, and warns about it', async () => {
  const archive = archiveOf({ 'annonces.csv': line({ 175: '1' }), 'config.txt': 'Devise=Couronnes' });
  const { listings, warnings } = await readDropped(connector, archive);
  expect([listings[0]?.prixCurrency, warnings]).toEqual([undefined, ['unknown_word Devise Couronnes ×1']]);
});

describe('ambiguous Poliris amounts', () => {
  const rows = (...prices: string[]): string =>
    prices.map((price, index) => line({ 175: String(index + 1), 11: price, 16: '85.125', 17: '1.250' })).join('\r\n');
  const sizes = ({ listings }: DroppedFeed): unknown[] =>
    listings.map(({ prix, surfaceTerrain, surfaceHabitable }) => [prix, surfaceTerrain, surfaceHabitable]);

  it('are read correctly from the first record on when a later record of the file shows the number style', async () => {
    const feed = await readDropped(connector, rows('235.000', '189.500', '1.235.000,00'));
    expect(feed.listings.map(({ prix }) => prix)).toEqual([235000, 189500, 1235000]);
    expect(feed.warnings).toEqual([]);
  });

  it('are omitted with a warning, and are not on request, when no record resolves them', async () => {
    const feed = await readDropped(connector, rows('235.000', '189500'));
    expect(sizes(feed)).toEqual([
      [undefined, undefined, undefined],
      [189500, undefined, undefined],
    ]);
    expect(feed.listings.some(({ prixSurDemande }) => prixSurDemande === true)).toBe(false);
    expect(feed.warnings).toContain('implausible_value 11 235.000 ×1');
    expect(feed.warnings).toContain('implausible_value 17 1.250 ×2');
  });

  it('change the hash of a record when their meaning becomes known, so that the record is read again', async () => {
    const doubtful = await readDropped(connector, rows('235.000'));
    const known = await readDropped(connector, rows('235.000', '1.235.000'));
    const plain = await readDropped(connector, rows('235000'));
    const beside = await readDropped(connector, rows('235000', '189500,50'));
    expect(known.hashes[0]).not.toBe(doubtful.hashes[0]);
    expect(beside.hashes[0]).not.toBe(plain.hashes[0]);
  });

  it('make the publish gate hold a run when they appear between two exports', async () => {
    const prices = (style: (price: number) => string): string[] =>
      Array.from({ length: 10 }, (_, index) => style(200 + index));
    const facts = async (written: string[]): Promise<{ total: number; fill: FillCounts }> => {
      const { listings } = await readDropped(connector, rows(...written));
      return { total: listings.length, fill: countFills(listings.map(fillMask)) };
    };
    const current = await facts(prices((price) => `${price}000`));
    const candidate = await facts(prices((price) => `${price}.000`));
    const unchanged = { records: 10, rejected: 0, added: 0, removed: 0, incomplete: null, isForeign: false };
    expect(judgeRun({ current, candidate, ...unchanged })).toMatchObject({ publish: false });
    expect(judgeRun({ current, candidate: current, ...unchanged })).toEqual({ publish: true });
  });
});

it('Poliris connector keeps texts in other languages, under the language codes that exporters use', async () => {
  const row = line({
    ...{ 175: '1', 20: 'Maison', 21: 'Au calme' },
    ...{ 124: 'GB', 126: 'House', 127: 'Quiet', 128: 'ESP', 130: '', 131: 'Tranquilo<BR>y claro' },
  });
  expect((await readDropped(connector, row)).listings[0]).toMatchObject({
    intitule: 'Maison',
    commentaires: 'Au calme',
    textes: { en: { intitule: 'House', commentaires: 'Quiet' }, es: { commentaires: 'Tranquilo\ny claro' } },
  });
  expect((await readDropped(connector, row, { langue: 'en' })).listings[0]).toMatchObject({
    intitule: 'House',
    textes: { fr: { intitule: 'Maison', commentaires: 'Au calme' } },
  });
});

describe('Poliris archive with an unusual layout', () => {
  const [one, other] = [`${line({ 175: '1' })}\r\n`, `${line({ 1: 'AG43', 175: '1' })}\r\n`];

  it('may contain two files with any names, and a file of another kind', async () => {
    const archive = archiveOf({
      'ventes.csv': one,
      'locations.csv': other,
      'photos.csv': 'a;b',
      'Config.txt': 'Devise=CHF',
    });
    const { listings, rejections } = await readDropped(connector, archive);
    expect(listings.map(({ affId, prixCurrency }) => [affId, prixCurrency])).toEqual([
      ['AG43-1', 'CHF'],
      ['AG42-1', 'CHF'],
    ]);
    expect(rejections).toEqual([]);
  });

  it('may be inside another archive', async () => {
    const archive = archiveOf({ 'export.zip': archiveOf({ 'Annonces.csv': one, 'Config.txt': 'Devise=Euro' }) });
    expect((await readDropped(connector, archive)).listings.map(({ affId }) => affId)).toEqual(['AG42-1']);
  });
});

it('Poliris connector ignores two byte order marks in a row', async () => {
  const { listings } = await readDropped(connector, `\ufeff\ufeff${line({ 175: '1' })}`);
  expect(listings.map(({ affId }) => affId)).toEqual(['AG42-1']);
});

it.each(['cp850', 'macintosh'])(
  'Poliris connector warns about a file in %s, because its text is garbled',
  async (charset) => {
    const text = line({ 175: '1', 20: 'Propriété près de la forêt', 21: 'Très belle, au calme' });
    const { listings, warnings } = await readDropped(connector, iconv.encode(text, charset));
    expect(warnings).toContain('wrong_encoding windows-1252 ×1');
    expect(fillMask(listings[0]!) & (1 << WATCHED_FIELDS.indexOf('legible'))).toBe(0);
  },
);

it.each([
  ['Appartement T3', 'appartement'],
  ['Maison de ville', 'maison'],
  ['Terrain à bâtir', 'terrain'],
  ["Local d'activités", 'local'],
  ['Grande maison', 'autre'],
])('Poliris connector reads the type %s as %s, by its first word', async (word, typeCode) => {
  const { listings, warnings } = await readDropped(connector, line({ 175: '1', 4: word, 16: '800' }));
  expect(listings[0]).toMatchObject({ typeCode, typeCodeSource: word });
  expect(listings[0]?.surfaceTerrain).toBe(typeCode === 'terrain' ? 800 : undefined);
  expect(warnings).toEqual(typeCode === 'autre' ? [`unknown_word 4 ${word} ×1`] : []);
});
