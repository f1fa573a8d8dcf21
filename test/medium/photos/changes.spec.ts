import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import sharp from 'sharp';
import { encoded, picture } from '../../support/media/pictures';
import { canHaveSmallDisks, startSmallDisk } from '../../support/small-disk';
import { archiveOf, type PhotoGateway, type PhotoGateways, polirisLine, startPhotoGateways } from './photo-gateway';

const itOnSmallDisk = canHaveSmallDisks() ? it : it.skip;

// Real: PostgreSQL, the connector, the ingestor's code, the media store on disk, the API. Fake: the CRM that drops archives.
describe('photos of repeated archives', () => {
  let gateways: PhotoGateways;
  let gateway: PhotoGateway;
  let files: Record<string, Buffer>;

  beforeAll(async () => {
    gateways = await startPhotoGateways();
    files = {
      'a.jpg': await encoded('jpg', picture({ seed: 3 })),
      'b.jpg': await encoded('jpg', picture({ seed: 4 })),
    };
  });
  beforeEach(async () => {
    gateway = await gateways.add('poliris');
  });
  afterAll(() => gateways.close());

  const rows = (title?: string): string =>
    [polirisLine('1', { 85: 'a.jpg' }, title), polirisLine('2', { 85: 'b.jpg' })].join('\r\n');
  const feed = (title?: string): Record<string, string> => ({ 'Annonces.csv': rows(title) });
  const urls = async (): Promise<string[][]> =>
    (await gateway.listings()).map(({ photos }) => photos.map(({ url }) => url));
  const warningsOf = async (runId: number): Promise<unknown[]> =>
    (await gateways.api.database.runHistory.warnings(runId)).map(({ code, value, examples }) => [
      code,
      value,
      examples,
    ]);

  /** An archive with an intact directory, but damaged files. */
  const unreadable = (content: Record<string, Buffer | string>): Buffer => {
    const zip = new AdmZip();
    for (const [name, bytes] of Object.entries(content)) zip.addFile(name, Buffer.from(bytes as string));
    const archive = zip.toBuffer();
    for (const name of Object.keys(files)) {
      const at = archive.indexOf(name) + name.length;
      archive.fill(0xff, at, at + 10);
    }
    return archive;
  };

  it('are not read again when the directory of the archive shows that they are unchanged', async () => {
    await gateway.deliver({ ...feed(), ...files });
    const before = await urls();

    const again = unreadable({ ...feed(), ...files });
    expect(await gateway.deliver(again)).toMatchObject({ state: 'unchanged', records: 2, unchanged: 2, warnings: 0 });
    const changed = unreadable({ ...feed('Un autre titre'), ...files });
    expect(await gateway.deliver(changed)).toMatchObject({ state: 'published', changed: 1, unchanged: 1, warnings: 0 });
    expect(await urls()).toEqual(before);
  });

  it('change when the files change, although the records are the same', async () => {
    await gateway.deliver({ ...feed(), ...files });
    const before = await gateway.listings();

    const run = await gateway.deliver({ ...feed(), ...files, 'b.jpg': await encoded('jpg', picture({ seed: 5 })) });

    expect(run).toMatchObject({ state: 'published', changed: 1, unchanged: 1 });
    const after = await gateway.listings();
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.photos[0]).not.toEqual(before[1]?.photos[0]);
    expect(await gateway.deliver({ ...feed(), ...files })).toMatchObject({ state: 'published', changed: 1 });
    expect(await gateway.listings()).toEqual(before);
  });

  it('stay when they are missing in an archive with only new photos, even if their record has changed', async () => {
    await gateway.deliver({ ...feed(), ...files, 'Photos.cfg': 'Mode=DIFF' });
    const before = await urls();

    const run = await gateway.deliver({ ...feed('Un autre titre'), 'Photos.cfg': 'Mode=DIFF' });

    expect(run).toMatchObject({ state: 'published', changed: 1, unchanged: 1, warnings: 0 });
    expect(await urls()).toEqual(before);
    const back = unreadable({ ...feed('Un autre titre'), ...files, 'Photos.cfg': 'Mode=DIFF' });
    expect(await gateway.deliver(back)).toMatchObject({ state: 'unchanged', unchanged: 2, warnings: 0 });
  });

  it('are removed when a complete archive lacks them', async () => {
    await gateway.deliver({ ...feed(), ...files, 'Photos.cfg': 'Mode=DIFF' });
    const before = await urls();

    const run = await gateway.deliver({ ...feed(), 'a.jpg': files['a.jpg']!, 'Photos.cfg': 'Mode=FULL\r\n' });

    expect(run).toMatchObject({ state: 'published', changed: 1, unchanged: 1 });
    expect(await urls()).toEqual([before[0], []]);
    expect(await warningsOf(run.id)).toEqual([['photo_missing', 'b.jpg', ['AG-2']]]);
    await gateway.deliver({ ...feed(), ...files });
    expect(await urls()).toEqual(before);
  });

  it('cause warnings when their files are not photos, and are not read again', async () => {
    const broken = { 'a.jpg': Buffer.from('no image at all'), 'b.jpg': files['b.jpg']!.subarray(0, 900) };
    const run = await gateway.deliver({ ...feed(), ...broken });

    expect(run).toMatchObject({ state: 'published', added: 2, warnings: 2 });
    expect(await urls()).toEqual([[], []]);
    expect(await warningsOf(run.id)).toEqual([
      ['photo_refused', 'a.jpg (not an image), b.jpg (truncated)', ['AG-1', 'AG-2']],
    ]);
    expect((await gateways.api.database.traces.trace(gateway.id, 'AG-2')).lostPhotos).toEqual({
      count: 1,
      examples: [{ name: 'b.jpg', refusal: 'truncated' }],
    });
    expect(await gateway.deliver(unreadable({ ...feed(), ...broken }))).toMatchObject({ state: 'unchanged' });
  });

  it('are read from the next archive when they were damaged before', async () => {
    const run = await gateway.deliver(unreadable({ ...feed(), ...files }));
    expect(run).toMatchObject({ state: 'published', added: 2, warnings: 2 });
    expect(await urls()).toEqual([[], []]);

    expect(await gateway.deliver({ ...feed(), ...files })).toMatchObject({
      state: 'published',
      changed: 2,
      warnings: 0,
    });
    expect((await urls()).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('are not stored by a dry run, which still reports the changes', async () => {
    const place = { folder: '/dev/null/nowhere' };
    const run = await gateway.deliver({ ...feed(), ...files }, { dryRun: true, place });
    expect(run).toMatchObject({ state: 'published', added: 2, warnings: 0 });
    await gateway.deliver({ ...feed(), ...files });
    const again = await gateway.deliver(
      { ...feed('Titre'), 'a.jpg': files['b.jpg']!, 'b.jpg': files['b.jpg']! },
      { dryRun: true },
    );
    expect(again).toMatchObject({ state: 'published', changed: 1, unchanged: 1 });
  });

  it('get new addresses when the operator changes the base URL, and are not read again', async () => {
    await gateway.deliver({ ...feed(), ...files });
    const before = await urls();

    const run = await gateway.deliver(unreadable({ ...feed(), ...files }), { baseUrl: 'https://cdn.example.org' });

    expect(run).toMatchObject({ state: 'published', changed: 2, warnings: 0 });
    expect(await urls()).toEqual(before.map(([url]) => [url!.replace('photos.example.org', 'cdn.example.org')]));
  });

  it('are restored to the store by the next archive that contains them', async () => {
    await gateway.deliver({ ...feed(), ...files });
    const before = await gateway.listings();
    rmSync(gateways.mediaDir, { recursive: true });

    const run = await gateway.deliver({ ...feed(), ...files, 'note.txt': 'other bytes' });

    expect(run).toMatchObject({ state: 'unchanged', unchanged: 2, warnings: 0 });
    expect(await gateway.listings()).toEqual(before);
    const { status } = await gateways.api.send('HEAD', new URL(before[0]!.photos[0]!.url).pathname);
    expect(status).toBe(200);
  });

  it('make the run fail with one sentence when they cannot be stored, without changing the current snapshot', async () => {
    await gateway.deliver({ ...feed(), ...files });
    const before = await gateway.listings();

    const more = { ...feed('Un autre titre'), ...files, 'a.jpg': await encoded('jpg', picture({ seed: 6 })) };
    const run = await gateway.deliver(more, { place: { folder: '/dev/full/photos' } });

    expect(run).toMatchObject({
      state: 'failed',
      reason: 'photos cannot be stored: the media folder /dev/full/photos cannot be used (ENOTDIR)',
    });
    expect(await gateway.listings()).toEqual(before);
    expect(await gateway.deliver(more)).toMatchObject({ state: 'published', changed: 1 });
  });

  itOnSmallDisk(
    'make the run fail with one sentence when the disk is full, and are stored by the next run with enough space',
    async () => {
      await gateway.deliver({ ...feed(), ...files });
      const before = await gateway.listings();
      const large = sharp(randomBytes(3_600_000), { raw: { width: 1_200, height: 1_000, channels: 3 } });
      const more = { ...feed('Un autre titre'), ...files, 'a.jpg': await large.jpeg({ quality: 100 }).toBuffer() };
      const disk = await startSmallDisk();
      const run = await gateway.deliver(more, { place: { folder: disk.folder } });
      const left = readdirSync(disk.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      await disk.unmount();

      expect(run).toMatchObject({
        state: 'failed',
        reason: `photos cannot be stored: the media folder ${disk.folder} is full: make room, or point MEDIA_DIR to another disk`,
      });
      expect(left.map(({ parentPath }) => parentPath).filter((path) => path.endsWith('.writing'))).toEqual([]);
      expect(await gateway.listings()).toEqual(before);
      expect(await gateway.deliver(more)).toMatchObject({ state: 'published', changed: 1 });
    },
  );

  it('come only from the folder of their record when several folders have a file of the same name', async () => {
    const run = await gateway.deliver({
      'north/annonces.csv': polirisLine('1', { 85: '1.jpg' }),
      'south/annonces.csv': polirisLine('2', { 85: '1.jpg' }),
      'east/annonces.csv': polirisLine('3', { 85: '1.jpg' }),
      'north/photos/1.jpg': files['a.jpg']!,
      'south/photos/1.jpg': files['b.jpg']!,
    });
    expect(run).toMatchObject({ state: 'published', added: 3, warnings: 1 });
    const byId = new Map((await gateway.listings()).map(({ affId, photos }) => [affId, photos[0]?.url]));
    expect(byId.get('AG-1')).not.toBe(byId.get('AG-2'));
    expect(byId.get('AG-3')).toBeUndefined();
  });

  it('may arrive in a separate archive, at another time than the data', async () => {
    const other = join(gateways.inboxDir, 'others.zip');
    const drop = (content: Record<string, Buffer>, time: number): void => {
      writeFileSync(other, archiveOf(content));
      utimesSync(other, time, time);
    };
    await gateways.api.testDatabase.query(
      `UPDATE gateway SET settings = '{"photos": "file:others.zip"}' WHERE id = $1`,
      [gateway.id],
    );
    const data = archiveOf(feed());
    expect(await gateway.deliver(data)).toMatchObject({ state: 'published', added: 2, warnings: 2 });

    drop(files, 1_600_000_000);
    expect(await gateway.deliver(data)).toMatchObject({ state: 'published', changed: 2, warnings: 0 });
    const before = await urls();
    expect(before.map(({ length }) => length)).toEqual([1, 1]);
    expect(await gateway.deliver(data)).toMatchObject({ state: 'unchanged', records: 0 });

    drop({ ...files, 'b.jpg': await encoded('jpg', picture({ seed: 10 })) }, 1_600_000_001);
    expect(await gateway.deliver(data)).toMatchObject({ state: 'published', changed: 1, unchanged: 1 });
    expect((await urls())[0]).toEqual(before[0]);
  });

  it('are stored once when several files have the same content', async () => {
    const photo = await encoded('jpg', picture({ seed: 7 }));
    await gateway.deliver({
      'Annonces.csv': polirisLine('1', { 85: '1.jpg', 86: '2.jpg' }),
      '1.jpg': photo,
      '2.jpg': photo,
    });
    const [shown, ...others] = await gateway.photos();
    expect(others).toEqual([]);
    const name = shown!.url.split('/').at(-1)!;
    expect(readdirSync(`${gateways.mediaDir}/${name.slice(0, 2)}`)).toEqual([name]);
  });
});
