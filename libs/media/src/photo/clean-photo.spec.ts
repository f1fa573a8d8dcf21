import sharp, { type Sharp } from 'sharp';
import { encoded, picture, pixelsOf } from '../../../../test/support/media/pictures';
import { PLANTS, SECRET, webpChunk } from '../../../../test/support/media/planted';
import { cleanPhoto } from './clean-photo';
import { PHOTO_EXTENSIONS, type PhotoExtension } from './photo';

const plants = PHOTO_EXTENSIONS.flatMap((extension) =>
  Object.entries(PLANTS[extension]).map(([what, plant]) => [extension, what, plant] as const),
);

/**
 * An encoded picture. It is transparent, because a transparent WebP has the extended form that allows additional data.
 */
async function file(extension: PhotoExtension): Promise<Buffer> {
  return encoded(extension, extension === 'webp' ? picture().ensureAlpha(0.5) : picture());
}

describe('cleanPhoto', () => {
  it.each(PHOTO_EXTENSIONS)('keeps the pixels: %s', async (extension) => {
    const original = await file(extension);

    const photo = cleanPhoto(original);

    expect([photo.extension, photo.width, photo.height]).toEqual([extension, 90, 60]);
    expect((await pixelsOf(photo.bytes)).equals(await pixelsOf(original))).toBe(true);
  });

  it.each(plants)('removes planted data: %s, %s', async (extension, _, plant) => {
    const original = await file(extension);
    const planted = plant(original);
    expect(planted.length).toBeGreaterThan(original.length);
    // The planted data does not change the displayed picture.
    expect((await pixelsOf(planted)).equals(await pixelsOf(original))).toBe(true);

    const { bytes } = cleanPhoto(planted);

    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.equals(cleanPhoto(original).bytes)).toBe(true);
  });

  it.each(PHOTO_EXTENSIONS)('does not change a photo that is already clean: %s', async (extension) => {
    const once = cleanPhoto(await file(extension)).bytes;

    expect(cleanPhoto(once).bytes.equals(once)).toBe(true);
  });

  it.each(['jpg', 'png', 'webp'] as const)('keeps the orientation but no other EXIF data: %s', async (extension) => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const original = await encoded(
        extension,
        picture()
          .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitudeRef: 'N' } })
          .withMetadata({ orientation }),
      );

      const photo = cleanPhoto(original);

      expect([photo.width, photo.height]).toEqual(orientation >= 5 ? [60, 90] : [90, 60]);
      expect((await pixelsOf(photo.bytes)).equals(await pixelsOf(original))).toBe(true);
      expect(photo.bytes.includes(SECRET)).toBe(false);
      expect((await sharp(photo.bytes).metadata()).exif?.length ?? 0).toBeLessThanOrEqual(orientation === 1 ? 0 : 32);
    }
  });

  it.each(['jpg', 'png', 'webp'] as const)('keeps the colour profile: %s', async (extension) => {
    const original = await encoded(extension, picture().withIccProfile('p3'));

    const { bytes } = cleanPhoto(original);

    const { icc } = await sharp(original).metadata();
    expect((await sharp(bytes).metadata()).icc?.equals(icc!)).toBe(true);
    expect((await pixelsOf(bytes)).equals(await pixelsOf(original))).toBe(true);
  });

  it.each<[string, PhotoExtension, (image: Sharp) => Sharp]>([
    ['a progressive JPEG', 'jpg', (image) => image.jpeg({ progressive: true })],
    ['a CMYK JPEG', 'jpg', (image) => image.toColourspace('cmyk').jpeg()],
    ['a grey JPEG', 'jpg', (image) => image.greyscale().jpeg()],
    ['an interlaced PNG', 'png', (image) => image.png({ progressive: true })],
    ['a PNG with a palette', 'png', (image) => image.png({ palette: true })],
    ['a PNG of 16 bits', 'png', (image) => image.toColourspace('rgb16').png()],
    ['a lossless WebP', 'webp', (image) => image.webp({ lossless: true })],
    ['a WebP with transparency', 'webp', (image) => image.ensureAlpha(0.5).webp()],
  ])('accepts %s', async (_, extension, encode) => {
    const original = await encode(picture()).toBuffer();

    const photo = cleanPhoto(original);

    expect([photo.extension, photo.width, photo.height]).toEqual([extension, 90, 60]);
    expect((await pixelsOf(photo.bytes)).equals(await pixelsOf(original))).toBe(true);
  });

  it.each(['gif', 'webp'] as const)('keeps an animation: %s', async (extension) => {
    const frames = await Promise.all([1, 2, 3].map((seed) => picture({ seed }).png().toBuffer()));
    const original = await sharp(frames, { join: { animated: true } })
      .toFormat(extension)
      .toBuffer();

    const { bytes } = cleanPhoto(original);

    const show = (one: Buffer): Promise<Buffer> => sharp(one, { animated: true }).raw().toBuffer();
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(3);
    expect((await show(bytes)).equals(await show(original))).toBe(true);
  });

  it('removes additional data from the frames of an animation', async () => {
    const frames = await Promise.all([1, 2].map((seed) => picture({ seed }).png().toBuffer()));
    const original = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const frame = original.indexOf('ANMF');
    const secret = webpChunk('prVt', SECRET);
    const planted = Buffer.concat([original.subarray(0, frame + 24), secret, original.subarray(frame + 24)]);
    planted.writeUInt32LE(planted.readUInt32LE(frame + 4) + secret.length, frame + 4);
    planted.writeUInt32LE(planted.length - 8, 4);

    expect(cleanPhoto(planted).bytes.equals(cleanPhoto(original).bytes)).toBe(true);
  });

  it("keeps the colour transform in a JPEG's Adobe segment, but no other data of the segment", async () => {
    const jpeg = await picture().jpeg().toBuffer();
    const adobe = Buffer.concat([Buffer.from('\xff\xee\0\x33Adobe\0\x64\0\0\0\0\0', 'latin1'), Buffer.from(SECRET)]);
    const original = Buffer.concat([jpeg.subarray(0, 2), adobe, jpeg.subarray(2)]);
    expect((await pixelsOf(original)).equals(await pixelsOf(jpeg))).toBe(false);

    const { bytes } = cleanPhoto(original);

    expect((await pixelsOf(bytes)).equals(await pixelsOf(original))).toBe(true);
    expect(bytes.includes(SECRET)).toBe(false);
  });

  it('accepts a GIF without its last byte', async () => {
    const original = await file('gif');

    expect(cleanPhoto(original.subarray(0, -1)).bytes.equals(cleanPhoto(original).bytes)).toBe(true);
  });
});
