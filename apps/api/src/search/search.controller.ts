import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, type GatewayRequest, Input } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { PageSender, wantsGzip } from '../properties/page-sender';
import { ServedSnapshots } from '../properties/served-snapshots';
import { SearchPages } from './search-pages';
import { readSearchQuery, type SearchQuery } from './search-query';

@Controller('v1')
export class SearchController {
  constructor(
    private readonly snapshots: ServedSnapshots,
    private readonly pages: SearchPages,
    private readonly sender: PageSender,
  ) {}

  @Get('search')
  @ForGateway(inSearchQuery)
  async search(
    @Input() query: SearchQuery,
    @Gateway() open: AuthorizedGateway,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const page = await this.pages.load(snapshot, query, wantsGzip(reply.request.headers));
    this.sender.answer(reply, { page, snapshot });
  }
}

function inSearchQuery(request: FastifyRequest): GatewayRequest {
  const input = readSearchQuery(request);
  return { name: input, input };
}
