import { codeOf } from '@passerelle/bucket';
import { cleanGif } from './clean-gif';
import { cleanJpeg } from './clean-jpeg';
import { cleanPng } from './clean-png';
import { cleanWebp } from './clean-webp';
import type { CleanPhoto } from './photo';
import { PhotoRefused } from './refusals';

/** Keeps only pixels, profile and orientation. A decoder must still check the pixel data. @throws PhotoRefused */
export function cleanPhoto(file: Buffer): CleanPhoto {
  try {
    return cleanerOf(file)(file);
  } catch (error) {
    // The code tried to read beyond the end of the file.
    if (/^ERR_(OUT_OF_RANGE|BUFFER_OUT_OF_BOUNDS)$/.test(codeOf(error)))
      throw new PhotoRefused('truncated', { cause: error });
    throw error;
  }
}

/** Chooses by content, because names and content types are often wrong. */
function cleanerOf(file: Buffer): (file: Buffer) => CleanPhoto {
  const start = file.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return cleanJpeg;
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return cleanPng;
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return cleanGif;
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return cleanWebp;
  throw new PhotoRefused('not_an_image');
}
