import { connector as blm } from '../../sources/blm/connector';
import { connector as poliris } from '../../sources/poliris/connector';
import type { Connector } from '../../kit/contracts';
import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';

type Cells = Readonly<Record<number, string>>;

function polirisFile(...lines: Cells[]): string {
  const line = (cells: Cells): string => {
    const all: Cells = { 1: 'AG', 3: 'vente', 4: 'Appartement', 11: '349000', ...cells };
    return Array.from({ length: 334 }, (_, index) => `"${all[index + 1] ?? ''}"`).join('!#');
  };
  return lines.map(line).join('\r\n');
}

function blmFile(...rows: Record<string, string>[]): string {
  const columns = ['AGENT_REF', 'BRANCH_ID', 'TRANS_TYPE_ID', 'PRICE', 'MEDIA_IMAGE_00', 'MEDIA_IMAGE_60'];
  const usual: Record<string, string> = { BRANCH_ID: '100', TRANS_TYPE_ID: '1', PRICE: '250000' };
  const line = (cells: string[]): string => `${cells.join('^')}^~`;
  return [
    ...['#HEADER#', 'Version : 3', "EOF : '^'", "EOR : '~'", '', '#DEFINITION#', line(columns), '#DATA#'],
    ...rows.map((row) => line(columns.map((name) => row[name] ?? usual[name] ?? ''))),
    '#END#',
  ].join('\r\n');
}

/** The photos of each listing, by its identifier. */
async function photosIn(
  connector: Connector,
  feed: Record<string, string>,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const files = Object.fromEntries(names.map((name) => [name, `content of ${name}`]));
  const { listings, warnings } = await readDropped(connector, archiveOf({ ...feed, ...files }));
  expect(warnings).toEqual([]);
  return Object.fromEntries(
    listings.map(({ affId, photos }) => [affId, photos.map(({ url }) => decodeURI(url).replace(/^archive:/, ''))]),
  );
}

const inPoliris = (cells: Cells[], names: readonly string[]): Promise<Record<string, string[]>> =>
  photosIn(poliris, { 'annonces.csv': polirisFile(...cells) }, names);
const inBlm = (rows: Record<string, string>[], names: readonly string[]): Promise<Record<string, string[]>> =>
  photosIn(blm, { '100.blm': blmFile(...rows) }, names);

describe('photos that no rank of a Poliris row names', () => {
  it.each([
    ['letters', ['R1-b.jpg', 'R1-a.jpg', 'R1-c.jpg'], ['R1-a.jpg', 'R1-b.jpg', 'R1-c.jpg']],
    ['numbers, in numeric order', ['R1_10.jpg', 'R1_9.jpg', 'R1_1.jpg'], ['R1_1.jpg', 'R1_9.jpg', 'R1_10.jpg']],
    ['two-digit numbers', ['R1-02.png', 'R1-01.gif'], ['R1-01.gif', 'R1-02.png']],
    ['the agency before the reference', ['AG-R1-a.jpg', 'ag_r1-b.jpg'], ['AG-R1-a.jpg', 'ag_r1-b.jpg']],
    [
      'letters in another case and folders',
      ['Photos/r1_2.JPG', 'EXPORT/R1_1.Jpeg'],
      ['EXPORT/R1_1.Jpeg', 'Photos/r1_2.JPG'],
    ],
  ])("are found by the listing's reference, with %s", async (_how, names, expected) => {
    expect(await inPoliris([{ 2: 'R1' }], names)).toEqual({ 'AG-R1': expected });
  });

  it.each([
    ['a longer reference with the same start', 'R10_1.jpg'],
    ['a longer reference with the same end', 'XR1_1.jpg'],
    ['a word after the reference', 'R1_plan.jpg'],
    ['nothing after the reference', 'R1.jpg'],
    ['no separator after the reference', 'R12.jpg'],
    ['a three-digit number', 'R1_100.jpg'],
    ['another file type', 'R1_1.pdf'],
  ])('do not include files with %s', async (_what, name) => {
    expect(await inPoliris([{ 2: 'R1' }], [name])).toEqual({ 'AG-R1': [] });
  });

  it('are not assigned when they may belong to two listings', async () => {
    const twins = [
      { 1: 'AG', 2: '7' },
      { 1: 'BB', 2: '7' },
    ];
    expect(await inPoliris(twins, ['7_1.jpg', 'BB_7_1.jpg'])).toEqual({ 'AG-7': [], 'BB-7': ['BB_7_1.jpg'] });
    expect(await inPoliris([{ 2: '12' }, { 2: '12-1' }], ['12-1.jpg', '12-2.jpg', '12-1-1.jpg'])).toEqual({
      'AG-12': ['12-2.jpg'],
      'AG-12-1': ['12-1-1.jpg'],
    });
    expect(await inPoliris([{ 2: 'R1' }, { 2: 'R2', 85: 'photos\\r1_1.JPG' }], ['R1_1.jpg', 'R1_2.jpg'])).toEqual({
      'AG-R1': ['R1_2.jpg'],
      'AG-R2': ['R1_1.jpg'],
    });
  });

  it('are assigned by a reference only if no other listing in the archive has the same reference', async () => {
    const feed = {
      'north/annonces.csv': polirisFile({ 2: '7' }),
      'south/annonces.csv': polirisFile({ 1: 'BB', 2: '7' }),
    };
    expect(await photosIn(poliris, feed, ['7_1.jpg', 'AG-7-a.jpg'])).toEqual({ 'AG-7': ['AG-7-a.jpg'], 'BB-7': [] });
  });

  it('are not added to photos that a rank names', async () => {
    const cells = { 2: 'R1', 90: 'https://p.example/1.jpg' };
    expect(await inPoliris([cells], ['R1_1.jpg'])).toEqual({ 'AG-R1': ['https://p.example/1.jpg'] });
  });

  it("change the record's hash when a photo is added", async () => {
    const hashes = async (...names: string[]): Promise<string[]> => {
      const files = Object.fromEntries(names.map((name) => [name, 'x']));
      return (await readDropped(poliris, archiveOf({ 'a.csv': polirisFile({ 2: 'R1' }, { 2: 'R2' }), ...files })))
        .hashes;
    };
    const before = await hashes('R1_1.jpg', 'other.jpg');
    const after = await hashes('R1_1.jpg', 'r1_2.jpg', 'R3_1.jpg');
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(await hashes('Photos/R1_1.JPG')).toEqual(before);
  });
});

describe('photos that no column of a BLM file names', () => {
  it('are found and ordered by number when they have the name that Rightmove prescribes', async () => {
    const names = ['100_A1_IMG_10.jpg', 'pics/100_a1_img_02.JPG', '100_A1_IMG_00.jpg', '100_A1_IMG_1.png'];
    expect(await inBlm([{ AGENT_REF: '100_A1' }], names)).toEqual({
      '100_A1': ['100_A1_IMG_00.jpg', '100_A1_IMG_1.png', 'pics/100_a1_img_02.JPG', '100_A1_IMG_10.jpg'],
    });
  });

  it('are found when their name has the branch before the reference, even if the reference in the feed has no branch', async () => {
    expect(await inBlm([{ AGENT_REF: 'A1' }], ['100_A1_IMG_00.jpg', '200_A1_IMG_00.jpg'])).toEqual({
      '100-A1': ['100_A1_IMG_00.jpg'],
    });
  });

  it('do not include plans, documents, certificates or photos of another reference', async () => {
    const names = ['100_1_FLP_00.gif', '100_1_IMG_60.jpg', '100_1_DOC_00.jpg', '100_11_IMG_00.jpg', '100_1_00.jpg'];
    expect(await inBlm([{ AGENT_REF: '100_1', MEDIA_IMAGE_60: '100_1_IMG_60.jpg' }], names)).toEqual({ '100_1': [] });
  });

  it('are plans and documents when their names say so, also beside photos that a column names', async () => {
    const row = { AGENT_REF: '100_1', MEDIA_IMAGE_00: '100_1_IMG_00.jpg' };
    const named = ['100_1_IMG_00.jpg', '100_1_FLP_01.gif', '100_1_FLP_00.pdf', '100_1_IMG_60.jpg', '100_1_DOC_00.pdf'];
    const other = ['100_11_FLP_00.gif', '100_1_FLP_00.txt', '100_1_IMG_01.pdf'];
    const files = Object.fromEntries([...named, ...other].map((name) => [name, `content of ${name}`]));
    const { listings, warnings } = await readDropped(blm, archiveOf({ '100.blm': blmFile(row), ...files }));
    const urls = (links: readonly { url: string }[] = []): string[] =>
      links.map(({ url }) => url.slice('archive:'.length));
    expect(warnings).toEqual([]);
    expect([urls(listings[0]!.photos), urls(listings[0]!.plans), urls(listings[0]!.documents)]).toEqual([
      ['100_1_IMG_00.jpg'],
      ['100_1_FLP_00.pdf', '100_1_FLP_01.gif'],
      ['100_1_DOC_00.pdf', '100_1_IMG_60.jpg'],
    ]);
  });

  it('are not added to photos that a column names, and are not assigned when two branches have the reference', async () => {
    expect(
      await inBlm(
        [{ AGENT_REF: '100_1', MEDIA_IMAGE_00: '100_1_IMG_01.jpg' }],
        ['100_1_IMG_00.jpg', '100_1_IMG_01.jpg'],
      ),
    ).toEqual({
      '100_1': ['100_1_IMG_01.jpg'],
    });
    expect(
      await inBlm([{ AGENT_REF: '1' }, { AGENT_REF: '1', BRANCH_ID: '200' }], ['1_IMG_00.jpg', '200_1_IMG_00.jpg']),
    ).toEqual({
      '100-1': [],
      '200-1': ['200_1_IMG_00.jpg'],
    });
  });
});
