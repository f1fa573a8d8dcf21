import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Controller, Get, Headers, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import { type Media, type ServedPhoto, TooBusy } from '@passerelle/media';
import type { FastifyRequest } from 'fastify';
import { type Body, type Content, SendsBody } from '../http/sends-body';
import { MEDIA } from '../tokens';
import { acceptsWebp, readPhotoQuery, requestedRange } from './photo-request';

/** The content of an address never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
/** The location of the bucket may change. */
const FOR_A_DAY = 'public, max-age=86400';
const RETRY_AFTER_SECONDS = '5';

/** Photos, floor plans and documents that agencies sent as files. Their addresses cannot be guessed, and need no key. */
@Controller('media')
export class MediaController {
  constructor(@Inject(MEDIA) private readonly media: Pick<Media, 'find' | 'findResized'>) {}

  @Get(':name')
  @UseInterceptors(SendsBody)
  async find(
    @Param('name') name: string,
    @Query() query: unknown,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<Body> {
    const { w } = readPhotoQuery(query);
    const photo = w === undefined ? await this.media.find(name) : await this.resized(name, w, headers.accept);
    if (photo === null) throw noSuchPhoto();
    // The file depends on the client's `Accept` header.
    const vary = w === undefined ? undefined : { vary: 'Accept' };
    if (photo.publicUrl !== null) {
      return { status: 302, headers: { ...vary, location: photo.publicUrl, 'cache-control': FOR_A_DAY } };
    }
    const shared = {
      etag: `"${photo.name}"`,
      'cache-control': FOREVER,
      'accept-ranges': 'bytes',
      // Sites of any origin may show the photos.
      'cross-origin-resource-policy': 'cross-origin',
      'last-modified': photo.modifiedAt.toUTCString(),
    };
    return { headers: { ...vary, ...shared, ...shownAs(photo) }, open: (request) => open(photo, request) };
  }

  private async resized(
    name: string,
    w: Parameters<Media['findResized']>[1],
    accept: string | undefined,
  ): Promise<ServedPhoto | null> {
    try {
      return await this.media.findResized(name, w, acceptsWebp(accept) ? 'webp' : 'jpg');
    } catch (error) {
      if (!(error instanceof TooBusy)) throw error;
      throw new ApiError('INTERNAL_ERROR', 'Too many photos are waiting to be resized.', undefined, {
        'retry-after': RETRY_AFTER_SECONDS,
      });
    }
  }
}

async function open(photo: ServedPhoto, { headers, method }: FastifyRequest): Promise<Content> {
  const { bytes, contentType } = photo;
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === `"${photo.name}"`;
  const range = isSame && typeof headers.range === 'string' ? requestedRange(headers.range, bytes) : null;
  const length = range === null ? bytes : range.end - range.start + 1;
  const body = method === 'HEAD' ? Readable.from([]) : await photo.read(range ?? undefined);
  if (body === null) throw noSuchPhoto();
  const described = { 'content-type': contentType, 'content-length': String(length) };
  if (range === null) return { headers: described, body };
  return {
    ...{ status: 206, body },
    headers: { 'content-range': `bytes ${range.start}-${range.end}/${bytes}`, ...described },
  };
}

/** A browser shows a PDF in its viewer. The headers of every response forbid scripts, and guessing another type. */
function shownAs({ contentType }: ServedPhoto): Record<string, string> {
  return contentType === 'application/pdf' ? { 'content-disposition': 'inline' } : {};
}

function noSuchPhoto(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such photo.');
}
