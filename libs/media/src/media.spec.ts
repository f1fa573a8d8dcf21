import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { type Media, openMedia, type ServedPhoto } from './media';
import type { MediaLocation } from './settings';
import type { StoredPhoto } from './store-photo';
import { encoded, picture, type PictureOptions } from '../../../test/support/media/pictures';
import { makeLocations, type StoreLocations, STORE_KINDS } from '../../../test/support/media/stores';

const content = async (photo: ServedPhoto | null): Promise<Buffer> => buffer((await photo!.read())!);
const describePhoto = async (photo: ServedPhoto | null): Promise<unknown> => {
  const { format, width, height } = await sharp(await content(photo)).metadata();
  return [photo!.contentType, format, width, height];
};

describe.each(STORE_KINDS)('media store: %s', (kind) => {
  let places: StoreLocations;
  let place: MediaLocation;
  let media: Media;

  beforeAll(async () => {
    places = await makeLocations(kind);
  });

  beforeEach(() => {
    place = places.next();
    media = openMedia(place);
  });

  afterEach(() => {
    media.close();
  });

  afterAll(async () => {
    await places.remove();
  });

  const take = async (options: PictureOptions, extension: 'jpg' | 'webp' = 'jpg'): Promise<StoredPhoto> =>
    media.store(await encoded(extension, picture(options)));

  it('finds a photo only by its name', async () => {
    const { name, token, bytes } = await take({});

    const found = await media.find(name);

    expect(found).toMatchObject({ name, bytes, contentType: 'image/jpeg', publicUrl: null });
    expect(await content(found)).toHaveLength(bytes);
    expect(await buffer((await found!.read({ start: 0, end: 2 }))!)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    for (const other of [
      `${'0'.repeat(64)}.jpg`,
      `${token}.png`,
      token,
      '../secrets.json',
      '',
      `${name}\0`,
      `x${name}`,
    ]) {
      expect([await media.find(other), await media.findResized(other, 320, 'jpg')]).toEqual([null, null]);
    }
  });

  it('resizes photos to JPEG and WebP', async () => {
    const { name } = await take({ width: 1_800, height: 1_200 });

    expect(await describePhoto(await media.findResized(name, 320, 'jpg'))).toEqual(['image/jpeg', 'jpeg', 320, 213]);
    expect(await describePhoto(await media.findResized(name, 1600, 'webp'))).toEqual([
      'image/webp',
      'webp',
      1600,
      1067,
    ]);
  });

  it('does not enlarge a photo', async () => {
    const jpeg = await take({ width: 500, height: 300 });
    const webp = await take({ width: 500, height: 300 }, 'webp');

    expect((await media.findResized(jpeg.name, 640, 'webp'))!.name).toBe(jpeg.name);
    expect((await media.findResized(webp.name, 640, 'webp'))!.name).toBe(webp.name);
    expect(await describePhoto(await media.findResized(webp.name, 640, 'jpg'))).toEqual([
      'image/jpeg',
      'jpeg',
      500,
      300,
    ]);
  });

  it('does not resize a resized photo', async () => {
    const { name } = await take({ width: 1_800, height: 1_200 });
    const small = await media.findResized(name, 640, 'jpg');

    expect([await media.find(small!.name), await media.findResized(small!.name, 320, 'jpg')]).toEqual([null, null]);
  });

  it('prunes an unused photo with its resized versions', async () => {
    const [used, unused, young] = [await take({ width: 700 }), await take({ width: 701 }), await take({ width: 702 })];
    const smaller = await media.findResized(unused.name, 320, 'webp');
    await media.findResized(used.name, 320, 'webp');

    const asked: string[] = [];
    const findUsed = (tokens: string[]): Promise<Set<string>> => {
      asked.push(...tokens);
      return Promise.resolve(new Set([used.token, young.token]));
    };
    expect(await media.prune({ findUsed, olderThan: new Date(0) })).toEqual({ files: 0, bytes: 0 });
    expect(asked).toEqual([]);
    const pruned = await media.prune({ findUsed, olderThan: new Date(Date.now() + 60_000) });

    expect(pruned).toEqual({ files: 2, bytes: unused.bytes + smaller!.bytes });
    expect(asked.sort()).toEqual([used.token, unused.token, young.token].sort());
    expect(await media.find(unused.name)).toBeNull();
    expect(await smaller!.read()).toBeNull();
    expect(await content(await media.find(used.name))).toHaveLength(used.bytes);
  });
});
