import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { hasTag } from './entity-tag';

/** Clients repeat the same few headers. */
const known = new LRUCache<string, boolean>({ max: 200 });
/** Longer headers are parsed each time, so that clients cannot fill the cache with large ones. */
const MOST_CHARACTERS = 200;
let last = { header: '', accepts: false };

/** Whether an `Accept-Encoding` header permits gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.length > MOST_CHARACTERS) return read(header);
  if (header === last.header) return last.accepts;
  let accepts = known.get(header);
  if (accepts === undefined) {
    accepts = read(header);
    known.set(header, accepts);
  }
  last = { header, accepts };
  return accepts;
}

function read(header: string): boolean {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } });
  return accepted.encodings(['gzip']).length > 0 || accepted.encodings().includes('x-gzip');
}

const compress = promisify(gzip);

/** Below this size compression saves less than it costs. */
export const GZIP_MIN_BYTES = 1024;

/** Encodes a response before it is sent: 304 if the reader already has it, else gzip if accepted and worthwhile. */
export async function toEncoded(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const etag = reply.getHeader('etag');
  if (reply.statusCode === 200 && typeof etag === 'string' && hasTag(request.headers['if-none-match'], etag)) {
    reply.code(304).removeHeader('content-type');
    // Returns a stream for HEAD, because Fastify then fails on null, and counts the length of a text.
    return request.method === 'HEAD' ? Readable.from([]) : null;
  }
  if (typeof payload !== 'string' || Buffer.byteLength(payload) < GZIP_MIN_BYTES) return payload;
  reply.header('vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return compress(payload);
}
