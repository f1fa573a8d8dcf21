import { Controller, Get, Req, Res } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenGateway } from '../access/gateway-access';
import { readLegacyName } from '../access/gateway-parameters';
import { Gateway, type GatewayRequest } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { weakTag } from '../http/entity-tag';
import { JSON_TYPE } from '../http/response-headers';
import { Snapshot } from '../properties/served-snapshot.pipe';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { dumpPieces } from './dump';
import { WholeListSender } from './whole-list';

/** v0: the whole portfolio in one answer. */
@Controller()
export class LegacyController {
  constructor(
    private readonly listings: ServedListings,
    private readonly sender: WholeListSender,
  ) {}

  @Get()
  @ForGateway(inLegacyQuery)
  async dump(
    @Gateway() { gateway }: OpenGateway,
    @Snapshot() snapshot: ServedSnapshot,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sender.send(request, reply, gateway, {
      ...{ snapshot, etag: weakTag(snapshot.token, 'v0'), contentType: JSON_TYPE },
      pieces: (memory) => dumpPieces(this.listings, snapshot, memory),
    });
  }
}

function inLegacyQuery({ query }: FastifyRequest): GatewayRequest {
  const input = readLegacyName(query);
  return { name: { crm: input.variable1, client: input.variable2 }, input };
}
