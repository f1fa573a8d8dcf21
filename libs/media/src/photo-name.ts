import { createHash } from 'node:crypto';
import { FILE_EXTENSIONS, FILE_TYPES, type FileExtension } from './photo/photo';

/** The widths of resized photos, in pixels. */
export const PHOTO_WIDTHS = [320, 640, 1024, 1600] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

export interface PhotoName {
  /** SHA-256 of the photo's bytes, in hexadecimal: only readers who have the photo or its listing know it. */
  token: string;
  extension: FileExtension;
  /** The width of a resized photo; null for the original. */
  width: PhotoWidth | null;
}

const NAME = /^([0-9a-f]{64})(?:(?:-(320|640|1024|1600))?\.(jpg|png|webp|gif)|\.(pdf))$/;

/** Null for a name that cannot belong to a stored file. */
export function parsePhotoName(name: string): PhotoName | null {
  const [, token, width, photoEnding, ending = photoEnding] = NAME.exec(name) ?? [];
  const extension = FILE_EXTENSIONS.find((one) => one === ending);
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
  return extension === undefined ? 'application/octet-stream' : FILE_TYPES[extension];
}
