export const PHOTO_REFUSALS = {
  not_an_image: 'the file is no JPEG, PNG, WebP or GIF',
  not_a_document: 'the file is no PDF, JPEG, PNG, WebP or GIF',
  too_large: 'the file is larger than 25 MB',
  too_many_pixels: 'the image has more than 60 megapixels',
  truncated: 'the file ends before the end of the image',
  damaged: 'the image cannot be decoded',
} as const;
export type PhotoRefusal = keyof typeof PHOTO_REFUSALS;

/** A file that is not accepted; the message is one sentence for a person. */
export class PhotoRefused extends Error {
  override readonly name = 'PhotoRefused';

  constructor(
    readonly reason: PhotoRefusal,
    options?: ErrorOptions,
  ) {
    super(PHOTO_REFUSALS[reason], options);
  }
}

export const MAX_FILE_BYTES = 25_000_000;
/** The limit for all frames together, because an animation is decoded as a whole. */
export const MAX_PIXELS = 60_000_000;

/** The limit for segments, chunks or blocks, because each costs time and memory. Real photos have less than a tenth. */
const MAX_PARTS = 20_000;

/** @throws PhotoRefused for a file with too many parts. */
export function checkParts(parts: number, most = MAX_PARTS): void {
  if (parts > most) throw new PhotoRefused('damaged');
}

/** @throws PhotoRefused for an image with no pixels or too many pixels. */
export function checkPixels(width: number, height: number, frames = 1): void {
  if (width === 0 || height === 0 || frames === 0) throw new PhotoRefused('damaged');
  if (width * height * frames > MAX_PIXELS) throw new PhotoRefused('too_many_pixels');
}
