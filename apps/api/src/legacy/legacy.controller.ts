import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { type Frame, ServedListings } from '@passerelle/database';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { readLegacyName } from '../access/gateway-parameters';
import { Gateway, type GatewayRequest } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { weakTag } from '../http/entity-tag';
import { JSON_TYPE } from '../http/response-headers';
import { type Body, SendsBody } from '../http/sends-body';
import { type ServedSnapshot, Snapshot } from '../properties/served-snapshots';
import { type Listings, exportChunks, type ExportedSnapshot } from '../full-export/export-chunks';
import type { AnswerMemory } from '../http/answer-memory';
import { FullExportSender } from '../full-export/full-export';

/** v0: the whole portfolio in one response. */
@Controller()
export class LegacyController {
  constructor(
    private readonly listings: ServedListings,
    private readonly sender: FullExportSender,
  ) {}

  @Get()
  @ForGateway(inLegacyQuery)
  @UseInterceptors(SendsBody)
  dump(@Gateway() { gateway }: AuthorizedGateway, @Snapshot() snapshot: ServedSnapshot): Body {
    return this.sender.bodyOf(gateway, {
      ...{ snapshot, etag: weakTag(snapshot.token, 'v0'), contentType: JSON_TYPE },
      chunks: (memory) => dumpChunks(this.listings, snapshot, memory),
    });
  }
}

function inLegacyQuery({ query }: FastifyRequest): GatewayRequest {
  const input = readLegacyName(query);
  return { name: { crm: input.variable1, client: input.variable2 }, input };
}

/** The raw records of a snapshot, in order, as the chunks of one JSON array. */
async function* dumpChunks(
  listings: Listings,
  snapshot: ExportedSnapshot,
  memory: AnswerMemory,
): AsyncGenerator<Buffer, undefined> {
  if (snapshot.total === 0) yield Buffer.from('[');
  const frameAt = (offset: number): Frame => ({ before: offset === 0 ? '[' : ',', after: '' });
  yield* exportChunks(listings, snapshot, 'raw', frameAt, memory);
  yield Buffer.from(']');
}
