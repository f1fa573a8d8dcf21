import { Controller, Get, Req, Res } from '@nestjs/common';
import { Database } from '@passerelle/database';
import { unregisteredConnector } from '@passerelle/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Door } from '../access/door';
import { GATEWAY_PARAMETERS, type GatewayName } from '../access/gateway-parameters';
import { parameterReader } from '../http/parameters';
import { JSON_TYPE } from '../http/response-headers';

const readGatewayName = parameterReader<GatewayName>(GATEWAY_PARAMETERS);

@Controller('v1/status')
export class StatusController {
  constructor(
    private readonly door: Door,
    private readonly database: Database,
  ) {}

  @Get()
  async status(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { gateway } = await this.door.open(request, readGatewayName(request.query));
    const report = await this.database.reports.latest(gateway.id);
    const data = {
      crm: gateway.crm,
      client: gateway.client,
      // A gateway that is not active was refused at the door.
      active: true,
      contract_end: gateway.contractEnd,
      cms_url: report.siteUrl,
      last_update_status: report.status,
      last_update_count: report.count,
      last_update_message: report.message,
      last_update_timestamp: report.receivedAt,
      connector: gateway.connector ?? unregisteredConnector(gateway.crm),
    };
    reply.header('content-type', JSON_TYPE);
    reply.send(JSON.stringify({ status: 'success', data, request_id: request.id }));
  }
}
