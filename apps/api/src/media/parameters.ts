import { PHOTO_WIDTHS, type PhotoWidth } from '@passerelle/media';
import { z } from 'zod';
import { type Parameter, parameterReader } from '../http/parameters';

const w: Parameter<PhotoWidth | undefined> = {
  description:
    'At most so wide, in pixels, and in the format that the client shows best. Without it: as the agency sent it.',
  allowed: `one of ${PHOTO_WIDTHS.join(', ')}`,
  schema: z
    .string()
    .regex(/^\d{3,4}$/)
    .transform(Number)
    .pipe(z.literal([...PHOTO_WIDTHS]))
    .optional(),
  example: 640,
};

export const PHOTO_PARAMETERS = { w };

/** @throws ApiError BAD_REQUEST */
export const readPhotoQuery = parameterReader(PHOTO_PARAMETERS);

/** The last part of a photo's address. */
export const PHOTO_NAME_PARAMETER = {
  description: 'As it stands in `photos[].url`.',
  schema: { type: 'string' },
  example: `${'0'.repeat(64)}.jpg`,
} as const;
