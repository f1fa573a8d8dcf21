import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './accepts-gzip';
import { hasTag } from './entity-tag';

const compress = promisify(gzip);

/** Below this a compressed body is hardly smaller than its headers. */
export const GZIP_MIN_BYTES = 1024;

/** What an answer becomes on its way out: nothing for a reader that has it, else gzipped where that is wanted and pays. */
export async function toEncoded(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const etag = reply.getHeader('etag');
  if (reply.statusCode === 200 && typeof etag === 'string' && hasTag(request.headers['if-none-match'], etag)) {
    reply.code(304).removeHeader('content-type');
    // What Fastify does with an answer to HEAD after this fails on null, and counts the length of a text.
    return request.method === 'HEAD' ? Readable.from([]) : null;
  }
  if (typeof payload !== 'string' || Buffer.byteLength(payload) < GZIP_MIN_BYTES) return payload;
  reply.header('vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return compress(payload);
}
