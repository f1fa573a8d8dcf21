import { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import { type Media, type ServedPhoto, TooBusy } from '@passerelle/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasTag } from '../http/entity-tag';
import { MEDIA } from '../tokens';
import { acceptsWebp } from './accepts-webp';
import { requestedRange } from './byte-range';
import { readPhotoQuery } from './parameters';

/** What an address shows never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Where the bucket is may change. */
const FOR_A_DAY = 'public, max-age=86400';
const RETRY_AFTER_SECONDS = '5';

/** Photos that agencies sent as files. Their addresses cannot be guessed, and need no key. */
@Controller('media')
export class MediaController {
  constructor(@Inject(MEDIA) private readonly media: Pick<Media, 'find' | 'findResized'>) {}

  @Get(':name')
  async send(
    @Param('name') name: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { w } = readPhotoQuery(query);
    const photo = w === undefined ? await this.media.find(name) : await this.resized(name, w, request);
    if (photo === null) throw noSuchPhoto();
    // By what a client accepts another file is sent.
    if (w !== undefined) reply.header('vary', 'Accept');
    if (photo.publicUrl !== null) {
      reply.code(302).headers({ location: photo.publicUrl, 'cache-control': FOR_A_DAY }).send();
      return;
    }
    const etag = `"${photo.name}"`;
    reply.headers({
      etag,
      'cache-control': FOREVER,
      'accept-ranges': 'bytes',
      // Sites of any origin show them.
      'cross-origin-resource-policy': 'cross-origin',
      'last-modified': photo.modifiedAt.toUTCString(),
    });
    if (hasTag(request.headers['if-none-match'], etag)) {
      reply.code(304).send();
      return;
    }
    await sendBytes(photo, request, reply);
  }

  private async resized(
    name: string,
    w: Parameters<Media['findResized']>[1],
    request: FastifyRequest,
  ): Promise<ServedPhoto | null> {
    try {
      return await this.media.findResized(name, w, acceptsWebp(request.headers.accept) ? 'webp' : 'jpg');
    } catch (error) {
      if (!(error instanceof TooBusy)) throw error;
      throw new ApiError('INTERNAL_ERROR', 'Too many photos are waiting to be resized.', undefined, {
        'retry-after': RETRY_AFTER_SECONDS,
      });
    }
  }
}

async function sendBytes(photo: ServedPhoto, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { bytes, contentType } = photo;
  const ifRange = request.headers['if-range'];
  const isSame = ifRange === undefined || ifRange === `"${photo.name}"`;
  const range =
    isSame && typeof request.headers.range === 'string' ? requestedRange(request.headers.range, bytes) : null;
  const length = range === null ? bytes : range.end - range.start + 1;
  const stream = request.method === 'HEAD' ? Readable.from([]) : await photo.read(range ?? undefined);
  if (stream === null) throw noSuchPhoto();
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`);
  reply.headers({ 'content-type': contentType, 'content-length': String(length) }).send(stream);
}

function noSuchPhoto(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such photo.');
}
