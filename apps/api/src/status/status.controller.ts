import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { Reports, retryLostRead } from '@passerelle/database';
import { unregisteredConnector } from '@passerelle/domain';
import type { AuthorizedGateway } from '../access/gateway-access';
import { readGatewayName } from '../access/gateway-parameters';
import { Gateway, inQuery } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { type Members, SuccessEnvelope } from '../http/success-envelope';

@Controller('v1/status')
@UseInterceptors(SuccessEnvelope)
export class StatusController {
  constructor(private readonly reports: Reports) {}

  @Get()
  @ForGateway(inQuery(readGatewayName))
  async status(@Gateway() { gateway }: AuthorizedGateway): Promise<Members> {
    const report = await retryLostRead(() => this.reports.latest(gateway.id));
    const data = {
      crm: gateway.crm,
      client: gateway.client,
      // The guard refuses gateways that are not active.
      active: true,
      contract_end: gateway.contractEnd,
      cms_url: report.siteUrl,
      last_update_status: report.status,
      last_update_count: report.count,
      last_update_message: report.message,
      last_update_timestamp: report.receivedAt,
      connector: gateway.connector ?? unregisteredConnector(gateway.crm),
    };
    return { data };
  }
}
