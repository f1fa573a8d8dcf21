/** Why a file is not taken in as a photo. */
export const PHOTO_REFUSALS = {
  not_an_image: 'the file is no JPEG, PNG, WebP or GIF',
  too_large: 'the file has more than 25 MB',
  too_many_pixels: 'the image has more than 60 megapixels',
  truncated: 'the file ends before the image does',
  damaged: 'the image cannot be decoded',
} as const;
export type PhotoRefusal = keyof typeof PHOTO_REFUSALS;

/** A file that is not taken in; its message is one sentence for a person. */
export class PhotoRefused extends Error {
  override readonly name = 'PhotoRefused';

  constructor(
    readonly reason: PhotoRefusal,
    options?: ErrorOptions,
  ) {
    super(PHOTO_REFUSALS[reason], options);
  }
}
