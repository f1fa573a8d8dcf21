import { Controller, Header, Headers, HttpCode, Post, UseInterceptors } from '@nestjs/common';
import { type NewReport, Reports } from '@passerelle/database';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedGateway } from '../access/gateway-access';
import { Gateway, type GatewayRequest, Input } from '../access/gateway-request';
import { ForGateway } from '../access/gateway.guard';
import { CACHE_NEVER } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { parseReportRequest, type ReportRequest, siteUrlOf } from './report-request';

/** `POST /v1/report`, and `POST /report` of v0 with the same meaning. */
@Controller()
@UseInterceptors(SuccessEnvelope)
export class ReportController {
  constructor(private readonly reports: Reports) {}

  @Post(['v1/report', 'report'])
  @HttpCode(200)
  @Header('cache-control', CACHE_NEVER)
  @ForGateway(inBody)
  async report(
    @Input() report: ReportRequest,
    @Gateway() { gateway }: AuthorizedGateway,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<Members> {
    const { status, count = null, message = null } = report;
    const siteUrl = siteUrlOf(report, userAgent);
    const { receivedAt } = await this.reports.save(gateway.id, {
      ...detailsOf(report),
      status,
      count,
      message,
      siteUrl,
    });
    const { crm, client } = gateway;
    return { data: { saved: true, crm, client, status, count, message, cms_url: siteUrl, received_at: receivedAt } };
  }
}

/** A report names its gateway in its body, which may also contain the key. As in a header, an empty key counts as absent. */
function inBody({ body }: FastifyRequest): GatewayRequest {
  const report = parseReportRequest(body);
  return { name: report, key: report.key || report.api_key, use: 'report', input: report };
}

function detailsOf(report: ReportRequest): Omit<NewReport, 'status' | 'count' | 'message' | 'siteUrl'> {
  const { snapshot = null, added = null, updated = null, removed = null, failed = null, plugin = null } = report;
  return { snapshot, added, updated, removed, failed, plugin };
}
