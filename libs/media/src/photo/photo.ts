export const PHOTO_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;
export type PhotoExtension = keyof typeof PHOTO_TYPES;
export const PHOTO_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const satisfies readonly PhotoExtension[];

export interface CleanPhoto {
  extension: PhotoExtension;
  bytes: Buffer;
  /** The width as displayed, in the upright position. */
  width: number;
  height: number;
}
