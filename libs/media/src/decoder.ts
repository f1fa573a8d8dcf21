import type { CleanPhoto } from './photo/photo';
import { MAX_PIXELS, PhotoRefused } from './photo/refusals';
import { lazy } from '@passerelle/bucket';
import { createWorkGate } from './work-gate';

/** The only file that uses sharp. It loads the library for the first photo. */

export type SizeFormat = 'jpg' | 'webp';

/** One thread per image and no cache, because photos rarely repeat. */
const loadSharp = lazy(async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
});

/** Some decoders need up to 8 bytes per pixel for the whole image: larger images are decoded one at a time. */
const LARGE_PIXELS = 16_000_000;
const largeImages = createWorkGate({ slots: 1, queue: Infinity });
/** The time limit per image, in seconds; an image of 60 megapixels takes about 2 s. */
const PATIENCE_S = 30;
const QUALITY = { jpg: 80, webp: 78 };

/** @throws PhotoRefused */
export async function checkDecodes(photo: CleanPhoto): Promise<void> {
  try {
    await decode(photo, 'warning');
  } catch (error) {
    if (/premature end/i.test(String(error))) throw new PhotoRefused('truncated', { cause: error });
    if (photo.extension !== 'jpg') throw new PhotoRefused('damaged', { cause: error });
    // Minor damage, such as extra bytes between two scans, is only a warning, because every browser displays the photo.
    await decode(photo, 'error').catch((cause: unknown) => {
      throw new PhotoRefused('damaged', { cause });
    });
  }
}

async function decode(photo: CleanPhoto, failOn: 'warning' | 'error'): Promise<void> {
  const sharp = await loadSharp();
  await gated(photo.width * photo.height, () =>
    sharp(photo.bytes, { failOn, limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: PATIENCE_S })
      .resize(64, 64, { fit: 'fill' })
      .raw()
      .toBuffer(),
  );
}

export async function widthOf(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp();
  const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  return autoOrient.width;
}

/** The result is upright and in sRGB. Transparency becomes white if the format does not support it. */
export async function resize(bytes: Buffer, width: number, format: SizeFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS }).timeout({ seconds: PATIENCE_S });
  const size = await image.metadata();
  const resized = image.autoOrient().resize({ width, withoutEnlargement: true });
  return gated(size.width * size.height, () =>
    format === 'webp'
      ? resized.webp({ quality: QUALITY.webp }).toBuffer()
      : resized.flatten({ background: '#fff' }).jpeg({ quality: QUALITY.jpg }).toBuffer(),
  );
}

async function gated<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  return pixels > LARGE_PIXELS ? largeImages.run(work) : work();
}
