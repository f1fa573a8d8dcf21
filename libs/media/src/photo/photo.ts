/** The file name endings of photos, with the content type of each. */
export const PHOTO_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;
export type PhotoExtension = keyof typeof PHOTO_TYPES;
export const PHOTO_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const satisfies readonly PhotoExtension[];

/** A photo with only the data that is needed to display it. */
export interface CleanPhoto {
  extension: PhotoExtension;
  bytes: Buffer;
  /** As displayed, in the upright position. */
  width: number;
  height: number;
}
