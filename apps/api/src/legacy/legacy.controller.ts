import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { OpenGateway } from '../access/gateway-access';
import { readLegacyName } from '../access/gateway-parameters';
import { Gateway, type GatewayRequest } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { hasTag, weakTag } from '../http/entity-tag';
import { JSON_TYPE } from '../http/response-headers';
import { Snapshot } from '../properties/served-snapshot.pipe';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { setSnapshotHeaders } from '../properties/snapshot-headers';
import { Outage } from '../metrics/outage';
import { LOGGER } from '../tokens';
import { acceptsGzip } from '../http/accepts-gzip';
import { dumpPieces } from './dump';
import { DumpTurns } from './dump-turns';

/** A dump is read once: speed counts more than the last percent of its size. */
const GZIP_LEVEL = 4;

/** v0: the whole portfolio in one answer. */
@Controller()
export class LegacyController {
  constructor(
    private readonly listings: ServedListings,
    private readonly turns: DumpTurns,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outage: Outage,
  ) {}

  @Get()
  @ForGateway(inLegacyQuery)
  async dump(
    @Gateway() { gateway: { id, crm, client } }: OpenGateway,
    @Snapshot() snapshot: ServedSnapshot,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const etag = weakTag(snapshot.token, 'v0');
    setSnapshotHeaders(reply, snapshot, etag);
    if (hasTag(request.headers['if-none-match'], etag)) {
      reply.code(304).send();
      return;
    }

    const end = await this.turns.begin(id, readerOf(reply));
    if (end === null) {
      reply.hijack();
      return;
    }
    reply.raw.once('close', end);
    const pieces = dumpPieces(this.listings, snapshot);
    // The first piece is read before anything is sent, so that a failure until here is an ordinary error.
    const first = await pieces.next();
    reply.headers({ 'content-type': JSON_TYPE, ...(isGzip && { 'content-encoding': 'gzip' }) });
    if (request.method === 'HEAD') {
      await pieces.return(undefined);
      reply.send(Readable.from([]));
      return;
    }
    const text = Readable.from(all(first, pieces), {
      objectMode: false,
      highWaterMark: 1,
    });
    const failed = (error: Error | null): void => {
      // Fastify resets the connection, so that the reader sees that the array is incomplete.
      if (error === null || isReaderGone(error) || this.outage.covers(error)) return;
      this.logger.error({ err: error, requestId: request.id, crm, client }, 'a dump was broken off');
    };
    if (!isGzip) {
      text.on('error', failed);
      reply.send(text);
      return;
    }
    reply.send(
      pipeline(text, createGzip({ level: GZIP_LEVEL }), (error) => {
        failed(error ?? null);
      }),
    );
  }
}

function inLegacyQuery({ query }: FastifyRequest): GatewayRequest {
  const input = readLegacyName(query);
  return { name: { crm: input.variable1, client: input.variable2 }, input };
}

async function* all(
  first: IteratorResult<Buffer, undefined>,
  rest: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** Aborted when the reader has gone. */
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
