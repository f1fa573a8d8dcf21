import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { checkDecodes } from './decoder';
import { cleanPhoto } from './photo/clean-photo';
import { openDiskStore } from './store/disk-store';
import type { MediaStore } from './store/media-store';
import { storePhoto } from './store-photo';
import { encoded, picture } from '../../../test/support/media/pictures';
import { PLANTS } from '../../../test/support/media/planted';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('storePhoto', () => {
  let folder: string;
  let store: MediaStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-'));
    store = openDiskStore(folder);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const path = (name: string): string => join(folder, name.slice(0, 2), name);

  it('stores a photo without its camera data, under a name derived from the stored bytes', async () => {
    const file = PLANTS.jpg['EXIF']!(await encoded('jpg'));

    const photo = await storePhoto(store, file);

    const stored = cleanPhoto(file).bytes;
    expect(photo).toEqual({
      name: `${sha256(stored)}.jpg`,
      token: sha256(stored),
      extension: 'jpg',
      bytes: stored.length,
      width: 90,
      height: 60,
      empreinte: sha256(file).slice(0, 16),
    });
    expect((await readFile(path(photo.name))).equals(stored)).toBe(true);
  });

  it('distinguishes two files that differ only in their camera data', async () => {
    const file = await encoded('jpg');

    const [plain, planted] = [await storePhoto(store, file), await storePhoto(store, PLANTS.jpg['XMP']!(file))];

    expect(planted.token).toBe(plain.token);
    expect(planted.empreinte).not.toBe(plain.empreinte);
  });

  it('stores a PDF as it is when it is a document, and refuses it as a photo', async () => {
    const file = Buffer.from('%PDF-1.4\n');

    const document = await storePhoto(store, file, 'document');

    expect(document).toMatchObject({ name: `${sha256(file)}.pdf`, extension: 'pdf', bytes: 9, width: 0, height: 0 });
    expect((await readFile(path(document.name))).equals(file)).toBe(true);
    await expect(storePhoto(store, file)).rejects.toMatchObject({ reason: 'not_an_image' });
  });

  it('cleans a picture that is a document, and refuses other documents', async () => {
    const file = PLANTS.jpg['EXIF']!(await encoded('jpg'));

    const document = await storePhoto(store, file, 'document');

    expect((await readFile(path(document.name))).equals(cleanPhoto(file).bytes)).toBe(true);
    for (const other of ['', '<html>', ' %PDF-1.4', '%pdf-1.4'])
      await expect(storePhoto(store, Buffer.from(other), 'document')).rejects.toMatchObject({
        reason: 'not_a_document',
      });
  });

  it('accepts a stream', async () => {
    const file = await encoded('png');
    const chunks = Array.from({ length: 10 }, (_, index) => file.subarray(index * 900, (index + 1) * 900));

    const photo = await storePhoto(store, toStream([...chunks, file.subarray(9_000)]));

    expect(photo).toEqual(await storePhoto(store, file));
  });

  it('stops reading a file that is too large', async () => {
    let chunks = 0;
    const endless = (async function* () {
      for (; chunks < 1_000; chunks++) yield await Promise.resolve(Buffer.alloc(1_000_000));
    })();

    await expect(storePhoto(store, endless)).rejects.toMatchObject({ name: 'PhotoRefused', reason: 'too_large' });
    expect(chunks).toBe(25);
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not store a file that cannot be decoded', async () => {
    const file = await encoded('webp', picture({ width: 400, height: 300 }));
    file.fill(0xaa, file.length / 2, file.length / 2 + 200);

    await expect(storePhoto(store, file)).rejects.toMatchObject({
      name: 'PhotoRefused',
      message: 'the image cannot be decoded',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stores the same photo once, and again only after a day', async () => {
    const file = await encoded('gif');
    const put = jest.spyOn(store, 'put');
    const { name } = await storePhoto(store, file);
    await storePhoto(store, file);
    expect(put).toHaveBeenCalledTimes(1);

    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(path(name), longAgo, longAgo);
    await storePhoto(store, file);

    expect((await store.find(name))!.modifiedAt.getTime()).toBeGreaterThan(longAgo.getTime() + 3_600_000);
  });

  it('repairs a stored file that is incomplete', async () => {
    const file = await encoded('gif');
    const { name } = await storePhoto(store, file);
    await store.put(name, Buffer.from('half'));

    const { bytes } = await storePhoto(store, file);

    expect(await store.find(name)).toMatchObject({ bytes });
  });
});

describe('checkDecodes, for a photo with a valid structure', () => {
  const refusal = async (file: Buffer): Promise<unknown> => {
    try {
      await checkDecodes(cleanPhoto(file));
      return 'taken';
    } catch (error) {
      return (error as { reason?: unknown }).reason;
    }
  };

  it('refuses a truncated JPEG with an added end marker', async () => {
    for (const progressive of [false, true]) {
      const file = await picture({ width: 400, height: 300 }).jpeg({ progressive }).toBuffer();
      const cut = Buffer.concat([file.subarray(0, file.length / 2), Buffer.from([0xff, 0xd9])]);

      expect(await refusal(cut)).toBe('truncated');
    }
  });

  it('accepts a JPEG with extra bytes that every browser skips', async () => {
    const file = await picture().jpeg({ progressive: true }).toBuffer();

    expect(await refusal(Buffer.concat([file.subarray(0, -2), Buffer.from('stray'), file.subarray(-2)]))).toBe('taken');
  });

  it('refuses a PNG without pixels', async () => {
    const file = await encoded('png');
    const start = file.indexOf('IDAT') - 4;
    const pixels = Buffer.concat([Buffer.from('IDAT'), deflateSync(Buffer.alloc(5))]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(pixels.length - 4, 0);
    frame.writeUInt32BE(crc32(pixels), 4);

    expect(
      await refusal(
        Buffer.concat([file.subarray(0, start), frame.subarray(0, 4), pixels, frame.subarray(4), file.subarray(-12)]),
      ),
    ).toBe('damaged');
  });

  it.each(['webp', 'gif'] as const)('refuses a photo with overwritten pixels: %s', async (extension) => {
    const file = await encoded(extension, picture({ width: 400, height: 300 }));
    file.fill(0xaa, file.length / 2, file.length / 2 + 200);

    expect(await refusal(file)).toMatch(/damaged|truncated/);
  });
});

async function* toStream(chunks: Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
