import sharp, { type Sharp } from 'sharp';
import type { PhotoExtension } from '../../../libs/media/src/photo/photo';

export interface PictureOptions {
  width?: number;
  height?: number;
  /** A different number gives different pixels. */
  seed?: number;
}

/** An invented picture with edges, flat areas and gradients. */
export function picture({ width = 90, height = 60, seed = 1 }: PictureOptions = {}): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  const tile = width / 10;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = (seed * 37 + (Math.floor(x / tile) + Math.floor(y / tile)) * 60) % 256;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const JFIF = Buffer.from('\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1');

/** The picture as a file. Like most JPEGs, a JPEG begins with a JFIF header. */
export async function encoded(extension: PhotoExtension, image: Sharp = picture()): Promise<Buffer> {
  if (extension === 'webp') return image.webp({ quality: 90 }).toBuffer();
  if (extension === 'png') return image.png().toBuffer();
  if (extension === 'gif') return image.gif().toBuffer();
  const jpeg = await image.jpeg({ quality: 90 }).toBuffer();
  return Buffer.concat([jpeg.subarray(0, 2), JFIF, jpeg.subarray(2)]);
}

/** The displayed picture: upright pixels in sRGB. */
export async function pixelsOf(file: Buffer): Promise<Buffer> {
  return sharp(file, { failOn: 'error' }).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer();
}
