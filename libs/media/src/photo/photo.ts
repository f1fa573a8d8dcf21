/** How the names of photos end, with the content type of each. */
export const PHOTO_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;
export type PhotoExtension = keyof typeof PHOTO_TYPES;
export const PHOTO_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const satisfies readonly PhotoExtension[];

/** A photo without anything but what is needed to show it. */
export interface CleanPhoto {
  extension: PhotoExtension;
  bytes: Buffer;
  /** As a viewer sees it: turned upright. */
  width: number;
  height: number;
}
