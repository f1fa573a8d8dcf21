import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OpenGateway } from '../access/gateway-access';
import { Gateway, type GatewayRequest, Input } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { wantsGzip } from '../properties/page-sender';
import { type SnapshotAnswer, SendsPage } from '../properties/sends-page';
import { ServedSnapshots } from '../properties/served-snapshots';
import { SearchPages } from './search-pages';
import { readSearchQuery, type SearchQuery } from './search-query';

@Controller('v1')
export class SearchController {
  constructor(
    private readonly snapshots: ServedSnapshots,
    private readonly pages: SearchPages,
  ) {}

  @Get('search')
  @ForGateway(inSearchQuery)
  @UseInterceptors(SendsPage)
  async search(
    @Input() query: SearchQuery,
    @Gateway() open: OpenGateway,
    @Req() request: FastifyRequest,
  ): Promise<SnapshotAnswer> {
    const snapshot = await this.snapshots.of(open, query.snapshot);
    const page = await this.pages.load(snapshot, query, wantsGzip(request.headers));
    return { page, snapshot };
  }
}

function inSearchQuery(request: FastifyRequest): GatewayRequest {
  const input = readSearchQuery(request);
  return { name: input, input };
}
