import { type ByteRange, PHOTO_WIDTHS, type PhotoWidth } from '@passerelle/media';
import Negotiator from 'negotiator';
import { z } from 'zod';
import { type Parameter, parameterReader } from '../http/parameters';

const w: Parameter<PhotoWidth | undefined> = {
  description:
    'Maximum width in pixels; the photo then comes in the best format that the client accepts. Without it: as the agency sent it. A PDF has no such sizes.',
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

export const PHOTO_NAME_PARAMETER = {
  description: 'As in `photos[].url`, `plans[].url` and `documents[].url`.',
  schema: { type: 'string' },
  example: `${'0'.repeat(64)}.jpg`,
} as const;

/** Whether an `Accept` header names WebP. A client that accepts any type gets JPEG, as it might not support WebP. */
export function acceptsWebp(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept: accept?.toLowerCase() } }).mediaTypes().includes('image/webp');
}

const RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/;

/** Null to send the whole body: without a range, for several ranges, or for an invalid range (RFC 9110, 14). */
export function requestedRange(range: string | undefined, bytes: number): ByteRange | null {
  const [matched, first, last] = RANGE.exec(range?.replaceAll(' ', '') ?? '') ?? [];
  if (matched === undefined || bytes === 0) return null;
  if (first === undefined) {
    const length = Number(last ?? 0);
    return length === 0 ? null : { start: Math.max(0, bytes - length), end: bytes - 1 };
  }
  const start = Number(first);
  const end = Math.min(last === undefined ? Infinity : Number(last), bytes - 1);
  return start <= end ? { start, end } : null;
}
