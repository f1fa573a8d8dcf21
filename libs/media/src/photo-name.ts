import { createHash } from 'node:crypto';
import { PHOTO_EXTENSIONS, PHOTO_TYPES, type PhotoExtension } from './photo/photo';

/** How wide the smaller ones of a photo are, in pixels. */
export const PHOTO_WIDTHS = [320, 640, 1024, 1600] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

/** What the name of a file in the store says. */
export interface PhotoName {
  /** SHA-256 of the photo's bytes, in hex: a reader who knows it has seen the photo, or a listing that names it. */
  token: string;
  extension: PhotoExtension;
  /** Of a smaller one; null: the photo itself. */
  width: PhotoWidth | null;
}

const NAME = /^([0-9a-f]{64})(?:-(320|640|1024|1600))?\.(jpg|png|webp|gif)$/;

/** Null for a name that no file of ours has. */
export function parsePhotoName(name: string): PhotoName | null {
  const [, token, width, ending] = NAME.exec(name) ?? [];
  const extension = PHOTO_EXTENSIONS.find((one) => one === ending);
  if (token === undefined || extension === undefined) return null;
  return { token, extension, width: PHOTO_WIDTHS.find((one) => String(one) === width) ?? null };
}

export function photoName({
  token,
  extension,
  width = null,
}: Omit<PhotoName, 'width'> & { width?: PhotoWidth | null }): string {
  return `${token}${width === null ? '' : `-${width}`}.${extension}`;
}

export function tokenOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function contentTypeOf(name: string): string {
  const extension = parsePhotoName(name)?.extension;
  return extension === undefined ? 'application/octet-stream' : PHOTO_TYPES[extension];
}
