import { Controller, Get, Req, Res } from '@nestjs/common';
import { Database } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Door } from '../access/door';
import { GATEWAY_PARAMETERS, type GatewayName } from '../access/gateway-parameters';
import { parameterReader } from '../http/parameters';
import { JSON_TYPE } from '../http/response-headers';
import { CurrentSnapshots } from './current-snapshot';
import { Pages } from './page-bytes';
import { PageSender } from './page-sender';
import { PAGE_PARAMETERS, type PageQuery } from './parameters';

const readPageQuery = parameterReader<PageQuery>(PAGE_PARAMETERS);
const readGatewayName = parameterReader<GatewayName>(GATEWAY_PARAMETERS);

@Controller('v1/properties')
export class PropertiesController {
  constructor(
    private readonly door: Door,
    private readonly snapshots: CurrentSnapshots,
    private readonly pages: Pages,
    private readonly sender: PageSender,
    private readonly database: Database,
  ) {}

  /** Stored text goes out as it is, past serialisers; what is in memory was sent by the fast lane already. */
  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = readPageQuery(request.query);
    const snapshot = await this.snapshots.of(await this.door.open(request, query));
    this.sender.send(request, reply, await this.pages.load(snapshot, query), snapshot.cache);
  }

  @Get(':id')
  async one(@Req() request: FastifyRequest<{ Params: { id: string } }>, @Res() reply: FastifyReply): Promise<void> {
    const name = readGatewayName(request.query);
    const snapshot = await this.snapshots.of(await this.door.open(request, name));
    const property = await this.database.listings.one(snapshot.gatewayId, 'normalized', request.params.id);
    if (property === null) throw new ApiError('NOT_FOUND', 'No property of this gateway has that affId or affNum.');
    reply.header('content-type', JSON_TYPE).header('x-cache', snapshot.cache);
    reply.send(`{"status":"success","data":${property},"request_id":"${request.id}"}`);
  }
}
