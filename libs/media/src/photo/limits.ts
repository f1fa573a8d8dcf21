import { PhotoRefused } from './photo-refused';

export const MAX_FILE_BYTES = 25_000_000;
/** Of all frames together: an animation is decoded whole. */
export const MAX_PIXELS = 60_000_000;

/** Of segments, chunks or blocks: no photo has a tenth of them, and each costs time and memory. */
const MAX_PARTS = 20_000;

/** @throws PhotoRefused for a file of too many parts. */
export function checkParts(parts: number, most = MAX_PARTS): void {
  if (parts > most) throw new PhotoRefused('damaged');
}

/** @throws PhotoRefused for an image without pixels or with too many. */
export function checkPixels(width: number, height: number, frames = 1): void {
  if (width === 0 || height === 0 || frames === 0) throw new PhotoRefused('damaged');
  if (width * height * frames > MAX_PIXELS) throw new PhotoRefused('too_many_pixels');
}
