import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Database } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Door } from '../access/door';
import { LOGGER } from '../tokens';
import { parameterReader } from '../http/parameters';
import { JSON_TYPE } from '../http/response-headers';
import { CurrentSnapshots } from '../properties/current-snapshot';
import { acceptsGzip } from './accepts-gzip';
import { dumpPieces } from './dump';
import { LEGACY_PARAMETERS, type LegacyQuery } from './legacy-parameters';

const readLegacyQuery = parameterReader<LegacyQuery>(LEGACY_PARAMETERS);

/** A dump is read once and thrown away: speed counts more than the last percent. */
const GZIP_LEVEL = 4;

/** v0: the whole portfolio in one answer. */
@Controller()
export class LegacyController {
  constructor(
    private readonly door: Door,
    private readonly snapshots: CurrentSnapshots,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  async dump(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { variable1: crm, variable2: client } = readLegacyQuery(request.query);
    const snapshot = await this.snapshots.of(await this.door.open(request, { crm, client }));
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const headers = { 'content-type': JSON_TYPE, 'x-cache': snapshot.cache, vary: 'Accept-Encoding' };

    const pieces = dumpPieces((...page) => this.database.listings.page(...page), snapshot);
    // Read before anything is sent: a failure up to here is still an ordinary error.
    const first = await pieces.next();
    reply.headers({ ...headers, ...(isGzip && { 'content-encoding': 'gzip' }) });
    if (request.method === 'HEAD') {
      await pieces.return(undefined);
      reply.send(Readable.from([]));
      return;
    }
    const text = Readable.from(all(first.done === true ? '' : first.value, pieces), {
      objectMode: false,
      highWaterMark: 1,
    });
    const failed = (error: Error | null): void => {
      // Fastify breaks the connection off, so that the reader sees the array is not complete.
      if (error === null || isReaderGone(error)) return;
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

async function* all(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  for await (const piece of rest) yield Buffer.from(piece);
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR');
}
