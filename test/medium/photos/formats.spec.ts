import { request } from 'undici';
import { encoded, picture, pixelsOf } from '../../support/media/pictures';
import { PLANTS } from '../../support/media/planted';
import { PHOTO_BASE_URL, type PhotoGateways, polirisLine, startPhotoGateways } from './photo-gateway';

// Real: PostgreSQL, the connectors, the ingestor's code, the media store on disk, the API. Fake: the CRM that drops archives.

const blm = (row: Record<string, string>): string => {
  const all = { AGENT_REF: '100_1', BRANCH_ID: '100', TRANS_TYPE_ID: '1', PRICE: '250000', ...row };
  const line = (cells: string[]): string => `${cells.join('^')}^~`;
  return [
    ...['#HEADER#', 'Version : 3', "EOF : '^'", "EOR : '~'", 'Property Count : 1', '', '#DEFINITION#'],
    ...[line(Object.keys(all)), '#DATA#', line(Object.values(all)), '#END#'],
  ].join('\r\n');
};
const openImmo = (anhaenge: string): string =>
  `<openimmo><uebertragung umfang="VOLL" modus="NEW"/><anbieter><openimmo_anid>A</openimmo_anid><firma>F</firma><immobilie>
  <anhaenge>${anhaenge}</anhaenge><verwaltung_techn><openimmo_obid>1</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>`;
const anhang = (pfad: string, location = 'EXTERN'): string =>
  `<anhang location="${location}" gruppe="BILD"><format>jpg</format><daten><pfad>${pfad}</pfad></daten></anhang>`;
const idx = (cells: Record<number, string>): string => {
  const all: Record<number, string> = {
    0: 'IDX3.01',
    1: 'F',
    2: 'APPT',
    4: 'SALE',
    5: '1',
    68: 'AG',
    178: '1',
    ...cells,
  };
  return `${Array.from({ length: 183 }, (_, cell) => all[cell] ?? '').join('#')}\r\n`;
};
const swissRets = (...urls: string[]): string =>
  `<export><properties><property id="1"><referenceId>R</referenceId><type>SALE</type><localizations><localization lang="fr">
  <attachments>${urls.map((url) => `<image><url>${url}</url></image>`).join('')}</attachments></localization></localizations></property></properties></export>`;

/** The names of the first and the second photo in feeds, and in the archive. */
const STYLES: [title: string, crm: string, files: [string, string], feed: Record<string, string>][] = [
  [
    'Poliris, named in columns',
    'poliris',
    ['IMG1.JPG', 'img2.jpg'],
    { 'Annonces.csv': polirisLine('1', { 85: 'IMG1.JPG', 86: 'img2.jpg' }) },
  ],
  [
    'Poliris, in another letter case and in a folder',
    'poliris',
    ['Export/Photos/img1.jpg', 'Export/Photos/IMG2.JPG'],
    { 'Export/annonces.csv': polirisLine('1', { 164: 'IMG1.jpg', 264: 'photos\\img2.jpg' }) },
  ],
  [
    'BLM, named by reference and number',
    'blm',
    ['100_1_IMG_00.JPG', '100_1_IMG_01.jpg'],
    { '100.blm': blm({ MEDIA_IMAGE_00: '100_1_IMG_00.jpg', MEDIA_IMAGE_01: '100_1_IMG_01.JPG' }) },
  ],
  [
    'OpenImmo, with paths without extension and with umlauts',
    'openimmo',
    ['bilder/küche.jpg', 'bilder/bild_17'],
    { 'openimmo.xml': openImmo(anhang('KÜCHE.JPG') + anhang('./bilder/bild_17')) },
  ],
  ['IDX, named in cells', 'idx', ['vue 1.jpg', 'b.JPG'], { 'unload.txt': idx({ 46: 'vue 1.jpg', 47: 'B.jpg' }) }],
  [
    'IDX, named in cells beside URLs',
    'idx',
    ['pics/a.jpg', 'pics/b.jpg'],
    {
      'data/unload.txt': idx({
        46: 'a.jpg',
        99: 'https://x.example/a.jpg',
        47: 'b.jpg',
        100: 'https://x.example/pics/',
      }),
    },
  ],
  [
    'SwissRETS, named by file URLs',
    'swissrets',
    ['dir/a b.jpg', 'dir/without-extension'],
    { 'export.xml': swissRets('file:///dir/a%20b.JPG', 'file:///dir/without-extension') },
  ],
];

describe('photos that come as files', () => {
  let gateways: PhotoGateways;
  beforeAll(async () => {
    gateways = await startPhotoGateways();
  });
  afterAll(() => gateways.close());

  it('are served from OpenImmo, whether they are inside the record or files in the archive', async () => {
    const [first, second] = [await encoded('jpg', picture({ seed: 8 })), await encoded('jpg', picture({ seed: 9 }))];
    const intern = (file: Buffer): string =>
      `<anhang location="INTERN" gruppe="BILD"><daten><anhanginhalt>${file.toString('base64')}</anhanginhalt></daten></anhang>`;
    const gateway = await gateways.add('openimmo');
    const feed = openImmo(anhang('1.jpg') + intern(second) + intern(second));

    expect(await gateway.deliver({ 'o.xml': feed, '1.jpg': first })).toMatchObject({ state: 'published', warnings: 0 });
    const photos = await gateway.photos();
    const { body } = await request(gateways.api.url + new URL(photos[1]!.url).pathname);
    expect(photos).toHaveLength(2);
    expect((await pixelsOf(Buffer.from(await body.arrayBuffer()))).equals(await pixelsOf(second))).toBe(true);
    expect(await gateway.deliver(Buffer.from(`${feed}\n`))).toMatchObject({ state: 'unchanged', unchanged: 1 });
    expect(await gateway.photos()).toEqual(photos);
  });

  it.each(STYLES)('are served: %s', async (_title, crm, [firstName, secondName], feed) => {
    const first = PLANTS.jpg['EXIF']!(await encoded('jpg', picture({ width: 300, height: 200 })));
    const second = await encoded('png', picture({ width: 200, height: 100, seed: 2 }));
    const gateway = await gateways.add(crm);

    const run = await gateway.deliver({ ...feed, [firstName]: first, [secondName]: second });

    expect(run).toMatchObject({ state: 'published', records: 1, added: 1, warnings: 0 });
    const photos = await gateway.photos();
    expect(photos).toEqual([
      {
        url: expect.stringMatching(`^${PHOTO_BASE_URL}/media/[0-9a-f]{64}\\.jpg$`),
        ...{ largeur: 300, hauteur: 200, empreinte: expect.stringMatching(/^[0-9a-f]{16}$/) },
      },
      { url: expect.stringMatching(/\.png$/), largeur: 200, hauteur: 100, empreinte: expect.any(String) },
    ]);
    for (const [index, file] of [first, second].entries()) {
      const { statusCode, headers, body } = await request(gateways.api.url + new URL(photos[index]!.url).pathname);
      const served = Buffer.from(await body.arrayBuffer());
      expect([statusCode, headers['content-type']]).toEqual([200, index === 0 ? 'image/jpeg' : 'image/png']);
      expect((await pixelsOf(served)).equals(await pixelsOf(file))).toBe(true);
      expect(served.includes('Exif')).toBe(false);
    }
  });
});
