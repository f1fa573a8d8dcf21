export const PHOTO_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;
export type PhotoExtension = keyof typeof PHOTO_TYPES;
/** A floor plan or document is a photo or a PDF. */
export type FileExtension = PhotoExtension | 'pdf';
export const FILE_TYPES: Readonly<Record<FileExtension, string>> = { ...PHOTO_TYPES, pdf: 'application/pdf' };
export const PHOTO_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const satisfies readonly PhotoExtension[];

export const FILE_EXTENSIONS = [...PHOTO_EXTENSIONS, 'pdf'] as const satisfies readonly FileExtension[];

export interface CleanPhoto {
  extension: PhotoExtension;
  bytes: Buffer;
  /** The width as displayed, in the upright position. */
  width: number;
  height: number;
}
