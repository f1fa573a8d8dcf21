import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { tokenOf } from './photo-name';
import { createSizeFinder, type Size } from './sizes';
import { openDiskStore } from './store/disk-store';
import type { MediaStore } from './store/media-store';
import { storePhoto, type StoredPhoto } from './store-photo';
import { encoded, picture } from '../../../test/support/media/pictures';
import { makeLocations, type StoreLocations } from '../../../test/support/media/stores';

describe('resized photos', () => {
  let places: StoreLocations;
  let store: MediaStore;

  beforeAll(async () => {
    places = await makeLocations('disk');
  });

  beforeEach(() => {
    const place = places.next();
    store = openDiskStore('folder' in place ? place.folder : '');
  });

  afterAll(async () => {
    await places.remove();
  });

  const sizeOf = ({ token, extension }: StoredPhoto, size: Partial<Size> = {}): Size => ({
    photo: { token, extension, width: null },
    width: 320,
    format: 'jpg',
    ...size,
  });
  const content = async (name: string | null): Promise<Buffer> => buffer((await store.read(name!))!);

  it('look like the original photo', async () => {
    const photo = await storePhoto(store, await encoded('jpg', picture({ width: 1_280, height: 960 })));

    const small = await content(await createSizeFinder(store)(sizeOf(photo)));

    const expected = await sharp(await content(photo.name))
      .resize(320)
      .raw()
      .toBuffer();
    expect(meanDifference(await sharp(small).raw().toBuffer(), expected)).toBeLessThan(3);
  });

  it('are upright, without EXIF data', async () => {
    const lying = await encoded('jpg', picture({ width: 800, height: 600 }).withMetadata({ orientation: 6 }));
    const photo = await storePhoto(store, lying);

    const small = await content(await createSizeFinder(store)(sizeOf(photo)));

    const expected = await sharp(lying).autoOrient().resize(320).raw().toBuffer();
    expect([photo.width, photo.height]).toEqual([600, 800]);
    expect(meanDifference(await sharp(small).raw().toBuffer(), expected)).toBeLessThan(3);
    expect(await sharp(small).metadata()).not.toHaveProperty('exif');
  });

  it('have the colours of the original photo, without its colour profile', async () => {
    const photo = await storePhoto(store, await encoded('jpg', picture({ width: 800 }).withIccProfile('p3')));

    const small = await content(await createSizeFinder(store)(sizeOf(photo)));

    const expected = await sharp(await content(photo.name))
      .resize(320)
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    expect(meanDifference(await sharp(small).raw().toBuffer(), expected)).toBeLessThan(3);
    expect(await sharp(small).metadata()).not.toHaveProperty('icc');
  });

  it('are white where the photo is transparent, if the format has no transparency', async () => {
    const clear = await picture({ width: 700 }).ensureAlpha(0).png().toBuffer();
    const photo = await storePhoto(store, clear);

    const small = await content(await createSizeFinder(store)(sizeOf(photo)));

    const { channels } = await sharp(small).stats();
    expect(Math.min(...channels.map(({ min }) => min))).toBeGreaterThan(250);
  });

  it('are created once for a hundred concurrent requests, and not again by another process', async () => {
    const photo = await storePhoto(store, await encoded('jpg', picture({ width: 1_200 })));
    const put = jest.spyOn(store, 'put');
    const [find, findElsewhere] = [createSizeFinder(store), createSizeFinder(store)];

    const names = await Promise.all(Array.from({ length: 100 }, () => find(sizeOf(photo))));

    expect(new Set([...names, await findElsewhere(sizeOf(photo))])).toEqual(new Set([`${photo.token}-320.jpg`]));
    expect(put).toHaveBeenCalledTimes(1);
  });

  it('are created by the next request after a failure', async () => {
    const photo = await storePhoto(store, await encoded('jpg', picture({ width: 700 })));
    const find = createSizeFinder(store);
    const put = jest.spyOn(store, 'put').mockRejectedValueOnce(new Error('full'));

    await expect(find(sizeOf(photo))).rejects.toThrow('full');

    expect(await find(sizeOf(photo))).toBe(`${photo.token}-320.jpg`);
    expect(put).toHaveBeenCalledTimes(2);
  });

  it('are created at most two at a time', async () => {
    const photos = await Promise.all(
      Array.from({ length: 12 }, async (_, seed) =>
        storePhoto(store, await encoded('jpg', picture({ width: 400, seed }))),
      ),
    );
    let [underWay, most] = [0, 0];
    const { read, put } = store;
    jest.spyOn(store, 'read').mockImplementation((name) => {
      most = Math.max(most, (underWay += 1));
      return read(name);
    });
    jest.spyOn(store, 'put').mockImplementation(async (name, bytes) => {
      await put(name, bytes);
      underWay -= 1;
    });

    const find = createSizeFinder(store);
    await Promise.all(photos.map((photo) => find(sizeOf(photo))));

    expect(most).toBe(2);
  });

  it('of an unknown photo need no free slot, even with many requests', async () => {
    const find = createSizeFinder(store);
    const tokens = Array.from({ length: 500 }, (_, index) => tokenOf(Buffer.from(String(index))));

    const names = await Promise.all(
      tokens.map((token) => find({ photo: { token, extension: 'jpg', width: null }, width: 320, format: 'jpg' })),
    );

    expect(new Set(names)).toEqual(new Set([null]));
  });

  it('are the original photo if it is narrow, and the finder opens that photo only once', async () => {
    const photo = await storePhoto(store, await encoded('jpg', picture({ width: 200 })));
    const read = jest.spyOn(store, 'read');
    const find = createSizeFinder(store);

    expect([await find(sizeOf(photo)), await find(sizeOf(photo))]).toEqual([photo.name, photo.name]);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

function meanDifference(a: Buffer, b: Buffer): number {
  expect(a).toHaveLength(b.length);
  return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;
}
