import { BadFeed, type Listing } from '@passerelle/domain';
import iconv from 'iconv-lite';

import { archiveOf, type DroppedFeed, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

type Cells = Readonly<Record<number, string>>;

const USUAL: Cells = {
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
  177: '25.02.2024 01:58:05',
};

function line(own: Cells, cells = 183): string {
  const all: Cells = { ...USUAL, ...own };
  return Array.from({ length: cells }, (_, cell) => all[cell] ?? '').join('#');
}

function windows1252(text: string): Buffer {
  return iconv.encode(text, 'windows-1252');
}

async function readOne(own: Cells): Promise<{ listing: Partial<Listing>; warnings: string[] }> {
  const { listings, warnings } = await readDropped(connector, windows1252(`${line(own)}\r\n`));
  return { listing: listings[0] ?? {}, warnings };
}

const idsOf = ({ listings }: DroppedFeed): string[] => listings.map(({ affId }) => affId);

const PRIVATE = [71, 77, 81, 82, 83, 84, 85, 86, 140, 141, 158, 159, 160, 179, 180, 181, 182, ...range(127, 139)];

const ODD: Cells = {
  ...Object.fromEntries(PRIVATE.map((cell) => [cell, 'PRIVATE'])),
  2: ' indus ',
  3: '01',
  4: 'rent',
  5: '00012',
  6: '01',
  7: '0003',
  8: 'Rue Fictive&nbsp;1',
  9: 'CH-1003',
  10: '  L’Essai ',
  12: 'ch',
  15: '1.6.2024',
  16: '"Été" &amp;eacute;&#13; <b>clair</b>',
  17: 'l&#039;un<BR>deux\u0001<script>x()</script> € 3 &#x26; 4',
  18: '',
  19: "Fr. 1'200.–",
  20: '300.00',
  21: ' m2yearly',
  22: 'SFr.',
  24: '2. OG',
  25: '4½ Zimmer',
  27: '0',
  29: "1'000 m2",
  31: '0',
  35: 'J',
  37: 'N',
  38: '0',
  46: 'VUE.JPG',
  47: 'two words.jpg',
  48: 'C:\\fictif\\cour.jpg',
  52: 'S&eacute;jour',
  68: ' ag01 ',
  69: 'Régie &amp; Cie',
  76: '+41 22 000 00 01',
  79: 'mailto:contact@regie.example',
  100: 'https://p.example/f/',
  101: '//p.example/cour.jpg',
  103: 'https://p.example/f/',
  104: 'https://p.example/plan.pdf',
  154: 'HTTPS://p.example/13.jpg?v=1&amp;w=2',
  174: '0',
};

it('IDX connector reads a line with an unusual value in every cell cell by cell', async () => {
  const { listings, raws, warnings, rejections } = await readDropped(connector, windows1252(`${line(ODD)}\r\n`));
  expect(listings).toEqual([
    {
      affId: 'AG01-00012.01.0003',
      loyerHorsCharges: 100000,
      surfaceUtile: 1000,
      affNum: '00012.01.0003',
      passerelleName: 'idx',
      intitule: '"Été" é clair',
      commentaires: "l'un\ndeux\n€ 3 & 4",
      typeTransaction: 'location',
      typeTransactionSource: 'rent',
      typeCode: 'bureau',
      typeCodeSource: 'indus',
      prixCurrency: 'CHF',
      loyer: 125000,
      loyerPeriode: 'an',
      loyerSource: { montant: 1500000, periode: 'an' },
      loyerBase: 100000,
      charges: 25000,
      surfaceHabitable: 1000,
      nbrePieces: 4.5,
      ville: 'L’Essai',
      codePostal: '1003',
      pays: 'CH',
      adresse: 'Rue Fictive 1',
      photos: [
        { url: 'https://p.example/f/two%20words.jpg', legende: 'Séjour', empreinte: expect.any(String) as string },
        { url: 'https://p.example/cour.jpg', empreinte: expect.any(String) as string },
        { url: 'https://p.example/13.jpg?v=1&w=2', empreinte: expect.any(String) as string },
      ],
      agenceNom: 'Régie & Cie',
      agenceTel: '+41 22 000 00 01',
      negoEmail: 'contact@regie.example',
      etage: 2,
      parking: false,
      ascenseur: true,
      piscine: false,
      disponibilite: '2024-06-01',
      dateModification: '2024-02-25T01:58:05',
    },
  ]);
  expect([rejections, warnings]).toEqual([
    [],
    ['photo_invalid 46 https://p.example/plan.pdf ×1', 'photo_missing 46 VUE.JPG ×1'],
  ]);
  expect(raws[0]).toMatchObject({ affId: 'AG01-00012.01.0003', passerelleName: 'idx', 5: '00012', 19: "Fr. 1'200.–" });
  expect(JSON.stringify([listings, raws])).not.toContain('PRIVATE');
});

describe('IDX amount', () => {
  it.each<[string, number | undefined, string[]]>([
    ["1'250'000.–", 1250000, []],
    ["SFr. 1'250'000.-", 1250000, []],
    ['1`250`000', 1250000, []],
    ['CHF 1 250 000.--', 1250000, []],
    ['1.250.000', 1250000, []],
    ['500000.00', 500000, []],
    ['0', undefined, []],
    ['Preis auf Anfrage', undefined, []],
    ['ab 500000', undefined, ['implausible_value 18 ab 500000 ×1']],
    ['1e5', undefined, ['implausible_value 18 1e5 ×1']],
    ['349', 349, ['implausible_value 18 349 ×1']],
  ])('is read from %j as %j, with a warning when another amount may be meant', async (written, prix, noticed) => {
    const { listing, warnings } = await readOne({ 18: written });
    expect([listing.prix, listing.prixSurDemande, warnings]).toEqual([
      prix,
      prix === undefined ? true : undefined,
      noticed,
    ]);
  });

  it.each<[string, Cells, Partial<Listing>, string[]]>([
    [
      'of -1 is absent, is not on request, and causes a warning',
      { 18: '-1', 19: '0', 20: '-1' },
      {},
      ['implausible_value 20 -1 ×1', 'implausible_value 18 -1 ×1'],
    ],
    [
      'that cannot be read is on request, and causes a warning',
      { 18: 'ab 800' },
      { prixSurDemande: true },
      ['implausible_value 18 ab 800 ×1'],
    ],
    ['with a unit for sales is a monthly rent', { 18: '900', 21: 'SELL' }, { loyer: 900 }, []],
    [
      'with a unit for sales per square metre is a monthly rent, and causes a warning',
      { 18: '900', 21: 'SELLM2', 27: '100' },
      { loyer: 900 },
      ['implausible_value 21 SELLM2 of a rent ×1'],
    ],
    [
      'with an unknown unit is omitted, is not on request, and causes a warning',
      { 18: '900', 19: '800', 20: '100', 21: 'BIENNIAL' },
      {},
      ['unknown_word 21 BIENNIAL ×1'],
    ],
  ])('of a rental %s', async (_title, cells, expected, noticed) => {
    const { listing, warnings } = await readOne({ 4: 'RENT', 21: 'MONTHLY', ...cells });
    const { loyer, loyerPeriode, loyerBase, charges, prixSurDemande } = listing;
    const given = JSON.parse(JSON.stringify({ loyer, loyerPeriode, loyerBase, charges, prixSurDemande })) as unknown;
    expect([given, warnings]).toEqual([expected, noticed]);
  });
});

it.each<[string, Cells, Partial<Listing>, string[]]>([
  ['a currency', { 22: 'Kronen' }, {}, ['unknown_word 22 Kronen ×1']],
  ['a country', { 12: 'Atlantis' }, { prixCurrency: 'CHF' }, ['unknown_word 12 Atlantis ×1']],
  ['an area', { 27: 'ca. 100' }, { prixCurrency: 'CHF', pays: 'CH' }, ['implausible_value 27 ca. 100 ×1']],
  ['a number of rooms', { 25: 'viele' }, { prixCurrency: 'CHF', pays: 'CH' }, ['implausible_value 25 viele ×1']],
])('IDX connector omits %s with an unknown value, and warns about it', async (_title, cells, expected, noticed) => {
  const { listing, warnings } = await readOne({ 12: 'CH', ...cells });
  expect([listing.surfaceHabitable, listing.nbrePieces, warnings]).toEqual([undefined, undefined, noticed]);
  expect(listing).toMatchObject(expected);
  expect(['prixCurrency', 'pays'].filter((field) => field in listing)).toHaveLength(Object.keys(expected).length || 1);
});

it.each([
  ['FL', 'FL-9490', 'LI', '9490'],
  ['d', 'D-01067', 'DE', '01067'],
  ['F', '1500', 'FR', '01500'],
  ['', '6400', 'CH', '6400'],
])('IDX connector reads the country %j with the postcode %j as %s %s', async (country, postcode, pays, codePostal) => {
  expect((await readOne({ 12: country, 9: postcode })).listing).toMatchObject({ pays, codePostal });
});

it.each([
  ['sofort', '31.02.2024 10:00:00'],
  ['00.00.0000', '01.01.1970'],
  ['01.06.24', '00.00.0000 00:00:00'],
])('IDX connector reads no dates from the availability %j and the change %j', async (available, changed) => {
  const { listing } = await readOne({ 15: available, 177: changed });
  expect([listing.disponibilite, listing.dateModification]).toEqual([undefined, undefined]);
});

describe('an IDX file', () => {
  const mixed = Buffer.concat([
    Buffer.from(`\uFEFF${line({ 5: 'A', 10: 'Genève' })}\r\n  \r\n`),
    windows1252(`${line({ 5: 'B', 10: 'Bâle œ' })}\n`),
    Buffer.from(`${line({ 5: 'C', 17: 'un\r\n\r\ndeux &#38; &#39;trois&#39;', 84: 'un\ndeux' })}\r`),
    Buffer.from(`${line({ 5: 'D', 16: 'Lot #3' })}\r\n`),
    Buffer.from(`${line({ 5: 'E' })}#\r\n${line({ 5: 'F' }, 100)}\r\n${line({ 5: 'G' }, 84)}\r\n`),
    Buffer.from(`${line({ 5: '', 178: '' })}\r\n${line({ 5: '', 178: 'P1' })}\r\n\u001a`),
  ]);

  it('is read line by line when its lines differ in encoding, line ends and length', async () => {
    const feed = await readDropped(connector, mixed);
    expect(idsOf(feed)).toEqual(['A', 'B', 'C', 'E', 'F', 'P1']);
    expect(feed.listings.slice(0, 3).map(({ ville, commentaires }) => [ville, commentaires])).toEqual([
      ['Genève', undefined],
      ['Bâle œ', undefined],
      ['Vevey', "un\n\ndeux & 'trois'"],
    ]);
    expect(feed.rejections).toEqual([
      'malformed 4: the line has 184 cells instead of 183: there is a "#" in a text',
      'malformed 7: the line has 84 cells instead of 183',
      'missing_id 8: the record has no identifier',
    ]);
    expect(feed.summary.incomplete).toBeNull();
  });

  it('is read in the same way from an archive with folders, capital letters and files of other systems', async () => {
    const archive = archiveOf({
      'EXPORT/UNLOAD.TXT': mixed,
      'EXPORT/images/a.jpg': 'x',
      'EXPORT/README.txt': 'x',
      '__MACOSX/EXPORT/._unload.txt': 'x',
      'Thumbs.db': 'x',
    });
    expect((await readDropped(connector, archive)).listings).toEqual((await readDropped(connector, mixed)).listings);
  });

  it('is incomplete when it ends inside a line', async () => {
    const feed = await readDropped(connector, `${line({ 5: 'A' })}\r\n${line({ 5: 'B' }).slice(0, 90)}`);
    expect([idsOf(feed), feed.rejections, feed.summary.incomplete]).toEqual([
      ['A'],
      ['malformed 2: the file ends inside a line'],
      'the file ends inside a line',
    ]);
  });

  it.each([
    ['a login page', '<!doctype html><title>Login</title>'],
    ['an error in JSON', '{"error":"denied"}'],
    ['a sentence', 'Service temporarily unavailable\n'],
    ['an archive without listings', archiveOf({ 'readme.txt': 'x', 'a.jpg': 'x' })],
  ])('fails when it is %s', async (_title, content) => {
    await expect(readDropped(connector, content)).rejects.toThrow(BadFeed);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

it('IDX connector reads a spare cell as a tour when it contains the URL of a tour, and omits it otherwise', async () => {
  const tour = 'https://tours.example/show/?m=1';
  const [shown, kept] = [{ 180: tour }, { 180: 'PRIVATE' }].map((cells) => windows1252(`${line(cells)}\r\n`));
  const feed = await readDropped(connector, shown ?? '');
  expect([feed.listings[0]?.visiteVirtuelle, feed.raws[0]?.['180']]).toEqual([tour, tour]);
  const { listings, raws } = await readDropped(connector, kept ?? '');
  expect([listings[0]?.visiteVirtuelle, '180' in (raws[0] ?? {})]).toEqual([undefined, false]);
});

it('IDX connector reads the shorter lines of IDX 1.02 with the same cells', async () => {
  const cells = { 0: 'IDX1.02', 5: '', 7: '000410', 15: '2024-11-29', 79: 'a@regie.example', 177: '' };
  const { listings, rejections } = await readDropped(
    connector,
    windows1252(`${line(cells, 126)}\r\n${line({ ...cells, 7: '000411' }, 126)}\r\n${line({ 0: 'IDX2.01' })}\r\n`),
  );
  expect(listings).toMatchObject([
    { affId: '000410', prix: 500000, disponibilite: '2024-11-29', negoEmail: 'a@regie.example' },
    { affId: '000411' },
  ]);
  expect(rejections).toEqual(['malformed 3: the line does not start with a version, as IDX3.01']);
});

it.each([
  ['1.250.000', 349_000],
  ['349.50', undefined],
])('IDX connector reads a price of 349.000 next to a price of %s as %s', async (other, prix) => {
  const sale = (reference: string, price: string): string =>
    line({ 5: reference, 4: 'SALE', 18: price, 19: '', 20: '', 21: 'SELL' });
  const { listings } = await readDropped(connector, windows1252(`${sale('1', '349.000')}\r\n${sale('2', other)}`));
  expect(listings.map((listing) => listing.prix)[0]).toBe(prix);
});

it('IDX connector rejects a line that lost cells when nearly all other lines are full', async () => {
  const others = Array.from({ length: 5 }, (_, index) => line({ 5: `R${index}` }));
  const cut = line({ 5: 'R9' }, 179);
  const { rejections } = await readDropped(connector, `${[...others, cut].join('\r\n')}\r\n`);
  expect(rejections).toEqual([expect.stringContaining('the line has 179 cells instead of 183')]);
  expect(idsOf(await readDropped(connector, `${[...others.slice(1), cut].join('\r\n')}\r\n`))).toHaveLength(5);
});
