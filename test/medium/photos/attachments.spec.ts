import AdmZip from 'adm-zip';
import type { Link } from '@passerelle/domain';
import { request } from 'undici';
import { encoded, picture } from '../../support/media/pictures';
import {
  PHOTO_BASE_URL,
  type PhotoGateway,
  type PhotoGateways,
  polirisLine,
  startPhotoGateways,
} from './photo-gateway';

const PDF = Buffer.from('%PDF-1.4\n%fictitious\n%%EOF\n');
const OTHER_PDF = Buffer.from('%PDF-1.7\n%fictitious\n%%EOF\n');
const PAGE = '<html><script>alert(1)</script></html>';

const anhang = (gruppe: string, pfad: string, title = ''): string =>
  `<anhang location="EXTERN" gruppe="${gruppe}"><anhangtitel>${title}</anhangtitel><format></format><daten><pfad>${pfad}</pfad></daten></anhang>`;
const openImmo = (...anhaenge: string[]): string =>
  '<openimmo><uebertragung umfang="VOLL" modus="NEW"/><anbieter><openimmo_anid>A</openimmo_anid><firma>F</firma><immobilie>' +
  `<anhaenge>${anhaenge.join('')}</anhaenge><verwaltung_techn><openimmo_obid>1</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>`;
const blm = (row: Record<string, string>): string => {
  const all = { AGENT_REF: '100_1', BRANCH_ID: '100', TRANS_TYPE_ID: '1', PRICE: '250000', ...row };
  const line = (cells: string[]): string => `${cells.join('^')}^~`;
  return [
    ...['#HEADER#', 'Version : 3', "EOF : '^'", "EOR : '~'", 'Property Count : 1', '', '#DEFINITION#'],
    ...[line(Object.keys(all)), '#DATA#', line(Object.values(all)), '#END#'],
  ].join('\r\n');
};

const idx = (cells: Record<number, string>): string => {
  const all: Record<number, string> = {
    ...{ 0: 'IDX3.01', 1: 'F', 2: 'APPT', 4: 'SALE', 5: '1', 68: 'AG', 178: '1' },
    ...cells,
  };
  return `${Array.from({ length: 183 }, (_, cell) => all[cell] ?? '').join('#')}\r\n`;
};
const swissRets = (attachments: string): string =>
  `<export><properties><property id="1"><referenceId>R</referenceId><type>SALE</type><localizations><localization lang="fr">
  <attachments>${attachments}</attachments></localization></localizations></property></properties></export>`;
const is24 = (attachments: string): string =>
  '<IS24ImmobilienTransfer><Anbieter ScoutKundenID="1"><WohnungKauf AnbieterObjektID="1">' +
  `<Kaufpreise Kaufpreis="100000"/>${attachments}</WohnungKauf></Anbieter></IS24ImmobilienTransfer>`;
const immobiliare = (attachments: string): string =>
  '<feed><properties><property operation="write"><unique-id>1</unique-id><transactions><transaction type="S">' +
  `<price currency="EUR">100000</price></transaction></transactions>${attachments}</property></properties></feed>`;

// Real: PostgreSQL, the connectors, the ingestor's code, the media store on disk, the API. Fake: the CRM that drops archives.
describe('floor plans and documents of archives', () => {
  let gateways: PhotoGateways;
  let gateway: PhotoGateway;
  let drawing: Buffer;
  let photo: Buffer;

  beforeAll(async () => {
    gateways = await startPhotoGateways();
    drawing = await encoded('jpg', picture({ seed: 7 }));
    photo = await encoded('jpg', picture({ seed: 8 }));
  });
  beforeEach(async () => {
    gateway = await gateways.add('openimmo');
  });
  afterAll(() => gateways.close());

  const stored = (extension: string, titre?: string): unknown => ({
    url: expect.stringMatching(new RegExp(`^${PHOTO_BASE_URL}/media/[0-9a-f]{64}\\.${extension}$`)) as string,
    ...(titre !== undefined && { titre }),
    empreinte: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  const shown = async (): Promise<{ photos: number; plans?: Link[]; documents?: Link[] }> => {
    const { photos, plans, documents } = (await gateway.listings())[0]!;
    return { photos: photos.length, ...(plans && { plans }), ...(documents && { documents }) };
  };
  const warningsOf = async (runId: number): Promise<string[]> =>
    (await gateways.api.database.runHistory.warnings(runId)).map(({ code, value }) => `${code} ${value}`).sort();
  /** An archive with an intact directory, but damaged files. */
  const unreadable = (content: Record<string, Buffer | string>): Buffer => {
    const zip = new AdmZip();
    for (const [name, bytes] of Object.entries(content)) zip.addFile(name, Buffer.from(bytes as string));
    const archive = zip.toBuffer();
    for (const name of Object.keys(content).filter((one) => !/\.(?:xml|blm)$/.test(one))) {
      const at = archive.indexOf(name) + name.length;
      archive.fill(0xff, at, at + 10);
    }
    return archive;
  };

  it('are stored like photos, and served without scripts', async () => {
    const run = await gateway.deliver({
      'o.xml': openImmo(
        ...[anhang('TITELBILD', 't.jpg'), anhang('GRUNDRISS', 'g.jpg', 'EG'), anhang('GRUNDRISS', 'g.pdf')],
        ...[anhang('DOKUMENTE', 'e.pdf', 'Exposé'), anhang('DOKUMENTE', 'g.pdf', 'Grundbuch')],
      ),
      ...{ 't.jpg': photo, 'g.jpg': drawing, 'g.pdf': OTHER_PDF, 'e.pdf': PDF },
    });

    expect(await warningsOf(run.id)).toEqual([]);
    const { photos, plans, documents } = await shown();
    expect({ photos, plans, documents }).toEqual({
      photos: 1,
      plans: [stored('jpg', 'EG'), stored('pdf')],
      documents: [stored('pdf', 'Exposé')],
    });
    const address = gateways.api.url + new URL(documents![0]!.url).pathname;
    const { statusCode, headers, body } = await request(address);
    expect([statusCode, Buffer.from(await body.arrayBuffer()).equals(PDF)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const resized = await request(`${address}?w=320`);
    await resized.body.dump();
    expect(resized.statusCode).toBe(404);
  });

  it('come from the columns of a BLM file, certificates included', async () => {
    gateway = await gateways.add('blm');
    const run = await gateway.deliver({
      '100.blm': blm({
        ...{ MEDIA_IMAGE_00: '100_1_IMG_00.jpg', MEDIA_IMAGE_60: '100_1_IMG_60.jpg', MEDIA_IMAGE_TEXT_60: 'EPC' },
        ...{ MEDIA_IMAGE_70: '100_1_IMG_70.jpg', MEDIA_FLOOR_PLAN_00: '100_1_FLP_00.jpg' },
        ...{ MEDIA_DOCUMENT_00: '100_1_DOC_00.pdf', MEDIA_DOCUMENT_TEXT_00: 'Brochure' },
        ...{ MEDIA_DOCUMENT_50: '100_1_DOC_50.pdf', MEDIA_DOCUMENT_TEXT_50: 'HIP' },
      }),
      ...{ '100_1_IMG_00.jpg': photo, '100_1_IMG_60.jpg': drawing, '100_1_FLP_00.jpg': drawing },
      ...{ '100_1_DOC_00.pdf': PDF, '100_1_DOC_50.pdf': OTHER_PDF },
      '100_1_IMG_70.jpg': await encoded('jpg', picture({ seed: 9 })),
    });
    expect(await warningsOf(run.id)).toEqual([]);
    expect(await shown()).toEqual({
      photos: 2,
      plans: [stored('jpg')],
      documents: [stored('pdf', 'Brochure'), stored('pdf', 'HIP'), stored('jpg', 'EPC')],
    });
  });

  it.each<[crm: string, fileName: string, feed: string]>([
    ['poliris', 'Annonces.csv', polirisLine('1', { 85: 'PLAN.jpg', 94: 'Plan' })],
    ['idx', 'unload.txt', idx({ 64: 'dossier.pdf' })],
    [
      'swissrets',
      'export.xml',
      swissRets('<plan><url>file:///plan.jpg</url></plan><document><url>file:///dossier.pdf</url></document>'),
    ],
    [
      'is24',
      'is24.xml',
      is24(
        '<MultimediaAnhang AnhangArt="grundrissBild" Dateiname="plan.jpg"/><MultimediaAnhang AnhangArt="video" Dateityp="PDF" Dateiname="dossier.pdf"/>',
      ),
    ],
    [
      'immobiliare',
      'feed.xml',
      immobiliare(
        '<blueprints><blueprint url="plan.jpg"/></blueprints><documents><document url="dossier.pdf"/></documents>',
      ),
    ],
    [
      'openimmo',
      'o.xml',
      openImmo(
        `<anhang location="INTERN" gruppe="DOKUMENTE"><daten><anhanginhalt>${PDF.toString('base64')}</anhanginhalt></daten></anhang>`,
        anhang('GRUNDRISS', 'plan.jpg'),
      ),
    ],
  ])('come with %s too', async (crm, fileName, feed) => {
    gateway = await gateways.add(crm);
    const run = await gateway.deliver({ [fileName]: feed, 'plan.jpg': drawing, 'dossier.pdf': PDF });
    expect((await warningsOf(run.id)).filter((warning) => warning.startsWith('photo_'))).toEqual([]);
    expect(await shown()).toEqual({
      photos: 0,
      ...(feed.toLowerCase().includes('plan.jpg') && {
        plans: [stored('jpg', crm === 'poliris' ? 'Plan' : undefined)],
      }),
      ...(crm !== 'poliris' && { documents: [stored('pdf')] }),
    });
  });

  it('are not read again when they are unchanged, and change when their file changes', async () => {
    const feed = (title: string): Record<string, string> => ({
      'o.xml': openImmo(anhang('GRUNDRISS', 'g.jpg'), anhang('DOKUMENTE', 'e.pdf', title)),
    });
    const files = { 'g.jpg': drawing, 'e.pdf': PDF };
    await gateway.deliver({ ...feed('Exposé'), ...files });
    const before = await shown();

    const run = await gateway.deliver(unreadable({ ...feed('Broschüre'), ...files }));
    expect([run.warnings, run.changed]).toEqual([0, 1]);
    const { plans, documents } = await shown();
    expect(plans).toEqual(before.plans);
    expect(documents).toEqual([{ ...before.documents![0], titre: 'Broschüre' }]);

    await gateway.deliver({ ...feed('Broschüre'), ...files, 'e.pdf': OTHER_PDF });
    const after = await shown();
    expect(after.plans).toEqual(before.plans);
    expect(after.documents![0]!.empreinte).not.toBe(before.documents![0]!.empreinte);
    // A later archive without the files keeps them.
    await gateway.deliver({ 'o.xml': openImmo(anhang('GRUNDRISS', 'g.jpg', 'EG'), anhang('DOKUMENTE', 'e.pdf')) });
    expect((await shown()).documents).toEqual([expect.objectContaining({ url: after.documents![0]!.url })]);
  });

  it.each<[what: string, group: string, name: string, content: Buffer | string | undefined, warning: string]>([
    ['a page that is named like a picture', 'GRUNDRISS', 'plan.jpg', PAGE, 'photo_refused plan.jpg (not a document)'],
    ['an empty file', 'GRUNDRISS', 'leer.png', '', 'photo_refused leer.png (not a document)'],
    ['a path out of the archive', 'GRUNDRISS', '../weg.jpg', undefined, 'photo_missing ../weg.jpg'],
    [
      'a blank before the mark of a PDF',
      'DOKUMENTE',
      'a.pdf',
      ` ${PDF.toString()}`,
      'photo_refused a.pdf (not a document)',
    ],
    ['a letter', 'DOKUMENTE', 'brief.docx', 'PK\u0003\u0004', 'photo_refused brief.docx (not a document)'],
    ['a PDF as a photo', 'BILD', 'bild.jpg', PDF, 'photo_refused bild.jpg (not an image)'],
    [
      'too many bytes',
      'DOKUMENTE',
      'b.pdf',
      Buffer.concat([PDF, Buffer.alloc(25_000_000)]),
      'photo_refused b.pdf (too large)',
    ],
  ])('are not shown, with a warning, when the file is %s', async (_what, group, name, content, warning) => {
    const run = await gateway.deliver({
      'o.xml': openImmo(anhang(group, name)),
      ...(content !== undefined && { [name]: content }),
    });
    expect(await shown()).toEqual({ photos: 0 });
    expect(await warningsOf(run.id)).toEqual([warning]);
  });

  it('show a PDF that was refused as a photo when a later record names it as a document, and the reverse', async () => {
    const files = { 'x.jpg': PDF };
    await gateway.deliver({ 'o.xml': openImmo(anhang('BILD', 'x.jpg')), ...files });
    expect(await shown()).toEqual({ photos: 0 });
    await gateway.deliver({ 'o.xml': openImmo(anhang('DOKUMENTE', 'x.jpg')), ...files });
    expect(await shown()).toEqual({ photos: 0, documents: [stored('pdf')] });
    const run = await gateway.deliver({ 'o.xml': openImmo(anhang('BILD', 'x.jpg')), ...files });
    expect(await shown()).toEqual({ photos: 0 });
    expect(await warningsOf(run.id)).toEqual(['photo_refused x.jpg (not an image)']);
  });
});
