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
import { type Listings, listingPieces, type WholeSnapshot } from '../whole-list/listing-pieces';
import type { AnswerMemory } from '../http/answer-memory';
import { WholeListSender } from '../whole-list/whole-list';

/** v0: the whole portfolio in one response. */
@Controller()
export class LegacyController {
  constructor(
    private readonly listings: ServedListings,
    private readonly sender: WholeListSender,
  ) {}

  @Get()
  @ForGateway(inLegacyQuery)
  @UseInterceptors(SendsBody)
  dump(@Gateway() { gateway }: AuthorizedGateway, @Snapshot() snapshot: ServedSnapshot): Body {
    return this.sender.bodyOf(gateway, {
      ...{ snapshot, etag: weakTag(snapshot.token, 'v0'), contentType: JSON_TYPE },
      pieces: (memory) => dumpPieces(this.listings, snapshot, memory),
    });
  }
}

function inLegacyQuery({ query }: FastifyRequest): GatewayRequest {
  const input = readLegacyName(query);
  return { name: { crm: input.variable1, client: input.variable2 }, input };
}

/** The raw records of a snapshot, in order, as the pieces of one JSON array. */
async function* dumpPieces(
  listings: Listings,
  snapshot: WholeSnapshot,
  memory: AnswerMemory,
): AsyncGenerator<Buffer, undefined> {
  if (snapshot.total === 0) yield Buffer.from('[');
  const frameAt = (offset: number): Frame => ({ before: offset === 0 ? '[' : ',', after: '' });
  yield* listingPieces(listings, snapshot, 'raw', frameAt, memory);
  yield Buffer.from(']');
}
