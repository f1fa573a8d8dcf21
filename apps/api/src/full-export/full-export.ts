import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AuthorizedGateway } from '../access/gateway-access';
import { AnswerMemory } from '../http/answer-memory';
import { acceptsGzip } from '../http/compression';
import type { Body, Content } from '../http/sends-body';
import { Outage } from '../metrics/outage';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { conditionalHeaders } from '../properties/snapshot-headers';
import { LOGGER } from '../tokens';
import { ExportLimiter } from './export-limiter';
import { recycleChunks } from './recycle-chunks';

/** An export is read once: speed counts more than the last percent of its size. */
const GZIP_LEVEL = 4;

export interface FullExport {
  snapshot: ServedSnapshot;
  etag: string;
  contentType: string;
  /** The content in chunks, in the given memory where possible. An error during sending closes the connection. */
  chunks: (memory: AnswerMemory) => AsyncGenerator<Buffer, undefined>;
}

/** Sends a whole list as a stream, so that no process holds a whole list in memory. */
@Injectable()
export class FullExportSender {
  constructor(
    private readonly limiter: ExportLimiter,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outage: Outage,
  ) {}

  /** Returns the list as a body. Reads the listings only if the client does not have this list yet. */
  bodyOf(gateway: AuthorizedGateway['gateway'], list: FullExport): Body {
    return {
      headers: conditionalHeaders(list.snapshot, list.etag),
      open: (request, reply) => this.open(request, reply, gateway, list),
    };
  }

  private async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, crm, client }: AuthorizedGateway['gateway'],
    { contentType, chunks: start }: FullExport,
  ): Promise<Content | null> {
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const end = await this.limiter.begin(id, readerOf(reply));
    if (end === null) return null;
    reply.raw.once('close', end);
    const memory = new AnswerMemory();
    const chunks = start(memory);
    // Reads a chunk before anything is sent, so that an early error gets an ordinary error response.
    const first = await chunks.next();
    const headers = { 'content-type': contentType, ...(isGzip && { 'content-encoding': 'gzip' }) };
    if (request.method === 'HEAD') {
      await chunks.return(undefined);
      return { headers, body: Readable.from([]) };
    }
    const whole = all(first, chunks);
    const countUnsent = (): number => text.readableLength + reply.raw.writableLength;
    // Compression buffers bytes, so the sent chunks cannot be determined.
    const text: Readable = Readable.from(isGzip ? whole : recycleChunks(whole, memory, countUnsent), {
      objectMode: false,
      highWaterMark: 1,
    });
    const failed = (error: Error | null): void => {
      // Fastify resets the connection, which shows the client that the list is incomplete.
      if (error === null || isReaderGone(error) || this.outage.covers(error)) return;
      this.logger.error({ err: error, requestId: request.id, crm, client }, 'a dump was aborted');
    };
    if (!isGzip) {
      text.on('error', failed);
      return { headers, body: text };
    }
    const gzip = createGzip({ level: GZIP_LEVEL });
    pipeline(text, gzip, (error) => {
      failed(error ?? null);
    });
    return { headers, body: gzip };
  }
}

async function* all(
  first: IteratorResult<Buffer, undefined>,
  rest: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** A signal that is aborted when the reader has disconnected. */
function readerOf({ raw }: FastifyReply): AbortSignal {
  const reader = new AbortController();
  if (raw.destroyed) reader.abort();
  raw.once('close', () => {
    reader.abort();
  });
  return reader.signal;
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR');
}
