import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

type Cells = Readonly<Record<number, string>>;

const FLAT = { 0: 'I', 1: '1', 2: '2', 7: '7', 15: 'p', 50: 'Geheimer Weg', 51: '77', 52: '10179', 53: 'Musterstadt' };

function row(own: Cells = {}, columns = 182): string {
  const cells: Cells = { ...FLAT, ...own };
  return Array.from({ length: columns }, (_, column) => cells[column] ?? '').join('|');
}

const fileOf = (...rows: readonly string[]): string => rows.map((one) => `${one}\r\n`).join('');
const read = (...rows: readonly string[]): ReturnType<typeof readDropped> => readDropped(connector, fileOf(...rows));
const idsOf = (listings: readonly { affId: string }[]): string[] => listings.map(({ affId }) => affId);

describe('IS24 CSV row', () => {
  it.each<[string, string, string]>([
    ['that was cut', row({ 7: '8' }, 181), 'malformed 8: the row has 181 columns instead of 182: it was cut'],
    [
      'with a "|" in a text, which moves the street into the postcode column',
      row({ 7: '8', 36: 'Wohnen | Leben' }),
      'malformed 8: the row has 183 columns instead of 182: there is a "|" in a text',
    ],
    ['without an identifier', row({ 7: '' }), 'missing_id 2: the record has no identifier'],
  ])('%s is rejected', async (_title, broken, reason) => {
    const { listings, raws, rejections } = await read(row(), broken);
    expect([idsOf(listings), rejections]).toEqual([['7'], [reason]]);
    expect(JSON.stringify([listings, raws])).not.toContain('Geheimer Weg');
  });

  it('continues on the next line when its text has a line break', async () => {
    const { listings, summary } = await read(row({ 101: 'Erste Zeile\r\nZweite Zeile' }), row({ 7: '8' }));
    expect(listings.map(({ affId, commentaires }) => [affId, commentaires])).toEqual([
      ['7', 'Erste Zeile\nZweite Zeile'],
      ['8', undefined],
    ]);
    expect(summary.incomplete).toBeNull();
  });

  it('does not include the next row when it was cut', async () => {
    const { listings, rejections } = await read(row({ 7: '8' }, 60), row());
    expect([idsOf(listings), rejections.length]).toEqual([['7'], 1]);
  });

  it.each<[string, boolean]>([
    ['1', true],
    ['', true],
    ['0', false],
  ])('with status "%s" is shown: %s', async (status, isShown) => {
    expect((await read(row({ 1: status }))).listings).toHaveLength(isShown ? 1 : 0);
  });

  it.each<[string, string | undefined]>([
    ['J', 'Geheimer Weg 77'],
    ['N', undefined],
    ['', undefined],
  ])('with Adressdruck "%s" has the street %s', async (letter, adresse) => {
    const { listings, raws } = await read(row({ 35: letter }));
    expect(listings[0]?.adresse).toBe(adresse);
    expect(JSON.stringify(raws).includes('Geheimer Weg')).toBe(adresse !== undefined);
  });
});

describe('IS24 CSV listing that the file does not name', () => {
  it.each<[string, string, string, string[]]>([
    ['is removed when the file is a list', row({ 0: 'U' }), 'whole', []],
    ['stays when the file deletes another listing', row({ 0: 'D', 7: '8' }), 'delta', ['withdrawn 8']],
    [
      'stays when the file deletes another listing by its number only',
      row({ 0: 'd', 7: '8' }, 9),
      'delta',
      ['withdrawn 8'],
    ],
    ['stays when the number in a deletion may be truncated', row({ 0: 'D', 7: '8' }, 8), 'delta', ['malformed 2']],
    ['stays when the file leaves another listing unchanged', row({ 0: 'N', 7: '8' }), 'delta', []],
  ])('%s', async (_title, other, kind, rejected) => {
    const { rejections, summary } = await read(row(), other);
    expect([summary.coverage, rejections.map((one) => one.split(':')[0])]).toEqual([{ kind }, rejected]);
  });

  it('is not removed when the file ends inside a row or has two providers', async () => {
    const cut = await readDropped(connector, `${row()}\r\n${row({ 7: '8' }, 120)}`);
    expect([idsOf(cut.listings), cut.summary.incomplete]).toEqual([['7'], 'the file ends inside a row']);
    const two = await read(row(), row({ 7: '8', 15: 'q' }));
    expect([idsOf(two.listings), two.summary.incomplete]).toEqual([
      ['7', '8'],
      'the file has rows of more than one provider',
    ]);
    expect((await readDropped(connector, row())).summary.incomplete).toBeNull();
  });
});

describe('IS24 CSV file with a short last row', () => {
  const cut = row({ 7: '9', 101: 'Erste Zeile\r\nZweite Zeile' }).split('Zweite Zeile')[0] ?? '';

  it('is incomplete when it was cut at the line break of a text', async () => {
    const feed = await readDropped(connector, fileOf(row(), row({ 7: '8' })) + cut);
    expect([idsOf(feed.listings), feed.rejections, feed.summary.incomplete]).toEqual([
      ['7', '8'],
      ['malformed 9: the row has 102 columns instead of 182: it was cut'],
      'the file ends inside a row',
    ]);
  });

  it.each<[string, string]>([
    ['a deletion, whose remaining cells may be missing', `${row({ 0: 'D', 7: '8' }, 9)}\r\n`],
    ['a line that is not a row', 'End of file\r\n'],
  ])('is complete when it ends with %s', async (_title, end) => {
    expect((await readDropped(connector, fileOf(row()) + end)).summary.incomplete).toBeNull();
  });
});

describe('IS24 CSV codes', () => {
  it('of a choice are not flags: "by agreement" does not mean yes', async () => {
    const pets = await Promise.all(['J', 'N', 'V'].map(async (letter) => read(row({ 2: '0', 71: letter }))));
    expect(pets.map(({ listings }) => listings[0]?.animaux)).toEqual([true, false, undefined]);
  });

  it('of heating have another meaning for a home for limited time', async () => {
    const heating = await Promise.all(['0', '4'].map(async (kind) => read(row({ 2: kind, 69: '1' }))));
    expect(heating.map(({ listings }) => listings[0]?.chauffageType)).toEqual(['Etagenheizung', 'Ofenheizung']);
  });

  it('never turn a rent per square metre into a monthly rent when they are unknown', async () => {
    const { listings, warnings } = await read(row({ 2: '7', 60: 'M', 90: '14,50', 92: 'X' }));
    expect([listings[0]?.loyer, warnings]).toEqual([undefined, ['implausible_value Vermarktung.Miete.@Pro X ×1']]);
  });
});

describe('IS24 format detection', () => {
  const XML =
    '<IS24ImmobilienTransfer><Anbieter><WohnungKauf AnbieterObjektID="9"/></Anbieter></IS24ImmobilienTransfer>';

  it.each<[string, Buffer | string]>([
    ['leading blanks', `\r\n  ${XML}`],
    ['a byte order mark', `\uFEFF${XML}`],
    ['the encoding UTF-16', Buffer.from(`\uFEFF${XML}`, 'utf16le')],
  ])('recognises XML with %s', async (_title, content) => {
    expect(idsOf((await readDropped(connector, content)).listings)).toEqual(['9']);
  });

  it('recognises rows with a byte order mark as UTF-8', async () => {
    const { listings } = await readDropped(connector, `\uFEFF${fileOf(row({ 53: 'Köln' }))}`);
    expect(listings).toMatchObject([{ affId: '7', ville: 'Köln' }]);
  });

  it.each(['id|ort\r\n7|Köln\r\n', 'Zurzeit keine Objekte.', '{"objekte":[]}', '<html><body>Login</body></html>', ''])(
    'rejects %j',
    async (content) => {
      await expect(readDropped(connector, content)).rejects.toThrow();
    },
  );

  it('chooses the CSV of an archive and the pictures that it names, unless there is XML', async () => {
    const csv = fileOf(row({ 107: 'Küche 1.JPG', 109: 'B', 112: 'plan.jpg', 114: 'GB' }));
    const pictures = { 'export/küche 1.jpg': Buffer.from('a'), 'export/plan.jpg': Buffer.from('b') };
    const { listings, summary } = await readDropped(connector, archiveOf({ 'export/is24.csv': csv, ...pictures }));
    expect([listings.map(({ photos }) => photos.length), summary.incomplete]).toEqual([[1], null]);
    const both = await readDropped(connector, archiveOf({ 'is24.csv': csv, 'is24.xml': XML }));
    expect(idsOf(both.listings)).toEqual(['9']);
  });
});
