import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import type { Listing } from '@passerelle/domain';
import { openFeed } from '../../engine/read-feed';
import type { FeedSummary, RecordOutcome } from '../../engine/contracts';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecords } from '../../../../../test/support/connectors/read-records';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Row = Readonly<Record<string, string>>;

const A_ROW: Row = { AGENT_REF: '100_1', BRANCH_ID: '100', PUBLISHED_FLAG: '1', TRANS_TYPE_ID: '1', PRICE: '250000' };

interface File {
  columns?: readonly string[];
  count?: number;
  end?: string;
}

/** A file of version 3. It has the columns of the rows in their order, unless `columns` gives others. */
function aFile(rows: readonly Row[], { columns, count = rows.length, end = '#END#\n' }: File = {}): string {
  const names = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => `${names.map((name) => row[name] ?? '').join('^')}^~\n`).join('');
  return `#HEADER#\nVersion : 3\nEOF : '^'\nEOR : '~'\nProperty Count : ${count}\n#DEFINITION#\n${names.join('^')}^~\n#DATA#\n${lines}${end}`;
}

async function listingOf(changes: Row, settings: Readonly<Record<string, string>> = {}): Promise<Listing> {
  const { records } = await readRecords(connector, Buffer.from(aFile([{ ...A_ROW, ...changes }])), { settings });
  const record = records[0];
  if (record === undefined || !('listing' in record)) throw new Error(JSON.stringify(record));
  return record.listing;
}

async function warningsOf(changes: Row): Promise<string[]> {
  return (await readRecords(connector, Buffer.from(aFile([{ ...A_ROW, ...changes }])))).warnings;
}

describe('a BLM price', () => {
  it.each([
    ['250000', 250000],
    ['1,350', 1350],
    ['1,250,000', 1250000],
    ['£325,000', 325000],
    ['250000.00', 250000],
  ])('is read from %s as %d, because commas separate thousands', async (PRICE, prix) => {
    expect(await listingOf({ PRICE })).toMatchObject({ prix, prixCurrency: 'GBP' });
  });

  it.each([
    ['zero', { PRICE: '0' }],
    ['empty', { PRICE: '' }],
    ['a word', { PRICE: 'POA' }],
    ['qualified as POA, whatever its amount is', { PRICE: '250000', PRICE_QUALIFIER: '1' }],
    ['a rent of zero', { PRICE: '0', TRANS_TYPE_ID: '2' }],
  ])('is on request, and never zero, when it is %s', async (_title, changes) => {
    const listing = await listingOf(changes);
    expect(listing).toMatchObject({ prixSurDemande: true });
    expect(listing).not.toHaveProperty('prix');
    expect(listing).not.toHaveProperty('loyer');
  });

  it.each([
    ['0', 1300, 'semaine'],
    ['1', 300, undefined],
    ['2', 100, 'trimestre'],
    ['3', 25, 'an'],
    ['', 300, undefined],
  ])('for a letting with the frequency "%s" is %d a month', async (LET_RENT_FREQUENCY, loyer, loyerPeriode) => {
    const listing = await listingOf({ TRANS_TYPE_ID: '2', PRICE: '300', LET_RENT_FREQUENCY });
    expect([listing.loyer, listing.loyerPeriode, listing.prix]).toEqual([loyer, loyerPeriode, undefined]);
  });

  it('is absent, with the words of the advert, when it is per person', async () => {
    const changes = { TRANS_TYPE_ID: '2', PRICE: '120', LET_RENT_FREQUENCY: '5' };
    const { loyer, prixMention, prixSurDemande } = await listingOf(changes);
    expect([loyer, prixMention, prixSurDemande]).toEqual([undefined, '£120 per person per week', undefined]);
    expect(await warningsOf(changes)).toEqual(['implausible_value PRICE 120: a rent per person or room']);
  });

  it('is absent when its period is unknown', async () => {
    const changes = { TRANS_TYPE_ID: '2', PRICE: '300', LET_RENT_FREQUENCY: '4' };
    expect(await listingOf(changes)).not.toHaveProperty('loyer');
    expect(await warningsOf(changes)).toEqual(['unknown_word LET_RENT_FREQUENCY 4']);
  });

  it('has the currency of the settings', async () => {
    expect(await listingOf({}, { devise: 'eur' })).toMatchObject({ prixCurrency: 'EUR' });
  });
});

describe('a BLM row', () => {
  it.each([
    [{ TRANS_TYPE_ID: '1' }, 'vente'],
    [{ TRANS_TYPE_ID: '2' }, 'location'],
    [{ TRANS_TYPE_ID: '2', LET_TYPE_ID: '2' }, 'location-saisonniere'],
    [{ TRANS_TYPE_ID: '2', LET_TYPE_ID: '4' }, 'location'],
    [{ TRANS_TYPE_ID: '1', BUSINESS_FOR_SALE_FLAG: '1' }, 'fonds-de-commerce'],
    [{ TRANS_TYPE_ID: '' }, undefined],
  ])('with %j has the transaction %s', async (changes, typeTransaction) => {
    expect((await listingOf(changes)).typeTransaction).toBe(typeTransaction);
  });

  it.each([
    ['0', 'autre'],
    ['4', 'maison'],
    ['08', 'appartement'],
    ['19', 'local'],
    ['20', 'terrain'],
    ['51', 'parking'],
    ['92', 'chateau'],
    ['137', 'boutique'],
    ['143', 'immeuble'],
    ['178', 'bureau'],
  ])('with the type %s becomes a %s', async (PROP_SUB_ID, typeCode) => {
    expect(await listingOf({ PROP_SUB_ID })).toMatchObject({ typeCode, typeCodeSource: PROP_SUB_ID });
    expect(await warningsOf({ PROP_SUB_ID })).toEqual([]);
  });

  it('keeps the word of an unknown type', async () => {
    expect(await listingOf({ PROP_SUB_ID: '9999' })).toMatchObject({ typeCode: 'autre', typeCodeSource: '9999' });
    expect(await warningsOf({ PROP_SUB_ID: '9999' })).toEqual(['unknown_word PROP_SUB_ID 9999']);
  });

  it.each([
    ['0', 'withdrawn'],
    ['N', 'withdrawn'],
    ['1', 'listing'],
    ['', 'listing'],
  ])('with the PUBLISHED_FLAG "%s" has the outcome %s', async (PUBLISHED_FLAG, fate) => {
    const { records } = await readRecords(connector, Buffer.from(aFile([{ ...A_ROW, PUBLISHED_FLAG }])));
    expect(records[0]).toHaveProperty(fate);
  });

  it('stays listed when it is sold subject to contract or let', async () => {
    for (const STATUS_ID of ['1', '2', '3', '4', '5'])
      expect(await listingOf({ STATUS_ID })).toMatchObject({ affId: '100_1' });
  });

  it.each([
    ['100', '100_D1', '100_D1'],
    ['100', 'D1', '100-D1'],
    ['200', 'D1', '200-D1'],
    [' 100 ', ' 100_00012 ', '100_00012'],
    ['100', '1001', '100-1001'],
    ['', 'D1', 'D1'],
  ])('with the branch "%s" and the reference "%s" has the id %s', async (BRANCH_ID, AGENT_REF, affId) => {
    expect(await listingOf({ BRANCH_ID, AGENT_REF })).toMatchObject({ affId, affNum: AGENT_REF.trim() });
  });

  it('is rejected when it has no reference', async () => {
    const { records } = await readRecords(connector, Buffer.from(aFile([{ ...A_ROW, AGENT_REF: ' ' }])));
    expect(records).toEqual([{ rejected: 'missing_id' }]);
  });

  it('is read in the same way when its columns have another order', async () => {
    const columns = Object.keys(A_ROW).reverse();
    const read = async (file: string): Promise<unknown> => (await readRecords(connector, Buffer.from(file))).records[0];
    expect(await read(aFile([A_ROW], { columns }))).toEqual(await read(aFile([A_ROW])));
  });

  it('is read in UTF-8 next to a row in Windows-1252', async () => {
    const rows = [A_ROW, A_ROW].map((row, index) => ({
      ...row,
      AGENT_REF: `100_${index}`,
      SUMMARY: 'Café – £5 ’n’ €3',
    }));
    const [before = '', after = ''] = aFile(rows).split('100_1^');
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from(
        `100_1^${after}`
          .replace('é', '\xe9')
          .replace('–', '\x96')
          .replace('£', '\xa3')
          .replaceAll('’', '\x92')
          .replace('€', '\x80'),
        'latin1',
      ),
    ]);
    const { records } = await readRecords(connector, bytes);
    expect(records.map((record) => 'listing' in record && record.listing.commentaires)).toEqual([
      'Café – £5 ’n’ €3',
      'Café – £5 ’n’ €3',
    ]);
  });

  it('shows the display address, but no line of the full address', async () => {
    const changes = { DISPLAY_ADDRESS: 'Harbour Row, Fictown', ADDRESS_1: '12', HOUSE_NAME_NUMBER: 'Secret House' };
    const { records } = await readRecords(connector, Buffer.from(aFile([{ ...A_ROW, ...changes }])));
    expect(records[0]).toMatchObject({
      listing: { intitule: 'Harbour Row, Fictown', adresse: 'Harbour Row, Fictown' },
    });
    expect(JSON.stringify(records)).not.toMatch(/ADDRESS_1|HOUSE_NAME_NUMBER|Secret House/);
  });

  it.each([
    [{ POSTCODE1: 'ZZ1', POSTCODE2: '1ZZ' }, 'ZZ1 1ZZ', 'GB'],
    [{ POSTCODE1: 'ZZ1' }, 'ZZ1', 'GB'],
    [{ ZIPCODE: '6400', COUNTRY_CODE: 'FR', POSTCODE1: 'ZZ1' }, '06400', 'FR'],
    [{ ZIPCODE: '1000', COUNTRY_CODE: 'BE' }, '1000', 'BE'],
    [{ ZIPCODE: '29600' }, '29600', undefined],
  ])('with %j has the postcode %s in %s', async (changes, codePostal, pays) => {
    const listing = await listingOf(changes);
    expect([listing.codePostal, listing.pays]).toEqual([codePostal, pays]);
  });

  it.each([
    [{ MIN_SIZE_ENTERED: '1,000', AREA_SIZE_UNIT_ID: '1' }, 92.9, undefined],
    [{ MIN_SIZE_ENTERED: '80.5', AREA_SIZE_UNIT_ID: '2' }, 80.5, undefined],
    [{ MIN_SIZE_ENTERED: '2', AREA_SIZE_UNIT_ID: '3' }, undefined, 8093.71],
    [{ MIN_SIZE_ENTERED: '500', AREA_SIZE_UNIT_ID: '2', PROP_SUB_ID: '110' }, undefined, 500],
    [{ MIN_SIZE_ENTERED: '0', MAX_SIZE_ENTERED: '90', AREA_SIZE_UNIT_ID: '2' }, 90, undefined],
    [{ MIN_SIZE_ENTERED: '90' }, undefined, undefined],
  ])(
    'with %j has a living area of %s m² and a land area of %s m²',
    async (changes, surfaceHabitable, surfaceTerrain) => {
      const listing = await listingOf(changes);
      expect([listing.surfaceHabitable, listing.surfaceTerrain]).toEqual([surfaceHabitable, surfaceTerrain]);
    },
  );

  it('takes the unit of its sizes from the settings when the row has no unit', async () => {
    expect(await listingOf({ MIN_SIZE_ENTERED: '90' }, { 'unite-surface': 'm²' })).toMatchObject({
      surfaceHabitable: 90,
    });
  });

  it('has a number of rooms only if it has a number of living rooms', async () => {
    expect(await listingOf({ BEDROOMS: '2', LIVING_ROOMS: '1' })).toMatchObject({ nbreChambres: 2, nbrePieces: 3 });
    expect(await listingOf({ BEDROOMS: '2' })).not.toHaveProperty('nbrePieces');
    expect(await listingOf({ BEDROOMS: '0' })).not.toHaveProperty('nbreChambres');
  });

  it('does not repeat its summary when the description contains it', async () => {
    expect(await listingOf({ SUMMARY: 'A flat.', DESCRIPTION: '<b>A flat.</b> With a view.' })).toMatchObject({
      commentaires: 'A flat. With a view.',
    });
    const lines = { SUMMARY: 'A  flat in the middle of...', DESCRIPTION: 'A flat<br>in the middle of Fictown.' };
    expect(await listingOf(lines)).toMatchObject({ commentaires: 'A flat\nin the middle of Fictown.' });
    expect(await listingOf({ SUMMARY: 'A flat.', DESCRIPTION: 'With a view.' })).toMatchObject({
      commentaires: 'A flat.\n\nWith a view.',
    });
  });

  it.each([
    ['0', true],
    ['1', undefined],
    ['2', false],
    ['3', undefined],
    ['4', undefined],
  ])('for a letting with the LET_FURN_ID %s is furnished: %s', async (LET_FURN_ID, meuble) => {
    expect((await listingOf({ TRANS_TYPE_ID: '2', LET_FURN_ID })).meuble).toBe(meuble);
    expect((await listingOf({ LET_FURN_ID })).meuble).toBeUndefined();
  });

  it.each([
    ['2024-05-01 10:00:00', '2024-05-01'],
    ['01/05/2024', '2024-05-01'],
    ['0000-00-00 00:00:00', undefined],
    ['soon', undefined],
  ])('with the availability %s is available from %s', async (LET_DATE_AVAILABLE, disponibilite) => {
    expect((await listingOf({ LET_DATE_AVAILABLE })).disponibilite).toBe(disponibilite);
  });

  it('has its photos in the order of their numbers, without certificates, plans and documents', async () => {
    const at = (name: string): string => `https://photos.example.org/${name}.jpg`;
    const listing = await listingOf({
      MEDIA_IMAGE_60: at('epc'),
      MEDIA_IMAGE_61: at('hip'),
      MEDIA_IMAGE_10: at('10'),
      MEDIA_IMAGE_02: at('2'),
      MEDIA_IMAGE_TEXT_02: 'Kitchen',
      MEDIA_IMAGE_03: at('old-epc'),
      MEDIA_IMAGE_TEXT_03: 'EPC',
      MEDIA_IMAGE_59: at('2'),
      MEDIA_IMAGE_99: at('99'),
      MEDIA_IMAGE_70: at('70'),
      MEDIA_IMAGE_04: '100_1_IMG_04.jpg',
      MEDIA_FLOOR_PLAN_00: at('plan'),
      MEDIA_DOCUMENT_00: 'https://photos.example.org/brochure.pdf',
    });
    expect(listing.photos.map(({ url, legende }) => [url, legende])).toEqual([
      [at('2'), 'Kitchen'],
      [at('10'), undefined],
      [at('70'), undefined],
      [at('99'), undefined],
    ]);
    const links = ({ plans, documents }: Listing): unknown =>
      [plans, documents].map((list) => list?.map(({ url, titre }) => [url, titre]));
    expect(links(listing)).toEqual([
      [[at('plan'), undefined]],
      [
        ['https://photos.example.org/brochure.pdf', undefined],
        [at('epc'), undefined],
        [at('hip'), undefined],
        [at('old-epc'), 'EPC'],
      ],
    ]);
  });

  it('has its first tour and its first film, and a warning for a second one', async () => {
    const tours = {
      MEDIA_VIRTUAL_TOUR_00: 'https://youtu.be/a',
      MEDIA_VIRTUAL_TOUR_01: 'https://tours.example.org/1',
      MEDIA_VIRTUAL_TOUR_02: 'https://tours.example.org/1',
    };
    expect(await listingOf(tours)).toMatchObject({
      visiteVirtuelle: 'https://tours.example.org/1',
      video: 'https://youtu.be/a',
    });
    expect(await warningsOf(tours)).toEqual([]);
    expect(
      await warningsOf({
        ...tours,
        MEDIA_VIRTUAL_TOUR_03: 'https://tours.example.org/2',
        MEDIA_VIRTUAL_TOUR_04: 'soon',
      }),
    ).toEqual([
      'implausible_value MEDIA_VIRTUAL_TOUR_03 a second visiteVirtuelle: https://tours.example.org/2',
      'photo_invalid MEDIA_VIRTUAL_TOUR_04 soon',
    ]);
  });
});

describe('a BLM feed', () => {
  let inboxDir: string;
  beforeEach(() => {
    inboxDir = mkdtempSync(join(tmpdir(), 'blm-spec-'));
  });
  afterEach(() => {
    rmSync(inboxDir, { recursive: true });
  });

  async function read(content: string | Buffer): Promise<{ outcomes: RecordOutcome[]; summary: FeedSummary }> {
    writeFileSync(join(inboxDir, 'feed'), content);
    utimesSync(join(inboxDir, 'feed'), 1_700_000_000, 1_700_000_000);
    const reading = openFeed(connector, {
      source: { url: 'file:feed', credentials: {}, settings: {} },
      previous: {},
      isKnown: () => false,
      outbound: { allowPrivate: new Set(), inboxDir, maxBytes: 10_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000 },
      signal: new AbortController().signal,
    });
    const outcomes: RecordOutcome[] = [];
    for await (const outcome of reading.outcomes) outcomes.push(outcome);
    return { outcomes, summary: reading.summary() };
  }

  const twoRows = [A_ROW, { ...A_ROW, AGENT_REF: '100_2' }];
  const miscounted = [expect.objectContaining({ code: 'declared_count' })];

  it.each([
    ['fewer rows than declared', aFile(twoRows, { count: 3 }), 'the source declares 3 records and gave 2', miscounted],
    ['more rows than declared', aFile(twoRows, { count: 1 }), 'the source declares 1 records and gave 2', miscounted],
    ['all its rows, but no #END#', aFile(twoRows, { end: '' }), null, []],
    [
      'no #END#, and fewer rows than declared',
      aFile(twoRows, { count: 3, end: '' }),
      'the source declares 3 records and gave 2',
      miscounted,
    ],
    [
      'its end inside a row',
      aFile(twoRows, { count: 3, end: '100_3^1' }),
      'the file ends inside the row that starts at line 11',
      [],
    ],
  ])('is checked for completeness when it has %s', async (_title, file, incomplete, warnings) => {
    const { summary } = await read(file);
    expect(summary.incomplete).toBe(incomplete);
    expect(summary.warnings).toEqual(warnings);
  });

  it('yields the same hash for an unchanged row in a later file', async () => {
    const hashes = async (file: string): Promise<unknown[]> =>
      (await read(file)).outcomes.map((outcome) => 'hash' in outcome && outcome.hash);
    const first = await hashes(aFile([A_ROW]));
    const next = await hashes(aFile([A_ROW, ...twoRows.slice(1)]).replace('EOR', 'Generated Date : 02-Apr-2024\nEOR'));
    expect(next.slice(0, 1)).toEqual(first);
  });

  it('is found in a ZIP with its pictures, in a folder and in any letter case', async () => {
    const zip = new AdmZip();
    zip.addFile('EXPORT/100_2024040110.BLM', Buffer.from(aFile(twoRows)));
    zip.addFile('EXPORT/100_1_IMG_00.jpg', Buffer.from([0xff, 0xd8]));
    zip.addFile('__MACOSX/EXPORT/._100_2024040110.BLM', Buffer.from('x'));
    const { outcomes } = await read(zip.toBuffer());
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['listing', 'listing']);
  });

  it('names each of its branches from the settings', async () => {
    const settings = { 'agence-noms': '100=High Street; 200=Low Road', 'agence-nom': 'Everyone' };
    for (const [BRANCH_ID, name] of [
      ['100', 'High Street'],
      ['200', 'Low Road'],
      ['300', 'Everyone'],
    ] as const) {
      expect(await listingOf({ BRANCH_ID }, settings)).toMatchObject({ agenceNom: name });
    }
  });
});
